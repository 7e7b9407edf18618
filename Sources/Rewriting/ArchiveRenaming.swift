import ObjectFiles

// These parts of a static archive change besides its members (`StaticArchive` has the layout):
//
//   a header             the member's size. All members grow by multiples of 8 bytes, so that each keeps its alignment.
//   a table of contents  names, and the places of members; a sorted one ("__.SYMDEF SORTED") is sorted again

/// The changes of a static archive.
struct ArchiveRenaming {
  private let archive: StaticArchive

  init(_ archive: StaticArchive) { self.archive = archive }

  /// - Parameters:
  ///   - reader: of the archive.
  ///   - members: the edits of each member, by its index.
  func edits(
    _ reader: borrowing ByteReader, _ names: RenamedNames, members: [ByteEdits]
  ) throws(FormatError) -> ByteEdits {
    var parts: [ByteEdits.Edit] = []
    for (member, edits) in zip(archive.members, members) where !edits.isEmpty {
      parts += edits.edits
      if edits.growth != 0 {
        parts.append(try size(at: member.headerOffset, growth: edits.growth, reader))
      }
    }
    guard !parts.isEmpty else { return ByteEdits() }
    guard archive.symbolTables.count <= 1 else {
      throw .unsupported(
        "table of contents", at: archive.symbolTables[1].headerOffset, "a second one, for Windows, is not rewritten")
    }
    guard let table = archive.symbolTables.first else { return try ByteEdits(parts) }
    let map = try ArchiveMap(archive, reader)
    // The table stands in front, so its own growth moves the members that it leads to.
    var new = try contents(table, map, names, reader) { $0 }
    let growth = new.count - table.range.count
    if growth != 0 { parts.append(try size(at: table.headerOffset, growth: growth, reader)) }
    let moved = try ByteEdits(parts + [.init(range: table.range, bytes: new)])
    let start = archive.start
    new = try contents(table, map, names, reader) { moved.place(of: start + $0) - start }
    return try ByteEdits(parts + [.init(range: table.range, bytes: new)])
  }

  /// The edit of a header's size, ten decimal digits.
  private func size(at header: Int, growth: Int, _ reader: borrowing ByteReader) throws(FormatError) -> ByteEdits.Edit {
    let place = header + 48
    let field = try reader.copy(place..<place + 10, "size of an archive member")
    let old = Int(String(decoding: field.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) ?? 0
    var text = Array(String(old + growth).utf8)
    guard text.count <= 10 else {
      throw .unsupported("size of an archive member", at: place, "it would have more than ten digits")
    }
    text += [UInt8](repeating: UInt8(ascii: " "), count: 10 - text.count)
    return .init(range: place..<place + 10, bytes: text)
  }

  /// The content of a table of contents.
  private func contents(
    _ table: StaticArchive.SymbolTable, _ map: ArchiveMap, _ names: RenamedNames, _ reader: borrowing ByteReader,
    moved: (Int) -> Int
  ) throws(FormatError) -> [UInt8] {
    let isBSD = table.dialect == .bsd || table.dialect == .bsd64
    let width = table.dialect == .bsd64 || table.dialect == .gnu64 ? 8 : 4
    var entries: [(name: Int, header: Int)] = []
    var texts: [UInt8] = []
    var order = map.entries
    if isBSD, reader.isSorted(table) { order = try sorted(order, names, reader) }
    for entry in order {
      guard let offset = Int(exactly: entry.headerOffset), offset <= reader.count else {
        throw .outOfBounds("table of contents", at: table.range.lowerBound)
      }
      let header = moved(offset)
      guard width == 8 || header <= Int(UInt32.max) else {
        throw .unsupported("table of contents", at: table.range.lowerBound, "the library would have more than 4 GiB")
      }
      entries.append((texts.count, header))
      if let change = names.change(of: entry.name, reader) {
        names.rewrite.append(entry.name, change, reader, to: &texts)
      } else {
        reader.append(entry.name, to: &texts)
      }
      texts.append(0)
    }
    var bytes: [UInt8] = []
    let isLittle = map.endianness == .little
    func add(_ value: Int) {
      for index in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: value >> (8 * (isLittle ? index : width - 1 - index))))
      }
    }
    let head = isBSD ? width * (2 + 2 * entries.count) : width * (1 + entries.count)
    texts.pad(over: table.range.count - head, toMultipleOf: 8)
    add(isBSD ? 2 * width * entries.count : entries.count)
    for entry in entries {
      if isBSD { add(entry.name) }
      add(entry.header)
    }
    if isBSD { add(texts.count) }
    return bytes + texts
  }

  /// The entries in the order of their new names.
  private func sorted(
    _ entries: [ArchiveMap.Entry], _ names: RenamedNames, _ reader: borrowing ByteReader
  ) throws(FormatError) -> [ArchiveMap.Entry] {
    var named: [(name: [UInt8], entry: ArchiveMap.Entry)] = []
    for entry in entries {
      let old = try reader.copy(entry.name, "name in the table of contents")
      named.append((names.change(of: entry.name, reader).map { names.rewrite.applied($0, to: old) } ?? old, entry))
    }
    // Entries of one name keep their order.
    return named.enumerated().sorted { first, second in
      if first.element.name == second.element.name { return first.offset < second.offset }
      return first.element.name.lexicographicallyPrecedes(second.element.name)
    }.map(\.element.entry)
  }
}

extension ByteReader {
  /// Whether a table of BSD's is called "__.SYMDEF SORTED".
  fileprivate func isSorted(_ table: StaticArchive.SymbolTable) -> Bool {
    let name = table.headerOffset + 60
    let (wide, narrow): (StaticString, StaticString) = ("__.SYMDEF_64 SORTED", "__.SYMDEF SORTED")
    return starts(with: wide, at: name) || starts(with: narrow, at: name)
      || starts(with: narrow, at: table.headerOffset)
  }
}
