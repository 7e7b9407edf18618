package import Artifacts
import ObjectFiles
import Store

/// Finds the related plugins of a slice: those that define a name that another one defines too, that define a name
/// twice, that a linker refuses by themselves, or that refer to a name of such plugins. All others can be left out of
/// an app's link: nothing collides with them, and they load nothing that does.
///
/// It compares hashes: two names with one hash may add a plugin, but never leave one out.
package struct SymbolIndex: Sendable {
  package struct Relations: Equatable, Sendable {
    package var shared: AdjacencyMatrix
    /// Numbers of plugins, sorted.
    package var related: [Int]
  }

  private typealias Name = (hash: UInt64, plugin: Int)

  /// The number of plugins.
  private let count: Int
  private let slice: Slice
  private let names: @Sendable (Int) -> SymbolNames

  /// `names` returns those of a plugin. It is called once or twice for each, and the names are released in between.
  package init(count: Int, for slice: Slice, names: @escaping @Sendable (Int) -> SymbolNames) {
    self.count = count
    self.slice = slice
    self.names = names
  }

  /// `known` are the relations of the same plugins before the `changed` ones changed.
  package func relations(known: AdjacencyMatrix? = nil, changed: [Int] = []) async -> Relations {
    let isUpdate = known?.count == count && SymbolIndex.areFew(changed.count, of: count)
    let (shared, undefined) = isUpdate ? await update(known ?? AdjacencyMatrix(count: count), changed) : await all()
    return Relations(shared: shared, related: await related(shared, undefined))
  }

  /// Whether only changed plugins are compared with the others: above an eighth, comparing all takes no longer.
  static func areFew(_ changed: Int, of count: Int) -> Bool { 8 * changed <= max(8, count) }

  // MARK: Shared names

  /// Compares all plugins with each other.
  private func all() async -> (shared: AdjacencyMatrix, undefined: [[UInt64]]) {
    let names = (0..<count).map(names)
    let tables = names.enumerated().flatMap { plugin, names in
      names.tables(for: slice).map { (plugin: plugin, names: names, table: $0.defined) }
    }
    let total = tables.reduce(0) { $0 + $1.table.count }
    // Few names are compared in one part.
    let parts = total < 1 << 16 ? 1 : 32
    var shared = AdjacencyMatrix(count: count)
    try? await inOrder(
      parts,
      { part in
        var shared = AdjacencyMatrix(count: count)
        // Names with one value of the uppermost 8 bits: about as many as fit into a processor's cache.
        for top in (256 / parts * part)..<(256 / parts * (part + 1)) {
          // Two filters find names that may be the same, which are then compared.
          var (seen, suspects) = (BloomFilter(count: total / 256), BloomFilter(count: total / 2048))
          var hashes: [UInt64] = []
          let ends = tables.map { table in
            table.names.append(top..<(top + 1), of: table.table, to: &hashes)
            return hashes.count
          }
          seen.insert(hashes, repeated: &suspects)
          var found: [Name] = []
          var table = 0
          for position in suspects.positions(of: hashes) {
            while ends[table] <= position { table += 1 }
            found.append((hashes[position], tables[table].plugin))
          }
          SymbolIndex.relate(&found, &shared)
        }
        return shared
      }, { shared.formUnion($0) })
    for (plugin, names) in names.enumerated() where names.isMisaligned(for: slice) { shared.relate(toItself: plugin) }
    return (shared, names.map { $0.undefined(for: slice) })
  }

  /// Compares the changed plugins with each other and with all others.
  private func update(
    _ known: AdjacencyMatrix, _ changed: [Int]
  ) async -> (shared: AdjacencyMatrix, undefined: [[UInt64]]) {
    let own = changed.map(names)
    let hashes = own.map { $0.defined(for: slice) }
    let ownCount = hashes.reduce(0) { $0 + $1.count }
    // All names of the others are looked up in the filter: with four times the room, hardly any pass that it does not
    // have.
    var (seen, suspects) = (BloomFilter(count: 4 * ownCount), BloomFilter(count: ownCount))
    for hashes in hashes { seen.insert(hashes, repeated: &suspects) }
    let isChanged = Set(changed)
    let others = (0..<count).filter { !isChanged.contains($0) }
    var undefined = [[UInt64]](repeating: [], count: count)
    var found: [Name] = []
    let filter = seen
    await forEach(
      others, { [slice] in ($0.defined(for: slice, in: filter), $0.undefined(for: slice)) },
      { plugin, names in
        found += names.0.map { ($0, plugin) }
        undefined[plugin] = names.1
      })
    for name in found { suspects.insert(name.hash) }
    for (index, plugin) in changed.enumerated() {
      found += own[index].defined(for: slice, in: suspects).map { ($0, plugin) }
      undefined[plugin] = own[index].undefined(for: slice)
    }
    var shared = known.without(changed)
    SymbolIndex.relate(&found, &shared)
    for (plugin, names) in zip(changed, own) where names.isMisaligned(for: slice) { shared.relate(toItself: plugin) }
    return (shared, undefined)
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
      // One library in two plugins has many names, which all make the same group.
      if group.count > 1, group != last {
        shared.relate(group)
        last = group
      }
    }
  }

  // MARK: References

  /// The plugins that share names, those that refer to a name of theirs, and so on: a reference decides what is loaded.
  private func related(_ shared: AdjacencyMatrix, _ undefined: [[UInt64]]) async -> [Int] {
    var new = shared.plugins
    var related = Set(new)
    while !new.isEmpty {
      let open = undefined.indices.filter { !related.contains($0) }
      var wanted = BloomFilter(count: open.reduce(0) { $0 + undefined[$1].count })
      for plugin in open { wanted.insert(undefined[plugin]) }
      var defined: Set<UInt64> = []
      let filter = wanted
      await forEach(new, { [slice] in $0.defined(for: slice, in: filter) }, { defined.formUnion($1) })
      // A filter comes first, because most names that plugins refer to are the system's.
      var hits = BloomFilter(count: defined.count)
      for hash in defined { hits.insert(hash) }
      new = open.filter { plugin in
        hits.positions(of: undefined[plugin]).contains { defined.contains(undefined[plugin][$0]) }
      }
      related.formUnion(new)
    }
    return related.sorted()
  }

  /// Works on several plugins at a time, and takes the results in their order.
  private func forEach<Part: Sendable>(
    _ plugins: [Int], _ work: @escaping @Sendable (SymbolNames) -> Part, _ take: (Int, Part) -> Void
  ) async {
    let names = names
    var taken = 0
    // One plugin takes some microseconds.
    try? await inParts(plugins, of: 8, { part in part.map { work(names($0)) } }) { parts in
      for part in parts {
        take(plugins[taken], part)
        taken += 1
      }
    }
  }
}
