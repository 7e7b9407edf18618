package struct ELFSections: Sendable {
  package let all: [ELFSection]
  /// The range of the names of sections; empty if there are none.
  private let names: Range<Int>
  /// The offset of the first header, and the distance to the next.
  private let table: (start: Int, step: Int)

  package init(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) {
    let header = try reader.slice(reader.range, "ELF header", file.endianness)
    let start = reader.range.lowerBound
    let place = start + (file.is64Bit ? 40 : 32)
    let table = try header.address(at: place, is64Bit: file.is64Bit, "offset of the section headers")
    let counts = start + (file.is64Bit ? 58 : 46)
    let entrySize: UInt16 = try header.integer(at: counts, "size of a section header")
    var count = UInt64(try header.integer(at: counts + 2, "number of section headers", as: UInt16.self))
    var nameIndex = Int(try header.integer(at: counts + 4, "section of the section names", as: UInt16.self))
    guard table != 0 else {
      all = []
      names = start..<start
      self.table = (start, 0)
      return
    }
    let size = file.is64Bit ? 64 : 40
    guard Int(entrySize) == size else {
      throw .invalid("size of a section header", at: counts, "\(entrySize) is not \(size)")
    }
    let first = try reader.claimed(start: table, size: UInt64(size), at: place, "section headers")
    let zero = try ELFSection(header, at: first.lowerBound, is64Bit: file.is64Bit)
    if count == 0 { count = zero.size }
    if nameIndex == Int(ELFSectionIndex.elsewhere) { nameIndex = Int(zero.link) }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: UInt64(size))
    guard !overflow else { throw .outOfBounds("number of section headers", at: counts + 2) }
    let range = try reader.claimed(start: table, size: bytes, at: counts + 2, "section headers")
    var all: [ELFSection] = []
    for index in 0..<Int(count) {
      all.append(try ELFSection(header, at: range.lowerBound + index * size, is64Bit: file.is64Bit))
    }
    self.all = all
    self.table = (range.lowerBound, size)
    guard nameIndex != 0, nameIndex < all.count else {
      names = start..<start
      return
    }
    // Symbols can be read without the names of sections.
    let section = all[nameIndex]
    let field = "section names"
    names =
      (try? reader.claimed(start: section.offset, size: section.size, at: range.lowerBound, field)) ?? start..<start
  }

  /// The offset of a section's header.
  package func place(of index: Int) -> Int { table.start + index * table.step }

  /// At most 40 bytes of its name; nil if it has none.
  package func name(of section: ELFSection, _ reader: borrowing ByteReader) -> String? {
    guard Int(section.nameOffset) < names.count else { return nil }
    let start = names.lowerBound + Int(section.nameOffset)
    guard let bytes = try? reader.copy(start..<min(start + 40, names.upperBound), "section name") else { return nil }
    let name = bytes.prefix { $0 != 0 }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// Whether its name begins with `text`, which ends with a NUL to compare the whole name. The end of the name is not
  /// searched: all sections may share one long name.
  package func hasName(_ section: ELFSection, _ text: StaticString, _ reader: borrowing ByteReader) -> Bool {
    let place = names.lowerBound + Int(section.nameOffset)
    return place <= names.upperBound - text.utf8CodeUnitCount && reader.starts(with: text, at: place)
  }

  package func range(
    of section: ELFSection, _ field: @autoclosure () -> String, _ reader: borrowing ByteReader
  ) throws(FormatError) -> Range<Int> {
    try reader.claimed(
      start: section.offset, size: section.size, at: place(of: all.firstIndex(of: section) ?? 0), field())
  }
}

extension ELFSection {
  fileprivate init(_ header: borrowing ByteReader, at place: Int, is64Bit: Bool) throws(FormatError) {
    func word(_ at: Int) throws(FormatError) -> UInt64 {
      try header.address(at: place + at, is64Bit: is64Bit, "section header")
    }
    nameOffset = try header.integer(at: place, "section header")
    type = try header.integer(at: place + 4, "section header")
    flags = try word(8)
    address = try word(is64Bit ? 16 : 12)
    offset = try word(is64Bit ? 24 : 16)
    size = try word(is64Bit ? 32 : 20)
    link = try header.integer(at: place + (is64Bit ? 40 : 24), "section header")
    info = try header.integer(at: place + (is64Bit ? 44 : 28), "section header")
    entrySize = try word(is64Bit ? 56 : 36)
  }
}
