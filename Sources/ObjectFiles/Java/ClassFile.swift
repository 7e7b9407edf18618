// A class file (Java Virtual Machine Specification, chapter 4), all big endian:
//
//   magic CAFEBABE  4      minor, major version  2 + 2      number of constants, plus one  2
//   constants: a tag (1), then
//     1 Utf8: length (2), that many bytes of modified UTF-8
//     7 Class, 8 String, 16 MethodType, 19 Module, 20 Package: 2      15 MethodHandle: 3
//     3 Integer, 4 Float, 9 Field, 10 Method, 11 InterfaceMethod, 12 NameAndType, 17 Dynamic, 18 InvokeDynamic: 4
//     5 Long, 6 Double: 8, and the number behind theirs stays free
//   access flags, this class, super class: 2 each; number of interfaces (2), each 2
//   number of fields (2), each: flags, name, descriptor, number of attributes (2 each), each: name (2), length (4), bytes
//   methods, like fields
//
// A class is named with slashes; in a descriptor as `Lcom/example/Text;`.

/// The classes that a class file refers to, itself included: those that its code and its members' types name.
package struct ClassFile {
  /// Paths without `.class`, in modified UTF-8: `com/example/Text$Inner`.
  package private(set) var references: Set<[UInt8]> = []

  /// Where the text of each Utf8 constant is, by the constant's number.
  private var texts: [UInt16: Range<Int>] = [:]
  /// Utf8 constants that name classes, and that are descriptors.
  private var names: [UInt16] = []
  private var descriptors: Set<UInt16> = []

  package init(_ whole: borrowing ByteReader) throws(FormatError) {
    var reader = try whole.slice(whole.range, "class file", .big)
    let magic: UInt32 = try reader.read("magic")
    guard magic == 0xCAFE_BABE else { throw .invalid("magic", at: whole.range.lowerBound, "this is no class file") }
    try reader.skip(4, "version")
    try readConstants(&reader)
    try reader.skip(6, "access flags, this class, super class")
    let interfaces: UInt16 = try reader.read("number of interfaces")
    try reader.skip(2 * Int(interfaces), "interfaces")
    for _ in 0..<2 { try readMembers(&reader) }
    for name in names {
      guard let range = texts[name] else { continue }
      let text = try reader.copy(range, "name of a class")
      if text.first == UInt8(ascii: "[") { add(descriptor: text) } else { references.insert(text) }
    }
    for descriptor in descriptors {
      if let range = texts[descriptor] { add(descriptor: try reader.copy(range, "descriptor")) }
    }
  }

  private mutating func readConstants(_ reader: inout ByteReader) throws(FormatError) {
    let end: UInt16 = try reader.read("number of constants")
    var number: UInt16 = 1
    while number < end {
      let start = reader.offset
      let tag: UInt8 = try reader.read("tag of constant \(number)")
      switch tag {
      case 1:
        let length: UInt16 = try reader.read("length of constant \(number)")
        texts[number] = reader.offset..<reader.offset + Int(length)
        try reader.skip(Int(length), "constant \(number)")
      case 7: names.append(try reader.read("class \(number)"))
      case 12:
        try reader.skip(2, "name \(number)")
        descriptors.insert(try reader.read("type \(number)"))
      case 16: descriptors.insert(try reader.read("type of method \(number)"))
      case 8, 19, 20: try reader.skip(2, "constant \(number)")
      case 15: try reader.skip(3, "constant \(number)")
      case 3, 4, 9, 10, 11, 17, 18: try reader.skip(4, "constant \(number)")
      case 5, 6:
        try reader.skip(8, "constant \(number)")
        // At the most it was the last one.
        number = number == .max ? number : number + 1
      default:
        throw .unsupported("tag of constant \(number)", at: start, "\(tag) is not known")
      }
      guard number < .max else { return }
      number += 1
    }
  }

  private mutating func readMembers(_ reader: inout ByteReader) throws(FormatError) {
    let count: UInt16 = try reader.read("number of members")
    for _ in 0..<count {
      try reader.skip(4, "flags and name of a member")
      descriptors.insert(try reader.read("type of a member"))
      let attributes: UInt16 = try reader.read("number of a member's attributes")
      for _ in 0..<attributes {
        try reader.skip(2, "name of an attribute")
        let length: UInt32 = try reader.read("length of an attribute")
        try reader.skip(Int(length), "attribute")
      }
    }
  }

  /// Every `Lname;` of it.
  private mutating func add(descriptor: [UInt8]) {
    var rest = descriptor[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "L")) {
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) else { return }
      references.insert(Array(rest[(start + 1)..<end]))
      rest = rest[(end + 1)...]
    }
  }
}
