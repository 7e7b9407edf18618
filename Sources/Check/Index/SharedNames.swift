import Linking
package import Artifacts

/// Which of several artifacts define a name that another of them defines too, or define one twice.
package struct SharedNames: Sendable, Equatable {
  package let count: Int
  /// Of each artifact that shares names: with which ones, a bit each.
  package private(set) var rows: [Int: [UInt64]] = [:]

  /// `rows`: as they were kept. Nil if they are not for so many artifacts.
  package init?(count: Int, rows: [Int: [UInt64]] = [:]) {
    let width = (count + 63) / 64
    guard rows.allSatisfy({ $0.key < count && $0.value.count == width }) else { return nil }
    self.count = count
    self.rows = rows
  }

  private init(among count: Int) { self.count = count }

  func areRelated(_ a: Int, _ b: Int) -> Bool { (rows[a]?[b / 64] ?? 0) >> UInt64(b % 64) & 1 != 0 }

  /// Those that share names, sorted.
  var artifacts: [Int] { rows.keys.sorted() }

  private mutating func relate(_ group: some Collection<Int>) {
    var bits = [UInt64](repeating: 0, count: (count + 63) / 64)
    for index in group { bits[index / 64] |= 1 << UInt64(index % 64) }
    for index in group { add(bits, to: index, isOwn: false) }
  }

  /// A name that an artifact defines twice relates it to itself.
  private mutating func relate(toItself index: Int) {
    var bits = [UInt64](repeating: 0, count: (count + 63) / 64)
    bits[index / 64] |= 1 << UInt64(index % 64)
    add(bits, to: index, isOwn: true)
  }

  private mutating func add(_ bits: [UInt64], to index: Int, isOwn: Bool) {
    let had = areRelated(index, index)
    var row = rows[index] ?? [UInt64](repeating: 0, count: bits.count)
    for word in row.indices { row[word] |= bits[word] }
    if !isOwn, !had { row[index / 64] &= ~(1 << UInt64(index % 64)) }
    rows[index] = row
  }

  private mutating func add(_ other: SharedNames) {
    for (index, bits) in other.rows { add(bits, to: index, isOwn: true) }
  }

  /// Without what it says of these.
  private func without(_ gone: [Int]) -> SharedNames {
    var left = SharedNames(among: count)
    let isGone = Set(gone)
    for (index, row) in rows where !isGone.contains(index) {
      var row = row
      for other in gone { row[other / 64] &= ~(1 << UInt64(other % 64)) }
      if row.contains(where: { $0 != 0 }) { left.rows[index] = row }
    }
    return left
  }
}

// MARK: - Finding them

extension SharedNames {
  /// `known`: what was found of the same artifacts when all but the `changed` ones were as they are.
  package static func find(
    _ artifacts: [NameFacts], for slice: Slice, known: SharedNames? = nil, changed: [Int] = []
  ) async -> SharedNames {
    let runs = NameRun.runs(of: artifacts, for: slice)
    guard let known, known.count == artifacts.count, 8 * changed.count <= max(8, artifacts.count) else {
      return await all(runs, artifacts.count)
    }
    var shared = known
    if !changed.isEmpty { await shared.update(changed, runs) }
    return shared
  }

  private static func all(_ runs: [NameRun], _ count: Int) async -> SharedNames {
    let total = runs.reduce(0) { $0 + $1.nameCount }
    // What is little is done at once.
    let chunks = total < 1 << 16 ? 1 : 32
    var shared = SharedNames(among: count)
    try? await inOrder(
      chunks,
      { chunk in
        var part = SharedNames(among: count)
        part.search(runs, uppermost: (256 / chunks * chunk)..<(256 / chunks * (chunk + 1)), total)
        return part
      }, { shared.add($0) })
    for group in runs.flatMap(\.twins) { shared.relate(group) }
    return shared
  }

  /// Goes through the names with such uppermost bits, those with the same at a time: as much as fits into the processor's
  /// cache.
  private mutating func search(_ runs: [NameRun], uppermost: Range<Int>, _ total: Int) {
    let isWhole = uppermost.count == 256
    let step = isWhole ? 256 : 1
    var seen = BloomFilter(count: isWhole ? total : total / 256)
    var suspects = BloomFilter(count: isWhole ? total / 8 : total / 2048)
    var middles: [UInt32] = []
    for bits in stride(from: uppermost.lowerBound, to: uppermost.upperBound, by: step) {
      seen.removeAll()
      suspects.removeAll()
      middles.removeAll(keepingCapacity: true)
      let parts = runs.map { $0.appendMiddles(uppermost: bits..<(bits + step), to: &middles) }
      for middle in middles {
        let spread = SharedNames.spread(middle)
        if seen.mayContain(spread) { suspects.insert(spread) } else { seen.insert(spread) }
      }
      // What looked like a name that came before may be another one: now they are compared.
      var found: [SharedName] = []
      var place = 0
      for (run, names) in zip(runs, parts) {
        for name in names {
          if suspects.mayContain(SharedNames.spread(middles[place])) { run.append(name, to: &found) }
          place += 1
        }
      }
      relate(&found)
    }
  }

  /// All bits of a part of a hash, where `BloomFilter` looks for them.
  @inline(__always)
  private static func spread(_ middle: UInt32) -> UInt64 { UInt64(middle) &* 0x9E37_79B9_7F4A_7C15 }

  private mutating func relate(_ found: inout [SharedName]) {
    found.sort { ($0.hash, $0.artifact) < ($1.hash, $1.artifact) }
    var start = 0
    var last: [Int] = []
    while start < found.count {
      var end = start + 1
      var group = [found[start].artifact]
      while end < found.count, found[end].hash == found[start].hash {
        let artifact = found[end].artifact
        if artifact != group[group.count - 1] {
          group.append(artifact)
        } else if !areRelated(artifact, artifact) {
          relate(toItself: artifact)
        }
        end += 1
      }
      start = end
      // One library in two artifacts has many names.
      if group.count > 1, group != last {
        relate(group)
        last = group
      }
    }
  }

  /// Looks what some artifacts that have changed have in common with each other, and each with all others.
  private mutating func update(_ changed: [Int], _ runs: [NameRun]) async {
    self = without(changed)
    var isChanged = [Bool](repeating: false, count: count)
    for artifact in changed { isChanged[artifact] = true }
    let names = runs.flatMap { $0.names(of: isChanged) }
    var found = await NameRun.find(names.lazy.map(\.hash), in: runs).filter { !isChanged[$0.artifact] }
    var (seen, common) = (BloomFilter(count: names.count), BloomFilter(count: names.count / 8 + found.count))
    for name in found { common.insert(name.hash) }
    for name in names {
      if seen.mayContain(name.hash) { common.insert(name.hash) } else { seen.insert(name.hash) }
    }
    found += names.filter { common.mayContain($0.hash) }
    relate(&found)
  }
}
