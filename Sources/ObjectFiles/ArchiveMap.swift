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
    /// Where the member's header begins, as the table says: from the start of the archive.
    package var headerOffset: UInt64
  }

  package var entries: [Entry] = []
  private let membersByHeader: [Int: StaticArchive.Member]
  private let start: Int

  /// `reader` is one of the file that the archive was read from. Without a table there are no entries.
  package init(_ archive: StaticArchive, _ reader: borrowing ByteReader) throws(FormatError) {
    start = archive.start
    membersByHeader = Dictionary(archive.members.map { ($0.headerOffset, $0) }, uniquingKeysWith: { first, _ in first })
    guard let table = archive.symbolTables.first else { return }
    var window = try reader.slice(table.range, "table of contents")
    let isWide = table.dialect == .bsd64 || table.dialect == .gnu64
    switch table.dialect {
    case .bsd, .bsd64:
      // Nothing says which byte order it is in; only in the right one do the two sizes fit.
      window.endianness = .little
      if try !ArchiveMap.fits(window, isWide) { window.endianness = .big }
      try readBSD(&window, isWide)
    case .gnu, .gnu64:
      window.endianness = .big
      try readGNU(&window, isWide)
    }
  }

  /// The member that an entry leads to; nil if there is none at that place.
  package func member(of entry: Entry) -> StaticArchive.Member? {
    guard let offset = Int(exactly: entry.headerOffset), offset <= .max - start else { return nil }
    return membersByHeader[start + offset]
  }

  /// What is wrong with the table of an archive that was cut off between two members, which nothing else shows: it still
  /// has the names of those that are gone. Nil if nothing is.
  static func membersPastEnd(of archive: StaticArchive, _ reader: borrowing ByteReader) -> FormatError? {
    guard !archive.isThin, let table = archive.symbolTables.first else { return nil }
    do throws(FormatError) {
      let end = UInt64(reader.range.upperBound - archive.start)
      let past = try ArchiveMap(archive, reader).entries.lazy.map(\.headerOffset).filter { $0 >= end }
      guard let first = past.min() else { return nil }
      return FormatError(
        offset: table.range.lowerBound, field: "table of contents",
        reason: .invalid("names a member at byte \(first) of an archive of \(end) bytes"))
    } catch {
      return error
    }
  }

  private static func fits(_ window: borrowing ByteReader, _ isWide: Bool) throws(FormatError) -> Bool {
    var copy = try window.slice(window.range, "table of contents")
    copy.endianness = window.endianness
    let size = try copy.readAddress(isWide, "size of the table of contents")
    return size <= UInt64(copy.remaining)
  }

  private mutating func readBSD(_ window: inout ByteReader, _ isWide: Bool) throws(FormatError) {
    let width = isWide ? 8 : 4
    let place = window.offset
    let size = try window.readAddress(isWide, "size of the table of contents")
    guard size <= UInt64(window.remaining), Int(size) % (2 * width) == 0 else {
      throw FormatError(offset: place, field: "size of the table of contents", reason: .outOfBounds)
    }
    var pairs = try window.slice(window.offset..<(window.offset + Int(size)), "table of contents")
    try window.skip(Int(size), "table of contents")
    let namesPlace = window.offset
    let namesSize = try window.readAddress(isWide, "size of the names in the table of contents")
    guard namesSize <= UInt64(window.remaining) else {
      throw FormatError(offset: namesPlace, field: "size of the names in the table of contents", reason: .outOfBounds)
    }
    let names = window.offset..<(window.offset + Int(namesSize))
    entries.reserveCapacity(pairs.remaining / (2 * width))
    while pairs.remaining > 0 {
      let place = pairs.offset
      let name = try pairs.readAddress(isWide, "name in the table of contents")
      let header = try pairs.readAddress(isWide, "member in the table of contents")
      guard name < UInt64(names.count), let range = window.terminatedRange(at: names.lowerBound + Int(name), in: names)
      else { throw FormatError(offset: place, field: "name in the table of contents", reason: .outOfBounds) }
      entries.append(Entry(name: range, headerOffset: header))
    }
  }

  private mutating func readGNU(_ window: inout ByteReader, _ isWide: Bool) throws(FormatError) {
    let width = isWide ? 8 : 4
    let place = window.offset
    let count = try window.readAddress(isWide, "number of entries in the table of contents")
    guard count <= UInt64(window.remaining / width) else {
      throw FormatError(offset: place, field: "number of entries in the table of contents", reason: .outOfBounds)
    }
    var offsets = try window.slice(window.offset..<(window.offset + Int(count) * width), "table of contents")
    var name = window.offset + Int(count) * width
    for _ in 0..<count {
      let header = try offsets.readAddress(isWide, "member in the table of contents")
      guard let range = window.terminatedRange(at: name, in: window.range) else {
        throw FormatError(offset: name, field: "name in the table of contents", reason: .outOfBounds)
      }
      entries.append(Entry(name: range, headerOffset: header))
      name = range.upperBound + 1
    }
  }
}
