// The table of contents of a static library: which member defines which name. Linkers go by it and by nothing else.
//
//   BSD, Darwin   "__.SYMDEF":     size of the entries 4, entries of (offset of the name 4, offset of the header of the
//                                  member 4), size of the names 4, names that end in NUL; in the byte order of the code
//                 "__.SYMDEF_64":  the same with 8 bytes for each number
//   GNU, SysV     "/":             number of entries 4, offsets of the members' headers 4 each, names; big-endian
//                 "/SYM64/":       the same with 8 bytes for each number
//   COFF          a second "/":    for Microsoft's linker; the first is as GNU's

/// The names of a static library's table of contents, in its order.
package struct ArchiveMap: Sendable {
  package struct Entry: Hashable, Sendable {
    package var name: Range<Int>
    /// The offset of the member's header from the start of the archive: a claim.
    package var headerOffset: UInt64
  }

  package var entries: [Entry] = []
  /// The byte order of the table's numbers.
  package private(set) var endianness = Endianness.little
  private let membersByHeader: [Int: Int]
  private let start: Int

  /// `reader` reads the archive's file. Without a table there are no entries.
  package init(_ archive: StaticArchive, _ reader: borrowing ByteReader) throws(FormatError) {
    start = archive.start
    membersByHeader = Dictionary(
      archive.members.enumerated().map { ($1.headerOffset, $0) }, uniquingKeysWith: { first, _ in first })
    guard let table = archive.symbolTables.first else { return }
    let layout = try Layout(table, reader)
    endianness = layout.endianness
    let window = try reader.slice(table.range, "table of contents", layout.endianness)
    entries.reserveCapacity(layout.count)
    var next = layout.names.lowerBound
    for index in 0..<layout.count {
      let start = try layout.namePlace(index, window) ?? next
      guard let name = window.terminatedRange(at: start, in: layout.names) else {
        throw .outOfBounds("name in the table of contents", at: layout.place(index))
      }
      next = name.upperBound + 1
      entries.append(Entry(name: name, headerOffset: try layout.header(index, window)))
    }
  }

  /// The index of the member that an entry leads to; nil if there is none at that place.
  package func member(of entry: Entry) -> Int? {
    guard let offset = Int(exactly: entry.headerOffset), offset <= .max - start else { return nil }
    return membersByHeader[start + offset]
  }

  /// The error for an archive that was cut off between members, whose table still names the missing ones.
  static func membersPastEnd(of archive: StaticArchive, _ reader: borrowing ByteReader) -> FormatError? {
    guard !archive.isThin, let table = archive.symbolTables.first else { return nil }
    do throws(FormatError) {
      // The names are not read: every library is checked, and reading them would take as long as reading its symbols.
      let layout = try Layout(table, reader)
      let window = try reader.slice(table.range, "table of contents", layout.endianness)
      let end = UInt64(reader.range.upperBound - archive.start)
      var first = UInt64.max
      var isPast = false
      for index in 0..<layout.count {
        let header = try layout.header(index, window)
        guard header >= end else { continue }
        isPast = true
        first = min(first, header)
      }
      guard isPast else { return nil }
      return .invalid(
        "table of contents", at: table.range.lowerBound,
        "names a member at byte \(first) of an archive of \(end) bytes")
    } catch {
      return error
    }
  }
}

extension ArchiveMap {
  /// The places of the numbers and the names of a table. Both were checked to be inside it.
  private struct Layout {
    let count: Int
    let names: Range<Int>
    private let numbers: Int
    private let width: Int
    /// BSD's entries begin with the place of the name; GNU's names follow each other.
    private let hasNamePlaces: Bool
    let endianness: Endianness

    init(_ table: StaticArchive.SymbolTable, _ reader: borrowing ByteReader) throws(FormatError) {
      let isWide = table.dialect == .bsd64 || table.dialect == .gnu64
      hasNamePlaces = table.dialect == .bsd || table.dialect == .bsd64
      width = isWide ? 8 : 4
      var window = try reader.slice(table.range, "table of contents")
      if hasNamePlaces {
        // No field says which byte order it is; the size fits only in the right one.
        window.endianness = .little
        let little = try window.readAddress(isWide, "size of the table of contents")
        if little > UInt64(window.remaining) { window.endianness = .big }
        try window.seek(to: table.range.lowerBound, "table of contents")
        let size = try window.readAddress(isWide, "size of the table of contents")
        guard size <= UInt64(window.remaining), Int(size) % (2 * width) == 0 else {
          throw .outOfBounds("size of the table of contents", at: table.range.lowerBound)
        }
        count = Int(size) / (2 * width)
        numbers = window.offset
        try window.skip(Int(size), "table of contents")
        let place = window.offset
        let namesSize = try window.readAddress(isWide, "size of the names in the table of contents")
        guard namesSize <= UInt64(window.remaining) else {
          throw .outOfBounds("size of the names in the table of contents", at: place)
        }
        names = window.offset..<(window.offset + Int(namesSize))
      } else {
        window.endianness = .big
        let claimed = try window.readAddress(isWide, "number of entries in the table of contents")
        guard claimed <= UInt64(window.remaining / width) else {
          throw .outOfBounds("number of entries in the table of contents", at: table.range.lowerBound)
        }
        count = Int(claimed)
        numbers = window.offset
        names = (window.offset + count * width)..<window.range.upperBound
      }
      endianness = window.endianness
    }

    func place(_ index: Int) -> Int { numbers + index * (hasNamePlaces ? 2 * width : width) }

    /// The start of the name, or the end of the names if that is past it; nil if the name follows the one before.
    func namePlace(_ index: Int, _ window: borrowing ByteReader) throws(FormatError) -> Int? {
      guard hasNamePlaces else { return nil }
      let offset = try number(at: place(index), window)
      return offset < UInt64(names.count) ? names.lowerBound + Int(offset) : names.upperBound
    }

    func header(_ index: Int, _ window: borrowing ByteReader) throws(FormatError) -> UInt64 {
      try number(at: place(index) + (hasNamePlaces ? width : 0), window)
    }

    private func number(at position: Int, _ table: borrowing ByteReader) throws(FormatError) -> UInt64 {
      try table.address(at: position, is64Bit: width == 8, "table of contents")
    }
  }
}
