// What an ELF image wants from others, and what it is called by them (System V gABI, chapter 5): the segment of type
// PT_DYNAMIC (2), entries of a tag and a value, 4 bytes each (64-bit: 8), up to tag 0:
//
//   1 a library that it needs    E what it is called itself    F where libraries are looked for first, 1D the same, but
//   after the user's own places; 5 the address of the table of strings, A its size
//
// The first four values are offsets in that table.

/// Everything that an ELF image says about others. A plain value: it keeps no bytes of the file.
package struct ELFLinkage: Hashable, Sendable {
  /// The libraries that it needs, in order, as bytes.
  package private(set) var libraries: [[UInt8]] = []
  /// What it is called where others need it (`DT_SONAME`).
  package private(set) var name: [UInt8]?
  /// `DT_RUNPATH`: folders, with colons between them.
  package private(set) var runPath: [UInt8]?
  /// `DT_RPATH`, which Android does not look at.
  package private(set) var oldRunPath: [UInt8]?

  /// Of a file that nothing loads (an object file) all is empty.
  package init(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) {
    let segments = try ELFSegments(file, reader)
    guard let segment = segments.all.first(where: { $0.type == .dynamic }) else { return }
    let range = try reader.claimed(
      start: segment.offset, size: segment.fileSize, at: reader.range.lowerBound, "dynamic section")
    var fields = try reader.slice(range, "dynamic section")
    fields.endianness = file.endianness
    var wanted: [(tag: UInt64, value: UInt64, place: Int)] = []
    var address: UInt64?
    var size: UInt64 = 0
    while fields.remaining > 0 {
      let place = fields.offset
      let tag = try fields.readAddress(file.is64Bit, "tag in the dynamic section")
      let value = try fields.readAddress(file.is64Bit, "value in the dynamic section")
      if tag == 0 { break }
      switch tag {
      case 1, 0xE, 0xF, 0x1D: wanted.append((tag, value, place))
      case 5: address = value
      case 0xA: size = value
      default: continue
      }
    }
    if wanted.isEmpty { return }
    guard let address, let start = segments.place(of: address), size <= start.count else {
      throw FormatError(offset: range.lowerBound, field: "string table of the dynamic section", reason: .outOfBounds)
    }
    let strings = try reader.claimed(
      start: start.offset, size: size, at: range.lowerBound, "string table of the dynamic section")
    var budget = NameBudget(reader)
    for (tag, value, place) in wanted {
      guard value < UInt64(strings.count),
        let text = reader.terminatedRange(at: strings.lowerBound + Int(value), in: strings)
      else { throw FormatError(offset: place, field: "name in the dynamic section", reason: .outOfBounds) }
      try budget.spend(text)
      let bytes = try reader.copy(text, "name in the dynamic section")
      switch tag {
      case 1: libraries.append(bytes)
      case 0xE: name = bytes
      case 0xF: oldRunPath = bytes
      default: runPath = bytes
      }
    }
  }
}
