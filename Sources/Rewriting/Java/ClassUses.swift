import ObjectFiles

// The places of a class file where the number of a text stands that names classes, besides those of its constants
// (Java Virtual Machine Specification, 4.7; `ClassAnnotations` has the layout of annotations):
//
//   fields, methods, records          name, descriptor
//   Signature                         a signature
//   LocalVariableTable                start, length, name, descriptor, index     2 bytes each
//   LocalVariableTypeTable            the same with a signature
//   annotations                       types, types of enumeration constants, class values, texts
//   SourceDebugExtension              text: what code was compiled from, where it was put together of several files

/// The uses of texts by a class file.
struct ClassUses {
  enum Kind: Int, CaseIterable {
    /// The name of a class, or an array's descriptor.
    case className
    /// A descriptor or signature.
    case type
    case package
    /// A text of the program.
    case string
    /// One of Kotlin's metadata: a name with slashes, a signature, or a name of a member.
    case kotlin
    /// Kotlin's name of the package, with dots.
    case kotlinPackage
  }

  struct Use {
    /// Where the number stands.
    var place: Int
    var kind: Kind
  }

  private(set) var uses: [Use] = []
  /// The ranges of the attributes `SourceDebugExtension`, their lengths before them not included.
  private(set) var debugTexts: [Range<Int>] = []
  let constants: ClassConstants
  /// The place of the number of constants, and the end of the last one.
  let countPlace: Int
  let endOfConstants: Int

  private static let deepest = 64

  /// The class file is all of `whole`'s window.
  init(_ whole: borrowing ByteReader) throws(FormatError) {
    var reader = try whole.slice(whole.range, "class file", .big)
    let magic: UInt32 = try reader.read("magic")
    guard magic == 0xCAFE_BABE else { throw .invalid("magic", at: whole.range.lowerBound, "this is no class file") }
    try reader.skip(4, "version")
    countPlace = reader.offset
    constants = try ClassConstants(&reader)
    endOfConstants = reader.offset
    let file = try whole.slice(whole.range, "class file", .big)
    for place in constants.places where place > 0 {
      let tag: UInt8 = try file.integer(at: place, "tag")
      switch ClassConstants.Tag(rawValue: tag) {
      case .class: uses.append(Use(place: place + 1, kind: .className))
      case .string: uses.append(Use(place: place + 1, kind: .string))
      case .nameAndType: uses.append(Use(place: place + 3, kind: .type))
      case .methodType: uses.append(Use(place: place + 1, kind: .type))
      case .package: uses.append(Use(place: place + 1, kind: .package))
      default: break
      }
    }
    try reader.skip(6, "class")
    let interfaces: UInt16 = try reader.read("number of interfaces")
    try reader.skip(2 * Int(interfaces), "interfaces")
    for _ in 0..<2 {
      let members: UInt16 = try reader.read("number of members")
      for _ in 0..<members {
        uses.append(Use(place: reader.offset + 4, kind: .type))
        try reader.skip(6, "member")
        try readAttributes(&reader, file)
      }
    }
    try readAttributes(&reader, file)
    guard reader.remaining == 0 else {
      throw .invalid("class file", at: reader.offset, "\(reader.remaining) bytes follow its end")
    }
  }

  private mutating func readAttributes(
    _ reader: inout ByteReader, _ file: borrowing ByteReader, depth: Int = 0
  ) throws(FormatError) {
    let count: UInt16 = try reader.read("number of attributes")
    for _ in 0..<count {
      let name = try constants.text(at: reader.offset, "name of an attribute", file)
      try reader.skip(2, "name of an attribute")
      let length: UInt32 = try reader.read("length of an attribute")
      let start = reader.offset
      try reader.skip(Int(length), "attribute")
      var content = try reader.slice(start..<reader.offset, "attribute")
      guard depth < 4, let known = Self.attributes[name.count], file.starts(with: known.name, at: name.lowerBound)
      else { continue }
      try read(known.kind, &content, file, depth: depth)
    }
  }

  private enum Attribute {
    case signature, debugExtension, variables, code, record, annotations, parameterAnnotations, typeAnnotations
    case defaultValue
  }

  /// The attributes that name classes, by the lengths of their names, each of which is another one.
  private static let attributes: [Int: (name: StaticString, kind: Attribute)] = [
    4: ("Code", .code), 6: ("Record", .record), 9: ("Signature", .signature), 17: ("AnnotationDefault", .defaultValue),
    18: ("LocalVariableTable", .variables), 20: ("SourceDebugExtension", .debugExtension),
    22: ("LocalVariableTypeTable", .variables), 25: ("RuntimeVisibleAnnotations", .annotations),
    27: ("RuntimeInvisibleAnnotations", .annotations), 29: ("RuntimeVisibleTypeAnnotations", .typeAnnotations),
    31: ("RuntimeInvisibleTypeAnnotations", .typeAnnotations),
    34: ("RuntimeVisibleParameterAnnotations", .parameterAnnotations),
    36: ("RuntimeInvisibleParameterAnnotations", .parameterAnnotations),
  ]

  private mutating func read(
    _ attribute: Attribute, _ content: inout ByteReader, _ file: borrowing ByteReader, depth: Int
  ) throws(FormatError) {
    switch attribute {
    case .signature:
      uses.append(Use(place: content.offset, kind: .type))
      try content.skip(2, "signature")
    case .debugExtension: debugTexts.append(content.range)
    case .variables:
      let count: UInt16 = try content.read("number of variables")
      for _ in 0..<count {
        uses.append(Use(place: content.offset + 6, kind: .type))
        try content.skip(10, "variable")
      }
    case .code:
      try content.skip(4, "stack and locals")
      let length: UInt32 = try content.read("length of the code")
      try content.skip(Int(length), "code")
      let handlers: UInt16 = try content.read("number of handlers")
      try content.skip(8 * Int(handlers), "handlers")
      try readAttributes(&content, file, depth: depth + 1)
    case .record:
      let count: UInt16 = try content.read("number of components")
      for _ in 0..<count {
        uses.append(Use(place: content.offset + 2, kind: .type))
        try content.skip(4, "component of a record")
        try readAttributes(&content, file, depth: depth + 1)
      }
    case .annotations: try readAnnotations(&content, file)
    case .parameterAnnotations:
      let count: UInt8 = try content.read("number of parameters")
      for _ in 0..<count { try readAnnotations(&content, file) }
    case .typeAnnotations:
      let count: UInt16 = try content.read("number of annotations")
      for _ in 0..<count {
        try ClassFile.skipAnnotationTarget(&content)
        try readAnnotation(&content, file, depth: 0)
      }
    case .defaultValue: try readValue(&content, file, isKotlin: nil, depth: 0)
    }
  }

  private mutating func readAnnotations(
    _ content: inout ByteReader, _ file: borrowing ByteReader
  ) throws(FormatError) {
    let count: UInt16 = try content.read("number of annotations")
    for _ in 0..<count { try readAnnotation(&content, file, depth: 0) }
  }

  private mutating func readAnnotation(
    _ content: inout ByteReader, _ file: borrowing ByteReader, depth: Int
  ) throws(FormatError) {
    guard depth < Self.deepest else { throw .invalid("annotation", at: content.offset, "too many in one another") }
    let type = try constants.text(at: content.offset, "type of an annotation", file)
    let isKotlin = type.count == 17 && file.starts(with: "Lkotlin/Metadata;", at: type.lowerBound)
    uses.append(Use(place: content.offset, kind: .type))
    try content.skip(2, "type of an annotation")
    let elements: UInt16 = try content.read("number of elements")
    for _ in 0..<elements {
      let name = try constants.text(at: content.offset, "name of an element", file)
      try content.skip(2, "name of an element")
      var kotlin: Kind?
      if isKotlin, name.count == 2 {
        if file.starts(with: "d2", at: name.lowerBound) || file.starts(with: "xs", at: name.lowerBound) {
          kotlin = .kotlin
        }
        if file.starts(with: "pn", at: name.lowerBound) { kotlin = .kotlinPackage }
      }
      try readValue(&content, file, isKotlin: kotlin, depth: depth)
    }
  }

  private mutating func readValue(
    _ content: inout ByteReader, _ file: borrowing ByteReader, isKotlin: Kind?, depth: Int
  ) throws(FormatError) {
    guard depth < Self.deepest else { throw .invalid("annotation", at: content.offset, "too many in one another") }
    let tag: UInt8 = try content.read("tag of a value")
    switch tag {
    case UInt8(ascii: "e"):
      uses.append(Use(place: content.offset, kind: .type))
      try content.skip(4, "constant of an enumeration")
    case UInt8(ascii: "c"), UInt8(ascii: "s"):
      uses.append(Use(place: content.offset, kind: tag == UInt8(ascii: "c") ? .type : isKotlin ?? .string))
      try content.skip(2, "value")
    case UInt8(ascii: "@"): try readAnnotation(&content, file, depth: depth + 1)
    case UInt8(ascii: "["):
      let count: UInt16 = try content.read("number of values")
      for _ in 0..<count { try readValue(&content, file, isKotlin: isKotlin, depth: depth + 1) }
    default: try content.skip(2, "value")
    }
  }
}
