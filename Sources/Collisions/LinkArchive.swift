import ObjectFiles

/// A static library as a linker sees it: members, and the table of contents that says what each defines. The table is the
/// truth, whatever the members have (rule 1.4).
struct LinkArchive: Sendable {
  enum Table: Sendable {
    case none, darwin
    /// GNU's and System V's: Apple's linker does not know it.
    case foreign
  }

  struct Member: Sendable {
    var name: String
    var range: Range<Int>
  }

  struct Entry: Sendable {
    var name: NameTable.ID
    var member: Int
  }

  var table = Table.none
  var members: [Member]
  /// In the table's order.
  var entries: [Entry] = []
  /// Its first member is for another processor: then linkers leave all of it out.
  var isForOthers = false

  init(
    _ reader: borrowing ByteReader, for architecture: Architecture, _ names: inout NameTable
  ) throws(FormatError) {
    let archive = try StaticArchive(reader)
    if let damage = archive.damage.first { throw damage }
    guard !archive.isThin else {
      throw FormatError(
        offset: reader.range.lowerBound, field: "static library",
        reason: .unsupported("a thin archive, which only names its object files and does not hold them"))
    }
    members = archive.members.map { Member(name: $0.name, range: $0.range) }
    if let dialect = archive.symbolTables.first?.dialect {
      table = dialect == .bsd || dialect == .bsd64 ? .darwin : .foreign
    }
    if let first = archive.members.first {
      let content = try reader.slice(first.range, "archive member \(first.name)")
      if case .machO = FileKind(content), let file = try? MachOFile(content) {
        isForOthers = file.architecture != architecture
      }
    }
    var numbers: [Int: Int] = [:]
    for (number, member) in archive.members.enumerated() { numbers[member.headerOffset] = number }
    let map = try ArchiveMap(archive, reader)
    entries.reserveCapacity(map.entries.count)
    var budget = NameBudget(reader)
    for entry in map.entries {
      try budget.spend(entry.name)
      guard let offset = Int(exactly: entry.headerOffset), offset <= .max - archive.start,
        let member = numbers[archive.start + offset]
      else { continue }
      entries.append(Entry(name: names.id(entry.name, reader), member: member))
    }
  }
}
