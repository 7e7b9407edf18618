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
    let table: SymbolNames.Table
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
      return await union { shared, top in repeated(top, total / 256, &shared) }
    }
    if changed.isEmpty { return known }
    let gone = Set(changed)
    let isChanged = (0..<count).map { gone.contains($0) }
    var shared = known.without(changed)
    shared.formUnion(await union { shared, top in common(top, isChanged, &shared) })
    return shared
  }

  /// What is found in the names with each value of the uppermost 8 bits: as many as fit into a processor's cache.
  private func union(_ search: @escaping @Sendable (inout AdjacencyMatrix, _ top: Int) -> Void) async -> AdjacencyMatrix {
    let found = await inParts { tops in
      var part = AdjacencyMatrix(count: count)
      for top in tops { search(&part, top) }
      return part
    }
    return found.reduce(into: AdjacencyMatrix(count: count)) { $0.formUnion($1) }
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
    var middles: [UInt32] = []
    let ends = SymbolIndex.append(defined, top, to: &middles)
    for middle in middles {
      let spread = SymbolIndex.spread(middle)
      if seen.mayContain(spread) { suspects.insert(spread) } else { seen.insert(spread) }
    }
    var found = SymbolIndex.names(defined, top, middles, ends) { suspects.mayContain($0) }
    SymbolIndex.relate(&found, &shared)
  }

  /// Relates plugins that have changed to each other, and each to all others.
  private func common(_ top: Int, _ isChanged: [Bool], _ shared: inout AdjacencyMatrix) {
    let (changed, others) = (defined.filter { isChanged[$0.plugin] }, defined.filter { !isChanged[$0.plugin] })
    var own: [UInt32] = []
    let ownEnds = SymbolIndex.append(changed, top, to: &own)
    var (seen, suspects) = (BloomFilter(count: own.count), BloomFilter(count: own.count))
    for middle in own {
      let spread = SymbolIndex.spread(middle)
      if seen.mayContain(spread) { suspects.insert(spread) } else { seen.insert(spread) }
    }
    var middles: [UInt32] = []
    let ends = SymbolIndex.append(others, top, to: &middles)
    var found = SymbolIndex.names(others, top, middles, ends) { seen.mayContain($0) }
    for name in found { suspects.insert(SymbolIndex.spread(UInt32(truncatingIfNeeded: name.hash >> 8))) }
    found += SymbolIndex.names(changed, top, own, ownEnds) { suspects.mayContain($0) }
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
    var new = shared.plugins
    if new.isEmpty { return [] }
    // Who refers to a name loads what defines it, and may so decide what collides.
    var definers: [Int: Set<UInt64>] = [:]
    var referrers: [UInt64: [Int]] = [:]
    for part in await inParts({ tops in tops.map(references) }).joined() {
      for name in part.definitions { definers[name.plugin, default: []].insert(name.hash) }
      for name in part.references { referrers[name.hash, default: []].append(name.plugin) }
    }
    var related = Set(new)
    while let plugin = new.popLast() {
      for name in definers[plugin] ?? [] {
        for other in referrers.removeValue(forKey: name) ?? [] where related.insert(other).inserted {
          new.append(other)
        }
      }
    }
    return related.sorted()
  }

  /// Names that one plugin defines and another refers to, and a few more. Most names that plugins refer to are the system's.
  private func references(_ top: Int) -> (definitions: [Name], references: [Name]) {
    var middles: [UInt32] = []
    let ends = SymbolIndex.append(undefined, top, to: &middles)
    if middles.isEmpty { return ([], []) }
    var wanted = BloomFilter(count: middles.count)
    for middle in middles { wanted.insert(SymbolIndex.spread(middle)) }
    var own: [UInt32] = []
    let ownEnds = SymbolIndex.append(defined, top, to: &own)
    let definitions = SymbolIndex.names(defined, top, own, ownEnds) { wanted.mayContain($0) }
    var hits = BloomFilter(count: definitions.count)
    for name in definitions { hits.insert(SymbolIndex.spread(UInt32(truncatingIfNeeded: name.hash >> 8))) }
    return (definitions, SymbolIndex.names(undefined, top, middles, ends) { hits.mayContain($0) })
  }

  // MARK: Names of tables

  /// All bits of a part of a hash, where `BloomFilter` looks for them.
  @inline(__always)
  private static func spread(_ middle: UInt32) -> UInt64 { UInt64(middle) &* 0x9E37_79B9_7F4A_7C15 }

  /// Bits 8 to 39 of the hashes with such uppermost 8 bits. Gives where those of each table end.
  private static func append(_ tables: [Table], _ top: Int, to middles: inout [UInt32]) -> [Int] {
    tables.map { table in
      table.names.withReader { $0.appendMiddles(top, of: table.table, to: &middles) }
      return middles.count
    }
  }

  /// The names of which the spread bits are wanted.
  @inline(__always)
  private static func names(
    _ tables: [Table], _ top: Int, _ middles: [UInt32], _ ends: [Int], where isWanted: (UInt64) -> Bool
  ) -> [Name] {
    var found: [Name] = []
    var place = 0
    for (table, end) in zip(tables, ends) {
      let start = place
      while place < end {
        if isWanted(spread(middles[place])) {
          let hash = table.names.withReader { reader in
            reader.hash(reader.names(top, of: table.table).lowerBound + place - start, top, of: table.table)
          }
          found.append((hash, table.plugin))
        }
        place += 1
      }
    }
    return found
  }
}
