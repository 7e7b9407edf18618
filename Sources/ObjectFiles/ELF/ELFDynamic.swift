// What a loader goes by (System V gABI, chapter 5): the segment of type PT_DYNAMIC (2), entries of a tag and a value,
// 4 bytes each (64-bit: 8), up to tag 0. Values are numbers, offsets in the table of strings, or addresses:
//
//   1 a library that it needs    E what it is called itself    F where libraries are looked for first, 1D the same, but
//   after the user's own places; 5 the address of the table of strings, A its size; 6 that of the symbols
//   4 hash table of the symbols: buckets 4, symbols 4, …
//   6FFFFEF5 another one: buckets 4, first symbol in it 4, words of a filter 4, shift 4, the filter (an address wide
//   each), for each bucket its first symbol 4, for each symbol from the first on its hash 4, the lowest bit: the last
//   6FFFFFF0 versions of symbols, 6FFFFFFC definitions of them, 6FFFFFFE those that are wanted (`ELFVersions`)
//
// Nothing but the hash tables says how many symbols there are: who reads sections is told by them.

/// The dynamic section of an ELF image. A plain value: it keeps no bytes.
struct ELFDynamic {
  struct Entry {
    var tag: UInt64
    var value: UInt64
    /// Where it is in the file.
    var place: Int
  }

  /// In file order.
  private(set) var entries: [Entry] = []
  private let segments: ELFSegments
  private let file: ELFFile

  /// Nil of a file that nothing loads.
  init?(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) {
    self.file = file
    segments = try ELFSegments(file, reader)
    guard let segment = segments.all.first(where: { $0.type == .dynamic }) else { return nil }
    let range = try reader.claimed(
      start: segment.offset, size: segment.fileSize, at: reader.range.lowerBound, "dynamic section")
    var fields = try reader.slice(range, "dynamic section")
    fields.endianness = file.endianness
    while fields.remaining > 0 {
      let place = fields.offset
      let tag = try fields.readAddress(file.is64Bit, "tag in the dynamic section")
      let value = try fields.readAddress(file.is64Bit, "value in the dynamic section")
      if tag == 0 { break }
      entries.append(Entry(tag: tag, value: value, place: place))
    }
  }

  /// The first entry of a tag.
  subscript(tag: UInt64) -> Entry? { entries.first { $0.tag == tag } }

  /// The bytes at the address that an entry has, `size` of them or all to the end of what is loaded with it.
  func range(
    of entry: Entry, size: UInt64? = nil, _ field: @autoclosure () -> String, _ reader: borrowing ByteReader
  ) throws(FormatError) -> Range<Int> {
    guard let start = segments.place(of: entry.value), size ?? 0 <= start.count else {
      throw FormatError(offset: entry.place, field: field(), reason: .outOfBounds)
    }
    return try reader.claimed(start: start.offset, size: size ?? start.count, at: entry.place, field())
  }

  /// Of names; nil if there is none.
  func strings(_ reader: borrowing ByteReader) throws(FormatError) -> Range<Int>? {
    guard let table = self[5] else { return nil }
    return try range(of: table, size: self[0xA]?.value ?? 0, "string table of the dynamic section", reader)
  }

  /// The entries of the symbol table, the first included, which is none; nil if there is no table.
  func symbols(_ reader: borrowing ByteReader) throws(FormatError) -> Range<Int>? {
    guard let table = self[6], let count = try symbolCount(reader) else { return nil }
    return try range(of: table, size: UInt64(count) * (file.is64Bit ? 24 : 16), "dynamic symbols", reader)
  }

  private func symbolCount(_ reader: borrowing ByteReader) throws(FormatError) -> UInt32? {
    let field = "hash table of the dynamic symbols"
    if let entry = self[4] {
      var table = try reader.slice(try range(of: entry, field, reader), field)
      table.endianness = file.endianness
      try table.skip(4, field)
      return try table.read(field)
    }
    guard let entry = self[0x6FFF_FEF5] else { return nil }
    var table = try reader.slice(try range(of: entry, field, reader), field)
    table.endianness = file.endianness
    let buckets: UInt32 = try table.read(field)
    let first: UInt32 = try table.read(field)
    let filter: UInt32 = try table.read(field)
    try table.skip(4, field)
    try table.skip(Int(filter) * (file.is64Bit ? 8 : 4), field)
    var last: UInt32 = 0
    for _ in 0..<buckets { last = max(last, try table.read(field)) }
    guard last >= first, last > 0 else { return first }
    try table.skip(4 * Int(last - first), field)
    while try table.read(field, as: UInt32.self) & 1 == 0 {
      guard last < .max else { throw FormatError(offset: entry.place, field: field, reason: .outOfBounds) }
      last += 1
    }
    return last == .max ? last : last + 1
  }
}
