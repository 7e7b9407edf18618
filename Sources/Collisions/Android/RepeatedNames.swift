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
    // The bytes of a name are compared only where its hash may be there twice.
    let count = tables.reduce(0) { $0 + $1.count }
    var (seen, repeated) = (BloomFilter(count: count), BloomFilter(count: count))
    let seed = UInt64.random(in: 0 ... .max)
    for table in tables { seen.insert(table.hashes(seed), repeated: &repeated) }
    var names = NameTable()
    var found: [NameID: [Entry]] = [:]
    for (plugin, table) in tables.enumerated() {
      let bytes = ByteReader(table.names.span)
      for index in repeated.positions(of: table.hashes(seed)) {
        found[names.id(table.range(of: index), bytes), default: []].append(
          Entry(plugin: PluginID(plugin), index: index))
      }
    }
    all = found.filter { $0.value.count > 1 }.sorted { names.precedes($0.key, $1.key) }
      .map { (names.text($0.key), $0.value) }
  }
}

extension ContentTable {
  fileprivate func hashes(_ seed: UInt64) -> [UInt64] {
    let bytes = ByteReader(names.span)
    return (0..<count).map { bytes.hash(of: range(of: $0), seed: seed) }
  }
}
