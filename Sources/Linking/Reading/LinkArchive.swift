import ObjectFiles

/// A static library as a linker sees it: members, and the table of contents, which linkers believe (rule 1.4).
package struct LinkArchive: Sendable {
  enum Table: Sendable {
    case none, darwin
    /// The formats of GNU and System V, which Apple's linker does not read.
    case foreign
  }

  package struct Member: Sendable {
    package var name: String
    var range: Range<Int>
  }

  struct Entry: Sendable {
    var name: NameID
    var member: MemberID
  }

  var table = Table.none
  package var members: Numbered<Member>
  /// In the table's order.
  var entries: [Entry] = []
  /// Its first member is for another processor, for which most linkers ignore the library.
  var isForOthers = false
  /// Members for another processor, if all members have been read.
  var foreign: [MemberID] = []
  /// The first member that does not begin at a multiple of 4 bytes, where Apple's linker looks for it (rule 1.19).
  var firstMisplaced: MemberID?
  /// 64-bit objects of the link's architecture that Apple's current linker refuses for their alignment.
  package var misaligned: [MemberID] = []
  /// Parts that are missing or cannot be read.
  var unread: [FormatError] = []
  /// It is cut off, or its headers are damaged: no linker takes any of it.
  var isDamaged = false
}

extension LinkFileReading {
  /// `reader`'s window is the library.
  func archive(_ reader: borrowing ByteReader) throws(FormatError) -> RawLinkArchive {
    let file = try StaticArchive(reader)
    guard !file.isThin else { throw UnreadCode.thin(reader) }
    var archive = LinkArchive(members: Table(file.members.map { LinkArchive.Member(name: $0.name, range: $0.range) }))
    archive.isDamaged = !file.damage.isEmpty
    archive.unread = file.unread(reader)
    if let dialect = file.symbolTables.first?.dialect {
      archive.table = dialect == .bsd || dialect == .bsd64 ? .darwin : .foreign
    }
    if let first = file.members.first {
      let content = try reader.slice(first.range, "archive member \(first.name)")
      if case .machO = FileKind(content), let object = try? MachOFile(content) {
        archive.isForOthers = object.architecture != architecture
      }
    }
    if architecture.cpu.is64Bit {
      for (number, member) in file.members.enumerated() where !file.isAligned(member) {
        let content = try reader.slice(member.range, "archive member \(member.name)")
        guard case .machO = FileKind(content), let object = try? MachOFile(content) else { continue }
        if object.architecture == architecture { archive.misaligned.append(MemberID(number)) }
      }
    }
    var end = file.start + 8
    if let table = file.symbolTables.first, table.range.lowerBound < file.members.first?.headerOffset ?? 0 {
      end = table.range.upperBound
    }
    archive.firstMisplaced = file.members.firstIndex { member in
      defer { end = member.range.upperBound }
      return member.headerOffset != (end + 3) & ~3
    }.map { MemberID($0) }
    var raw = RawLinkArchive(archive: archive)
    let map = try ArchiveMap(file, reader)
    raw.entries.reserveCapacity(map.entries.count)
    var budget = NameBudget(reader)
    var last = (offset: UInt64.max, member: MemberID?.none)
    for entry in map.entries {
      try budget.spend(entry.name)
      // Most tables list the names of one member together.
      if entry.headerOffset != last.offset { last = (entry.headerOffset, map.member(of: entry).map { MemberID($0) }) }
      guard let member = last.member else { continue }
      let name = NamePlace(entry.name, reader, seed: seed)
      raw.entries.append((name, member))
      // `-ObjC` loads members for the symbols of classes (rule 1.6).
      if LinkFileReading.isClass(entry.name, reader) { raw.alwaysWanted.append(name.hash) }
    }
    return raw
  }

  /// `__OBJC_PROTOCOL_$_P`, `l_OBJC_PROTOCOL_$_P` of older compilers.
  static func isProtocol(_ name: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    reader.starts(with: "_OBJC_PROTOCOL_$_", at: name.lowerBound + 1)
  }

  static func isClass(_ name: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    reader.starts(with: "_OBJC_CLASS_$_", at: name.lowerBound)
      || reader.starts(with: ".objc_c", at: name.lowerBound)
  }
}
