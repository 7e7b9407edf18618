import ObjectFiles

// Units of debugging information (DWARF 2 to 5, sections 7.5.1 to 7.5.6):
//
//   unit           length 4 (or FFFFFFFF and 8: "64-bit", with offsets of 8 bytes), version 2, then
//                  up to 4: offset of the abbreviations, size of an address 1
//                  5: kind of unit 1, size of an address 1, offset of the abbreviations; skeletons and split units have
//                  8 bytes more, units of types 8 and an offset (4: in a section of their own)
//   an entry       its abbreviation's number (LEB128; 0 ends a list of children), the values of its attributes
//   abbreviation   number, tag (LEB128), has children 1, pairs of attribute and form (LEB128), ended by 0 and 0;
//                  the form DW_FORM_implicit_const has a value here

/// Walks over the units of one section.
struct DWARFUnits: ~Escapable {
  /// Leads to a linkage name.
  enum Link {
    /// The name's offset in the strings.
    case string(DWARFParts.Field)
    /// The place, in the table of offsets, of the name's offset.
    case entry(offset: Int, width: Int)
  }

  private struct Attribute {
    var name: UInt64
    var form: UInt64
  }

  private var reader: ByteReader
  private let parts: DWARFParts
  private let areTypes: Bool
  private var tables: [UInt64: [UInt64: [Attribute]]] = [:]
  // These belong to the unit that is being read.
  private var version: UInt16 = 0
  private var width = 4
  private var addressSize = 8
  private var base = 0
  /// Counts attributes, because a damaged file may have thousands of them in an entry of one byte.
  private var steps: NameBudget

  @_lifetime(copy reader)
  init(_ reader: consuming ByteReader, _ parts: DWARFParts, areTypes: Bool) {
    steps = NameBudget(bytes: (1 << 20) + 32 * reader.count, "entries of debugging information")
    self.reader = reader
    self.parts = parts
    self.areTypes = areTypes
  }

  @_lifetime(self: copy self)
  mutating func forEachLinkageName(
    _ abbreviations: borrowing ByteReader, _ body: (Link) throws(FormatError) -> Void
  ) throws(FormatError) {
    while reader.remaining > 0 {
      let end = try readLength()
      let table = try readHeader(abbreviations)
      base = width == 8 ? 16 : 8
      while reader.offset < end {
        let number = try reader.readULEB128("entry of debugging information")
        if number == 0 { continue }
        guard let attributes = tables[table]?[number] else {
          throw .invalid(
            "entry of debugging information", at: reader.offset, "there is no abbreviation \(number)")
        }
        try steps.spend(attributes.count, at: reader.offset)
        for attribute in attributes { try read(attribute, body) }
      }
      guard reader.offset == end else {
        throw .invalid("unit of debugging information", at: end, "its last entry goes beyond its end")
      }
    }
  }

  /// The end of the unit at the cursor.
  @_lifetime(self: copy self)
  private mutating func readLength() throws(FormatError) -> Int {
    let field = "length of a unit of debugging information"
    let place = reader.offset
    var length = UInt64(try reader.read(field, as: UInt32.self))
    width = length == 0xFFFF_FFFF ? 8 : 4
    if width == 8 { length = try reader.read(field) }
    guard length <= UInt64(reader.remaining) else { throw .outOfBounds(field, at: place) }
    return reader.offset + Int(length)
  }

  /// Reads the rest of the header; the result is the offset of the unit's abbreviations, which are read.
  @_lifetime(self: copy self)
  private mutating func readHeader(_ abbreviations: borrowing ByteReader) throws(FormatError) -> UInt64 {
    let place = reader.offset
    version = try reader.read("version of debugging information")
    guard (2...5).contains(version) else {
      throw .unsupported("debugging information", at: place, "version \(version) of DWARF is not read")
    }
    var kind: UInt8 = areTypes ? 2 : 1
    if version == 5 {
      kind = try reader.read("kind of a unit")
      addressSize = Int(try reader.read("size of an address", as: UInt8.self))
    }
    let table = try readOffset("offset of the abbreviations").value
    if version < 5 { addressSize = Int(try reader.read("size of an address", as: UInt8.self)) }
    guard [1, 2, 4, 8].contains(addressSize) else {
      throw .invalid("size of an address", at: place, "\(addressSize) is impossible")
    }
    switch kind {
    case 4, 5: try reader.skip(8, "unit of debugging information")
    case 2, 6: try reader.skip(8 + width, "unit of debugging information")
    default: break
    }
    if tables[table] == nil {
      let new = try Self.table(at: table, abbreviations)
      try steps.spend(new.values.reduce(new.count) { $0 + $1.count }, at: place)
      tables[table] = new
    }
    return table
  }

  private static func table(
    at offset: UInt64, _ abbreviations: borrowing ByteReader
  ) throws(FormatError) -> [UInt64: [Attribute]] {
    let field = "abbreviations"
    var reader = try abbreviations.slice(abbreviations.range, field)
    guard offset <= UInt64(reader.count) else { throw .outOfBounds(field, at: reader.range.lowerBound) }
    try reader.skip(Int(offset), field)
    var table: [UInt64: [Attribute]] = [:]
    while reader.remaining > 0 {
      let number = try reader.readULEB128(field)
      if number == 0 { break }
      try reader.skipLEB128(field)
      try reader.skip(1, field)
      var attributes: [Attribute] = []
      while true {
        let attribute = Attribute(name: try reader.readULEB128(field), form: try reader.readULEB128(field))
        if attribute.form == 0x21 { try reader.skipLEB128(field) }
        if attribute.name == 0, attribute.form == 0 { break }
        attributes.append(attribute)
      }
      table[number] = attributes
    }
    return table
  }

  @_lifetime(self: copy self)
  private mutating func readOffset(_ field: @autoclosure () -> String) throws(FormatError) -> DWARFParts.Field {
    let place = reader.offset
    let value = try reader.address(at: place, is64Bit: width == 8, field())
    try reader.skip(width, field())
    return parts.relocated[place] ?? .init(value: value, place: place, width: width)
  }

  /// `DW_AT_linkage_name`, and what compilers called it before DWARF 4.
  private static let linkageNames: Set<UInt64> = [0x6E, 0x2007]
  private static let stringOffsetsBase: UInt64 = 0x72

  @_lifetime(self: copy self)
  private mutating func read(
    _ attribute: Attribute, _ body: (Link) throws(FormatError) -> Void
  ) throws(FormatError) {
    if attribute.name == Self.stringOffsetsBase, attribute.form == 0x17 {
      base = Int(truncatingIfNeeded: try readOffset("base of the strings' offsets").value & 0xFFFF_FFFF)
      return
    }
    guard Self.linkageNames.contains(attribute.name) else { return try skip(attribute.form) }
    let index: UInt64
    switch attribute.form {
    case 0xE: return try body(.string(readOffset("linkage name")))
    case 0x1A, 0x1F02: index = try reader.readULEB128("linkage name")
    case 0x25: index = UInt64(try reader.read("linkage name", as: UInt8.self))
    case 0x26: index = UInt64(try reader.read("linkage name", as: UInt16.self))
    case 0x28: index = UInt64(try reader.read("linkage name", as: UInt32.self))
    // A name in the entry itself or among those of lines cannot get longer.
    default:
      throw .unsupported(
        "linkage name", at: reader.offset, "its form 0x\(String(attribute.form, radix: 16)) has no room for a new name")
    }
    guard index <= UInt64(UInt32.max) else { throw .outOfBounds("linkage name", at: reader.offset) }
    try body(.entry(offset: base + Int(index) * width, width: width))
  }

  /// Moves the cursor over a value (DWARF 5, 7.5.6, and GNU's forms for split files).
  @_lifetime(self: copy self)
  private mutating func skip(_ form: UInt64) throws(FormatError) {
    let field = "value of debugging information"
    switch form {
    case 0x19, 0x21: break
    case 0x0B, 0x0C, 0x11, 0x25, 0x29: try reader.skip(1, field)
    case 0x05, 0x12, 0x26, 0x2A: try reader.skip(2, field)
    case 0x27, 0x2B: try reader.skip(3, field)
    case 0x06, 0x13, 0x1C, 0x28, 0x2C: try reader.skip(4, field)
    case 0x07, 0x14, 0x20, 0x24: try reader.skip(8, field)
    case 0x1E: try reader.skip(16, field)
    case 0x01: try reader.skip(addressSize, field)
    case 0x10: try reader.skip(version == 2 ? addressSize : width, field)
    case 0x0E, 0x17, 0x1D, 0x1F, 0x1F20, 0x1F21: try reader.skip(width, field)
    case 0x0D, 0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02: try reader.skipLEB128(field)
    case 0x08:
      guard let text = reader.terminatedRange(at: reader.offset, in: reader.range),
        text.upperBound < reader.range.upperBound
      else { throw .invalid(field, at: reader.offset, "a text without an end") }
      try reader.seek(to: text.upperBound + 1, field)
    case 0x03: try skipBlock(UInt64(try reader.read(field, as: UInt16.self)))
    case 0x04: try skipBlock(UInt64(try reader.read(field, as: UInt32.self)))
    case 0x0A: try skipBlock(UInt64(try reader.read(field, as: UInt8.self)))
    case 0x09, 0x18: try skipBlock(try reader.readULEB128(field))
    case 0x16:
      let own = try reader.readULEB128(field)
      guard own != 0x16 else { throw .invalid(field, at: reader.offset, "an indirect form of an indirect form") }
      try skip(own)
    default:
      throw .unsupported(field, at: reader.offset, "the form 0x\(String(form, radix: 16)) is not known")
    }
  }

  @_lifetime(self: copy self)
  private mutating func skipBlock(_ count: UInt64) throws(FormatError) {
    guard count <= UInt64(reader.remaining) else {
      throw .outOfBounds("value of debugging information", at: reader.offset)
    }
    try reader.skip(Int(count), "value of debugging information")
  }
}
