import ObjectFiles

/// The sections of debugging information that name symbols.
struct DWARFParts {
  /// Each holds units (`.debug_info`); those of DWARF 4's `.debug_types` are of types.
  var units: [(range: Range<Int>, areTypes: Bool)] = []
  var abbreviations = 0..<0
  var strings = 0..<0
  var stringOffsets = 0..<0
  /// Fields that a relocation fills in (ELF with addends), by their places.
  var relocated: [Int: Field] = [:]

  /// A field's value, and the place and size where it stands.
  struct Field {
    var value: UInt64
    var place: Int
    var width: Int
  }
}

/// New linkage names (`DW_AT_linkage_name`, which C++ has) in debugging information. The new strings stand behind the
/// old ones, and the entries lead to them.
struct DWARFRenaming {
  /// Edits of the numbers that lead to strings.
  private(set) var sites: [ByteEdits.Edit] = []
  /// To be appended to the strings; a multiple of 16 bytes.
  private(set) var strings: [UInt8] = []

  private let parts: DWARFParts
  private let names: RenamedNames
  private let endianness: Endianness
  /// The new offsets of old strings; those that stay have none.
  private var places: [UInt64: UInt64?] = [:]
  private var added: [[UInt8]: UInt64] = [:]
  private var done: Set<Int> = []

  var isEmpty: Bool { sites.isEmpty }

  /// - Parameter reader: of the whole file.
  init(
    _ parts: DWARFParts, _ names: RenamedNames, _ reader: borrowing ByteReader, _ endianness: Endianness
  ) throws(FormatError) {
    (self.parts, self.names, self.endianness) = (parts, names, endianness)
    // Taking a prefix off finds the strings that were there before.
    if names.rewrite.kind == .remove { try addKnown(reader) }
    for section in parts.units {
      var units = DWARFUnits(
        try reader.slice(section.range, "debugging information", endianness), parts, areTypes: section.areTypes)
      let abbreviations = try reader.slice(parts.abbreviations, "abbreviations", endianness)
      try units.forEachLinkageName(abbreviations) { (field) throws(FormatError) in
        try rename(field, reader)
      }
    }
    strings.pad(over: 0, toMultipleOf: 16)
  }

  private mutating func addKnown(_ reader: borrowing ByteReader) throws(FormatError) {
    var place = parts.strings.lowerBound
    while let name = reader.terminatedRange(at: place, in: parts.strings) {
      let text = try reader.copy(name, "string of debugging information")
      if added[text] == nil { added[text] = UInt64(place - parts.strings.lowerBound) }
      place = name.upperBound + 1
    }
  }

  private mutating func rename(
    _ link: DWARFUnits.Link, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    let field: DWARFParts.Field
    switch link {
    case .string(let own): field = own
    case .entry(let offset, let width):
      let place = parts.stringOffsets.lowerBound + offset
      let window = try reader.slice(parts.stringOffsets, "offsets of strings", endianness)
      let value = try window.address(at: place, is64Bit: width == 8, "offset of a string")
      field = parts.relocated[place] ?? .init(value: value, place: place, width: width)
    }
    guard !done.contains(field.place), let new = try newPlace(of: field, reader) else { return }
    done.insert(field.place)
    guard field.width == 8 || new <= UInt64(UInt32.max) else {
      throw .unsupported("strings of debugging information", at: field.place, "they would have more than 4 GiB")
    }
    let bytes = (0..<field.width).map { UInt8(truncatingIfNeeded: new >> UInt64(8 * $0)) }
    sites.append(
      .init(
        range: field.place..<field.place + field.width, bytes: endianness == .little ? bytes : bytes.reversed()))
  }

  private mutating func newPlace(
    of field: DWARFParts.Field, _ reader: borrowing ByteReader
  ) throws(FormatError) -> UInt64? {
    if let known = places[field.value] { return known }
    guard field.value < UInt64(parts.strings.count),
      let range = reader.terminatedRange(at: parts.strings.lowerBound + Int(field.value), in: parts.strings)
    else { throw .outOfBounds("linkage name", at: field.place) }
    // On Apple's systems the symbol has an underscore more.
    let symbol = (names.isApples ? [UInt8(ascii: "_")] : []) + (try reader.copy(range, "linkage name"))
    var new: UInt64?
    if let change = names.change(of: symbol) {
      let text = Array(names.rewrite.applied(change, to: symbol).dropFirst(names.isApples ? 1 : 0))
      new = added[text] ?? UInt64(parts.strings.count + strings.count)
      if added[text] == nil {
        added[text] = new
        strings += text + [0]
      }
    }
    places[field.value] = .some(new)
    return new
  }
}
