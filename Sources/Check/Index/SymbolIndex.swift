import ObjectFiles
package import Artifacts
import Linking

/// Which plugins of a slice have to do with each other: they define a name that another one defines too, or define it twice
/// themselves, or refer to a name of such plugins. All others can be left out of an app's link: nothing collides with them,
/// and they load nothing that does.
///
/// It goes by hashes: two names of one hash may make it one plugin more, never one less.
package struct SymbolIndex: Sendable {
  private struct Table: Sendable {
    let plugin: Int
    let names: SymbolNames
    let table: HashTable

    var hashes: [UInt64] {
      var hashes: [UInt64] = []
      names.append(0..<256, of: table, to: &hashes)
      return hashes
    }
  }

  private typealias Name = (hash: UInt64, plugin: Int)

  /// Of plugins.
  private let count: Int
  private var defined: [Table] = []
  private var undefined: [Table] = []

  package init(_ plugins: [SymbolNames], for slice: Slice) {
    count = plugins.count
    for (plugin, names) in plugins.enumerated() {
      for tables in names.tables(for: slice) {
        defined.append(Table(plugin: plugin, names: names, table: tables.defined))
        undefined.append(Table(plugin: plugin, names: names, table: tables.undefined))
      }
    }
  }

  private var definedCount: Int { defined.reduce(0) { $0 + $1.table.count } }

  // MARK: Shared names

  /// `known`: what was found of the same plugins when all but the `changed` ones were as they are.
  package func shared(known: AdjacencyMatrix? = nil, changed: [Int] = []) async -> AdjacencyMatrix {
    // Above an eighth all with all takes no longer.
    guard let known, known.count == count, 8 * changed.count <= max(8, count) else {
      let total = definedCount
      let found = await inParts { tops in
        var part = AdjacencyMatrix(count: count)
        // The names with one value of the uppermost 8 bits: as many as fit into a processor's cache.
        for top in tops { repeated(top, total / 256, &part) }
        return part
      }
      return found.reduce(into: AdjacencyMatrix(count: count)) { $0.formUnion($1) }
    }
    if changed.isEmpty { return known }
    // The changed ones with each other, and each with all others.
    let gone = Set(changed)
    let own = defined.filter { gone.contains($0.plugin) }
    let ownCount = own.reduce(0) { $0 + $1.table.count }
    var (seen, suspects) = (BloomFilter(count: ownCount), BloomFilter(count: ownCount))
    for table in own { seen.insert(table.hashes, repeated: &suspects) }
    var found = await SymbolIndex.names(of: defined.filter { !gone.contains($0.plugin) }, in: seen)
    for name in found { suspects.insert(name.hash) }
    found += await SymbolIndex.names(of: own, in: suspects)
    var shared = known.without(changed)
    SymbolIndex.relate(&found, &shared)
    return shared
  }

  /// On all processors, if there is much.
  private func inParts<Part: Sendable>(_ body: @escaping @Sendable (Range<Int>) -> Part) async -> [Part] {
    let parts = definedCount < 1 << 16 ? 1 : 32
    var found: [Part] = []
    try? await inOrder(parts, { body((256 / parts * $0)..<(256 / parts * ($0 + 1))) }, { found.append($0) })
    return found
  }

  /// Relates plugins that define the same name: two filters find those that may be the same, which then are compared.
  private func repeated(_ top: Int, _ count: Int, _ shared: inout AdjacencyMatrix) {
    var (seen, suspects) = (BloomFilter(count: count), BloomFilter(count: count / 8))
    var hashes: [UInt64] = []
    let ends = defined.map { table in
      table.names.append(top..<(top + 1), of: table.table, to: &hashes)
      return hashes.count
    }
    seen.insert(hashes, repeated: &suspects)
    var found: [Name] = []
    var table = 0
    for position in suspects.positions(of: hashes) {
      while ends[table] <= position { table += 1 }
      found.append((hashes[position], defined[table].plugin))
    }
    SymbolIndex.relate(&found, &shared)
  }

  private static func relate(_ found: inout [Name], _ shared: inout AdjacencyMatrix) {
    found.sort { ($0.hash, $0.plugin) < ($1.hash, $1.plugin) }
    var start = 0
    var last: [Int] = []
    while start < found.count {
      var end = start + 1
      var group = [found[start].plugin]
      while end < found.count, found[end].hash == found[start].hash {
        let plugin = found[end].plugin
        if plugin != group[group.count - 1] {
          group.append(plugin)
        } else if !shared.has(plugin, plugin) {
          shared.relate(toItself: plugin)
        }
        end += 1
      }
      start = end
      // One library in two plugins has many names.
      if group.count > 1, group != last {
        shared.relate(group)
        last = group
      }
    }
  }

  // MARK: References

  /// Numbers of plugins, sorted: those that share names, those that refer to a name of them, and so on.
  package func related(_ shared: AdjacencyMatrix) async -> [Int] {
    var new = Set(shared.plugins)
    var related = new
    // Who refers to a name loads what defines it, and may so decide what collides. Most names that plugins refer to are the
    // system's.
    while !new.isEmpty {
      let open = undefined.filter { !related.contains($0.plugin) }
      var wanted = BloomFilter(count: open.reduce(0) { $0 + $1.table.count })
      for table in open { wanted.insert(table.hashes) }
      let definitions = await SymbolIndex.names(of: defined.filter { new.contains($0.plugin) }, in: wanted)
      var hits = BloomFilter(count: definitions.count)
      for name in definitions { hits.insert(name.hash) }
      let names = Set(definitions.map(\.hash))
      let references = await SymbolIndex.names(of: open, in: hits)
      new = Set(references.lazy.filter { names.contains($0.hash) }.map(\.plugin))
      related.formUnion(new)
    }
    return related.sorted()
  }

  // MARK: Names of tables

  /// Those that a filter may hold.
  private static func names(of tables: [Table], in filter: BloomFilter) async -> [Name] {
    let size = 16
    var found: [Name] = []
    try? await inOrder(
      (tables.count + size - 1) / size,
      { part -> [Name] in
        var found: [Name] = []
        for table in tables[(part * size)..<min(tables.count, (part + 1) * size)] {
          for hash in table.names.hashes(of: table.table, in: filter) { found.append((hash, table.plugin)) }
        }
        return found
      }, { found += $0 })
    return found
  }
}
