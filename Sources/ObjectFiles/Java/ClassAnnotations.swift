// Attributes of a class file that hold annotations, each of them once for those that a running program can see
// (RuntimeVisible…) and once for those that it cannot (RuntimeInvisible…):
//
//   …Annotations             number (2), annotations
//   …ParameterAnnotations    number of parameters (1), for each: number (2), annotations
//   …TypeAnnotations         number (2), each: where it stands (see `skipAnnotationTarget`), annotation
//   AnnotationDefault        a value
//   Code                     stack, locals (2 + 2), length (4), code, number of handlers (2), 8 each, attributes
//   Record                   number of components (2), each: name, descriptor (2 + 2), attributes
//
//   annotation               type (2, a descriptor), number of elements (2), each: name (2), value
//   value                    tag (1), then   e: type, name (2 + 2)   @: annotation   [: number (2), values   others: 2

extension ClassFile {
  /// The names of the annotations of the class itself, in the file's order. Annotations of its type parameters,
  /// superclass, interfaces and record components are included, as are those that are values in others.
  package func annotations(_ reader: borrowing ByteReader) throws(FormatError) -> [Range<Int>] {
    try annotations(in: attributes, of: .class, reader)
  }

  /// The names of the annotations of a member, with those of a method's parameters, of the types in its code and of
  /// its default value.
  package func annotations(
    of member: ClassMember, _ reader: borrowing ByteReader
  ) throws(FormatError) -> [Range<Int>] {
    try annotations(in: member.attributes, of: .member, reader)
  }

  private func annotations(
    in attributes: Range<Int>, of owner: AnnotationScan.Owner, _ whole: borrowing ByteReader
  ) throws(FormatError) -> [Range<Int>] {
    // The two bytes of a zero: most members have no attribute.
    if attributes.count <= 2 { return [] }
    let file = try whole.slice(whole.range, "class file", .big)
    var cursor = try file.slice(attributes, "attributes")
    var scan = AnnotationScan(constants)
    try scan.readAttributes(&cursor, of: owner, file)
    return scan.names
  }
}

/// Reads attributes. `cursor` is a window of nothing else, and `file` holds the constants.
private struct AnnotationScan {
  /// The owner of attributes. Only attributes of a class or a member may have attributes in them.
  enum Owner { case `class`, member, code, component }

  private(set) var names: [Range<Int>] = []
  private let constants: ClassConstants
  /// An annotation cannot hold one of its own type, so no real one is nested this deep.
  private static let deepest = 64

  init(_ constants: ClassConstants) { self.constants = constants }

  mutating func readAttributes(
    _ cursor: inout ByteReader, of owner: Owner, _ file: borrowing ByteReader
  ) throws(FormatError) {
    let count: UInt16 = try cursor.read("number of attributes")
    for _ in 0..<count {
      let name = try constants.text(at: cursor.offset, "name of an attribute", file)
      try cursor.skip(2, "name of an attribute")
      let length: UInt32 = try cursor.read("length of an attribute")
      let start = cursor.offset
      try cursor.skip(Int(length), "attribute")
      guard let kind = Kind(name, of: owner, file) else { continue }
      var content = try cursor.slice(start..<cursor.offset, "attribute")
      try read(kind, &content, file)
    }
  }

  private enum Kind {
    case annotations, parameters, types, defaultValue, code, record

    init?(_ name: Range<Int>, of owner: Owner, _ file: borrowing ByteReader) {
      switch name.count {
      case 25 where file.starts(with: "RuntimeVisibleAnnotations", at: name.lowerBound),
        27 where file.starts(with: "RuntimeInvisibleAnnotations", at: name.lowerBound):
        self = .annotations
      case 34 where file.starts(with: "RuntimeVisibleParameterAnnotations", at: name.lowerBound),
        36 where file.starts(with: "RuntimeInvisibleParameterAnnotations", at: name.lowerBound):
        self = .parameters
      case 29 where file.starts(with: "RuntimeVisibleTypeAnnotations", at: name.lowerBound),
        31 where file.starts(with: "RuntimeInvisibleTypeAnnotations", at: name.lowerBound):
        self = .types
      case 17 where file.starts(with: "AnnotationDefault", at: name.lowerBound): self = .defaultValue
      case 4 where owner == .member && file.starts(with: "Code", at: name.lowerBound): self = .code
      case 6 where owner == .class && file.starts(with: "Record", at: name.lowerBound): self = .record
      default: return nil
      }
    }
  }

  private mutating func read(
    _ kind: Kind, _ cursor: inout ByteReader, _ file: borrowing ByteReader
  ) throws(FormatError) {
    switch kind {
    case .annotations: try readAnnotations(&cursor, file)
    case .parameters:
      let count: UInt8 = try cursor.read("number of parameters")
      for _ in 0..<count { try readAnnotations(&cursor, file) }
    case .types:
      let count: UInt16 = try cursor.read("number of annotations")
      for _ in 0..<count {
        try ClassFile.skipAnnotationTarget(&cursor)
        try readAnnotation(&cursor, file, depth: 0)
      }
    case .defaultValue: try readValue(&cursor, file, depth: 0)
    case .code:
      try cursor.skip(4, "stack and locals")
      let length: UInt32 = try cursor.read("length of the code")
      try cursor.skip(Int(length), "code")
      let handlers: UInt16 = try cursor.read("number of handlers")
      try cursor.skip(8 * Int(handlers), "handlers")
      try readAttributes(&cursor, of: .code, file)
    case .record:
      let count: UInt16 = try cursor.read("number of components")
      for _ in 0..<count {
        try cursor.skip(4, "component of a record")
        try readAttributes(&cursor, of: .component, file)
      }
    }
  }

  private mutating func readAnnotations(
    _ cursor: inout ByteReader, _ file: borrowing ByteReader
  ) throws(FormatError) {
    let count: UInt16 = try cursor.read("number of annotations")
    for _ in 0..<count { try readAnnotation(&cursor, file, depth: 0) }
  }

  private mutating func readAnnotation(
    _ cursor: inout ByteReader, _ file: borrowing ByteReader, depth: Int
  ) throws(FormatError) {
    let place = cursor.offset
    try cursor.skip(2, "type of an annotation")
    let type = try constants.text(at: place, "type of an annotation", file)
    guard type.count >= 2, file.load(at: type.lowerBound) == UInt8(ascii: "L"),
      file.load(at: type.upperBound - 1) == UInt8(ascii: ";")
    else { throw .invalid("type of an annotation", at: place, "its text names no class") }
    names.append((type.lowerBound + 1)..<(type.upperBound - 1))
    let elements: UInt16 = try cursor.read("number of elements")
    for _ in 0..<elements {
      try cursor.skip(2, "name of an element")
      try readValue(&cursor, file, depth: depth)
    }
  }

  private mutating func readValue(
    _ cursor: inout ByteReader, _ file: borrowing ByteReader, depth: Int
  ) throws(FormatError) {
    let place = cursor.offset
    guard depth < AnnotationScan.deepest else {
      throw .invalid("value of an annotation", at: place, "values are nested more than \(AnnotationScan.deepest) deep")
    }
    let tag: UInt8 = try cursor.read("tag of a value")
    switch UnicodeScalar(tag) {
    case "B", "C", "D", "F", "I", "J", "S", "Z", "s", "c": try cursor.skip(2, "value")
    case "e": try cursor.skip(4, "value")
    case "@": try readAnnotation(&cursor, file, depth: depth + 1)
    case "[":
      let count: UInt16 = try cursor.read("number of values")
      for _ in 0..<count { try readValue(&cursor, file, depth: depth + 1) }
    default: throw .unsupported("tag of a value", at: place, "\(tag) is not known")
    }
  }
}

extension ClassFile {
  /// Skips the target of a type annotation: its kind (1), data that depends on the kind, then a path into the type:
  /// length (1), 2 each.
  package static func skipAnnotationTarget(_ cursor: inout ByteReader) throws(FormatError) {
    let place = cursor.offset
    let kind: UInt8 = try cursor.read("target of an annotation")
    switch kind {
    case 0x13...0x15: break
    case 0x00, 0x01, 0x16: try cursor.skip(1, "target of an annotation")
    case 0x10...0x12, 0x17, 0x42...0x46: try cursor.skip(2, "target of an annotation")
    case 0x47...0x4B: try cursor.skip(3, "target of an annotation")
    case 0x40, 0x41:
      let ranges: UInt16 = try cursor.read("number of a variable's ranges")
      try cursor.skip(6 * Int(ranges), "ranges of a variable")
    default: throw .unsupported("target of an annotation", at: place, "\(kind) is not known")
    }
    let steps: UInt8 = try cursor.read("length of a path")
    try cursor.skip(2 * Int(steps), "path")
  }
}
