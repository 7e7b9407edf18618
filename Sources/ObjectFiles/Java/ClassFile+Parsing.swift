extension ClassFile {
  /// The class file is all of `whole`'s window.
  package init(_ whole: borrowing ByteReader) throws(FormatError) {
    var reader = try whole.slice(whole.range, "class file", .big)
    let magic: UInt32 = try reader.read("magic")
    guard magic == 0xCAFE_BABE else { throw .invalid("magic", at: whole.range.lowerBound, "this is no class file") }
    let minor: UInt16 = try reader.read("minor version")
    let place = reader.offset
    let major: UInt16 = try reader.read("major version")
    guard major >= 45 else { throw .invalid("major version", at: place, "\(major) is less than 45, the first one") }
    version = ClassVersion(major: major, minor: minor)
    let constants = try ClassConstants(&reader)
    self.constants = constants
    var scan = ReferenceScan(constants)
    try scan.addConstants(reader)

    access = ClassAccess(rawValue: try reader.read("access flags"))
    name = try constants.readClass(&reader, "this class")
    let superclass: UInt16 = try reader.integer(at: reader.offset, "superclass")
    if superclass == 0 {
      try reader.skip(2, "superclass")
      self.superclass = nil
    } else {
      self.superclass = try constants.readClass(&reader, "superclass")
    }
    var interfaces: [Range<Int>] = []
    let count: UInt16 = try reader.read("number of interfaces")
    for _ in 0..<count { interfaces.append(try constants.readClass(&reader, "interface")) }
    self.interfaces = interfaces
    fields = try ClassFile.members("field", constants, &scan, &reader)
    methods = try ClassFile.members("method", constants, &scan, &reader)
    attributes = try ClassFile.attributes(&reader)
    references = scan.references
  }

  private static func members(
    _ noun: String, _ constants: ClassConstants, _ scan: inout ReferenceScan, _ reader: inout ByteReader
  ) throws(FormatError) -> [ClassMember] {
    var members: [ClassMember] = []
    let count: UInt16 = try reader.read("number of \(noun)s")
    for _ in 0..<count {
      let access = ClassAccess(rawValue: try reader.read("access flags of a \(noun)"))
      let name = try constants.readText(&reader, "name of a \(noun)")
      let number: UInt16 = try reader.integer(at: reader.offset, "type of a \(noun)")
      let descriptor = try constants.readText(&reader, "type of a \(noun)")
      scan.add(descriptor, number, reader)
      let attributes = try attributes(&reader)
      members.append(ClassMember(access: access, name: name, descriptor: descriptor, attributes: attributes))
    }
    return members
  }

  /// Moves the cursor over the attributes and returns their range.
  private static func attributes(_ reader: inout ByteReader) throws(FormatError) -> Range<Int> {
    let start = reader.offset
    let count: UInt16 = try reader.read("number of attributes")
    for _ in 0..<count {
      try reader.skip(2, "name of an attribute")
      let length: UInt32 = try reader.read("length of an attribute")
      try reader.skip(Int(length), "attribute")
    }
    return start..<reader.offset
  }

  /// The fields and methods that the code refers to, in the file's order.
  package func memberReferences(_ whole: borrowing ByteReader) throws(FormatError) -> [ClassMemberReference] {
    let reader = try whole.slice(whole.range, "class file", .big)
    var references: [ClassMemberReference] = []
    for place in constants.places {
      guard place > 0, let kind = ClassMemberReference.Kind(rawValue: try reader.integer(at: place, "tag")) else {
        continue
      }
      let className = try constants.className(at: place + 1, "class of a member", reader)
      let pair = try constants.place(at: place + 3, .nameAndType, "name and type of a member", reader)
      let name = try constants.text(at: pair + 1, "name of a member", reader)
      let descriptor = try constants.text(at: pair + 3, "type of a member", reader)
      references.append(
        ClassMemberReference(kind: kind, className: className, name: name, descriptor: descriptor))
    }
    return references
  }
}

/// Collects the classes that constants and members name, and looks at each text once: thousands may share a long one.
private struct ReferenceScan {
  private(set) var references: [Range<Int>] = []
  private let constants: ClassConstants
  /// Indexed by the texts' numbers.
  private var knownNames: [Bool]
  private var knownDescriptors: [Bool]

  init(_ constants: ClassConstants) {
    self.constants = constants
    knownNames = [Bool](repeating: false, count: constants.places.count)
    knownDescriptors = knownNames
  }

  mutating func addConstants(_ reader: borrowing ByteReader) throws(FormatError) {
    for place in constants.places where place > 0 {
      let tag: UInt8 = try reader.integer(at: place, "tag")
      switch ClassConstants.Tag(rawValue: tag) {
      case .class:
        let name = try constants.text(at: place + 1, "name of a class", reader)
        let number: UInt16 = try reader.integer(at: place + 1, "name of a class")
        if !name.isEmpty, reader.load(at: name.lowerBound) == UInt8(ascii: "[") {
          add(name, number, reader)
        } else if !knownNames[Int(number)] {
          knownNames[Int(number)] = true
          references.append(name)
        }
      case .nameAndType: try add(at: place + 3, reader)
      case .methodType: try add(at: place + 1, reader)
      default: break
      }
    }
  }

  private mutating func add(at place: Int, _ reader: borrowing ByteReader) throws(FormatError) {
    let descriptor = try constants.text(at: place, "descriptor", reader)
    add(descriptor, try reader.integer(at: place, "descriptor"), reader)
  }

  /// Adds every `Lname;` of a descriptor, whose constant has this number.
  mutating func add(_ descriptor: Range<Int>, _ number: UInt16, _ reader: borrowing ByteReader) {
    guard !knownDescriptors[Int(number)] else { return }
    knownDescriptors[Int(number)] = true
    var start: Int?
    for position in descriptor {
      let byte: UInt8 = reader.load(at: position)
      if let first = start, byte == UInt8(ascii: ";") {
        references.append(first..<position)
        start = nil
      } else if start == nil, byte == UInt8(ascii: "L") {
        start = position + 1
      }
    }
  }
}
