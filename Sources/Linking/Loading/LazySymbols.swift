/// Which member each name would be loaded from if somebody wanted it: that of the first static library on the line whose
/// table of contents has the name, whatever is loaded already.
package struct LazySymbols {
  private struct Entry {
    var file: Int32
    var member: Int32
  }

  private var entries: [Entry] = []
  /// By number of the object file, for those that were asked for: the names it would be loaded for, in its table's order.
  private var names: [Int: [NameTable.ID]] = [:]

  /// `wanted`: numbers of object files.
  package init(_ files: [Int], for wanted: Set<Int>, of set: LinkSet) {
    entries = Array(repeating: Entry(file: -1, member: -1), count: set.names.count)
    for file in files {
      guard case .archive(let archive) = set.content(of: file) else { continue }
      for entry in archive.entries where entries[entry.name.index].file < 0 {
        entries[entry.name.index] = Entry(file: Int32(file), member: Int32(entry.member))
      }
    }
    var isRead: Set<Int> = []
    for file in wanted.map({ set.objects[$0].file }).sorted() where isRead.insert(file).inserted {
      guard case .archive(let archive) = set.content(of: file) else { continue }
      for entry in archive.entries {
        guard entries[entry.name.index].file == Int32(file), entries[entry.name.index].member == Int32(entry.member),
          let object = set.object(entry.member, of: file), wanted.contains(object)
        else { continue }
        names[object, default: []].append(entry.name)
      }
    }
  }

  /// The names for which an object file is loaded if they are wanted first of all.
  package func names(of object: Int) -> [NameTable.ID] { names[object] ?? [] }

  package func object(for name: NameTable.ID, _ set: LinkSet) -> Int? {
    guard name.index < entries.count, entries[name.index].file >= 0 else { return nil }
    return set.object(Int(entries[name.index].member), of: Int(entries[name.index].file))
  }
}
