import Android
import Linking
import ObjectFiles

/// The names that stand in the tables of all plugins more than once. There may be hundreds of thousands of names and
/// hardly one that is repeated, so only those become texts.
struct RepeatedNames {
  /// An entry of a table; the tables have the numbers of their plugins.
  struct Entry {
    let plugin: PluginID
    let index: Int
  }

  /// Sorted by the bytes of their names; the entries are in the order of the plugins.
  private(set) var all: [(name: String, entries: [Entry])] = []

  init(_ tables: [ContentTable]) {
    var names = NameTable()
    var counts: [Int32] = []
    let ids = tables.map { table in
      let bytes = ByteReader(table.names.span)
      return (0..<table.count).map { index in
        let id = names.id(table.range(of: index), bytes)
        if id.index == counts.count { counts.append(0) }
        counts[id.index] += 1
        return id
      }
    }
    var found: [NameID: [Entry]] = [:]
    for (plugin, ids) in ids.enumerated() {
      for (index, id) in ids.enumerated() where counts[id.index] > 1 {
        found[id, default: []].append(Entry(plugin: PluginID(plugin), index: index))
      }
    }
    all = found.sorted { names.precedes($0.key, $1.key) }.map { (names.text($0.key), $0.value) }
  }
}
