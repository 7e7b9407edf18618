/// The member that each name would be loaded from: the first library on the line whose table of contents has the name counts.
package struct LazySymbols {
  private struct Entry: Equatable {
    var file: FileID
    var member: MemberID
  }

  private var entries: Table<NameTable, Entry?>
  /// The names of each wanted object file, in its table's order.
  private var names: [ObjectID: [NameID]] = [:]

  package init(_ files: [FileID], for wanted: Set<ObjectID>, of set: LinkSet) {
    entries = Table(repeating: nil, count: set.names.count)
    for file in files {
      guard case .archive(let archive) = set.content(of: file) else { continue }
      for entry in archive.entries where entries[entry.name] == nil {
        entries[entry.name] = Entry(file: file, member: entry.member)
      }
    }
    var isRead: Set<FileID> = []
    for file in wanted.map({ set.objects[$0].file }).sorted() where isRead.insert(file).inserted {
      guard case .archive(let archive) = set.content(of: file) else { continue }
      for entry in archive.entries {
        guard entries[entry.name] == Entry(file: file, member: entry.member),
          let object = set.object(entry.member, of: file), wanted.contains(object)
        else { continue }
        names[object, default: []].append(entry.name)
      }
    }
  }

  /// The names that load an object file if they are wanted from the start.
  package func names(of object: ObjectID) -> [NameID] { names[object] ?? [] }

  package func object(for name: NameID, _ set: LinkSet) -> ObjectID? {
    guard name.index < entries.count, let entry = entries[name] else { return nil }
    return set.object(entry.member, of: entry.file)
  }
}
