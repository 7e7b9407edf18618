// A constant of a class file: a tag (1), then
//
//   1 Utf8: length (2), that many bytes of modified UTF-8 (see `javaText`)
//   7 Class, 8 String, 16 MethodType, 19 Module, 20 Package: the number of a Utf8 (2)
//   3 Integer, 4 Float: 4      5 Long, 6 Double: 8, and the number behind theirs stays free
//   9 Fieldref, 10 Methodref, 11 InterfaceMethodref: the numbers of a Class and of a NameAndType (2 + 2)
//   12 NameAndType: the numbers of two Utf8, the name and the descriptor (2 + 2)
//   15 MethodHandle: kind (1), the number of the member that it refers to (2)
//   17 Dynamic, 18 InvokeDynamic: a number in the table of bootstrap methods, that of a NameAndType (2 + 2)

package struct ClassConstants: Sendable {
  /// The offset of each constant's tag, by the constant's number; 0 where there is none.
  package private(set) var places: [Int] = [0]

  package enum Tag: UInt8, Sendable {
    case text = 1, integer = 3, float, long, double, `class`, string, field, method, interfaceMethod, nameAndType
    case methodHandle = 15, methodType, dynamic, invokeDynamic, module, `package`
  }

  /// Reads the table at the cursor, which moves behind it.
  package init(_ reader: inout ByteReader) throws(FormatError) {
    let end: UInt16 = try reader.read("number of constants")
    while places.count < Int(end) {
      let number = places.count
      let start = reader.offset
      let tag: UInt8 = try reader.read("tag of constant \(number)")
      places.append(start)
      switch Tag(rawValue: tag) {
      case .text:
        let length: UInt16 = try reader.read("length of constant \(number)")
        try reader.skip(Int(length), "constant \(number)")
      case .class, .string, .methodType, .module, .package: try reader.skip(2, "constant \(number)")
      case .methodHandle: try reader.skip(3, "constant \(number)")
      case .integer, .float, .field, .method, .interfaceMethod, .nameAndType, .dynamic, .invokeDynamic:
        try reader.skip(4, "constant \(number)")
      case .long, .double:
        try reader.skip(8, "constant \(number)")
        places.append(0)
      case nil: throw .unsupported("tag of constant \(number)", at: start, "\(tag) is not known")
      }
    }
  }

  /// The start of the constant whose number stands at `place`; an error if it has another tag. The reader must be
  /// big-endian.
  func place(
    at place: Int, _ tag: Tag, _ field: @autoclosure () -> String, _ reader: borrowing ByteReader
  ) throws(FormatError) -> Int {
    let number = Int(try reader.integer(at: place, field(), as: UInt16.self))
    guard number < places.count, places[number] > 0 else {
      throw .invalid(field(), at: place, "there is no constant \(number)")
    }
    let found: UInt8 = try reader.integer(at: places[number], field())
    guard found == tag.rawValue else {
      throw .invalid(field(), at: place, "constant \(number) has the tag \(found), not \(tag.rawValue)")
    }
    return places[number]
  }

  /// The text whose number stands at `place`.
  package func text(
    at place: Int, _ field: @autoclosure () -> String, _ reader: borrowing ByteReader
  ) throws(FormatError) -> Range<Int> {
    let start = try self.place(at: place, .text, field(), reader)
    let length: UInt16 = try reader.integer(at: start + 1, field())
    let range = (start + 3)..<(start + 3 + Int(length))
    guard reader.holds(range) else { throw .outOfBounds(field(), at: start) }
    return range
  }

  /// The name of the class whose number stands at `place`.
  func className(
    at place: Int, _ field: @autoclosure () -> String, _ reader: borrowing ByteReader
  ) throws(FormatError) -> Range<Int> {
    try text(at: try self.place(at: place, .class, field(), reader) + 1, field(), reader)
  }

  func readText(_ reader: inout ByteReader, _ field: @autoclosure () -> String) throws(FormatError) -> Range<Int> {
    let range = try text(at: reader.offset, field(), reader)
    try reader.skip(2, field())
    return range
  }

  func readClass(_ reader: inout ByteReader, _ field: @autoclosure () -> String) throws(FormatError) -> Range<Int> {
    let range = try className(at: reader.offset, field(), reader)
    try reader.skip(2, field())
    return range
  }
}
