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
  /// The hashes of the names that an artifact defines.
  private typealias Run = (artifact: Int, hashes: HashRun)

  /// `known`: what was found of the same artifacts when all but the `changed` ones were as they are.
  package static func find(
    _ artifacts: [NameFacts], for slice: Slice, known: SharedNames? = nil, changed: [Int] = []
  ) async -> SharedNames {
    let runs = artifacts.enumerated().flatMap { index, facts in
      facts.slices.filter { $0.slice.goes(with: slice) }.map { Run(index, $0.defined) }
    }
    guard let known, known.count == artifacts.count, changed.count < artifacts.count / 8 else {
      return await all(runs, artifacts.count)
    }
    if changed.isEmpty { return known }
    let isChanged = Set(changed)
    let (new, old) = (
      runs.filter { isChanged.contains($0.artifact) }, runs.filter { !isChanged.contains($0.artifact) }
    )
    var shared = known.without(changed)
    shared.add(await all(new, artifacts.count))
    shared.add(await between(new, old, artifacts.count))
    return shared
  }

  private static func all(_ runs: [Run], _ count: Int) async -> SharedNames {
    let total = runs.reduce(0) { $0 + $1.hashes.count }
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
    return shared
  }

  /// Of a run: those of its hashes that are looked at, by number.
  private struct Part {
    let artifact: Int
    let hashes: HashRun
    let first: Int
    /// In the copy of the upper bits of all runs.
    let start: Int
    let end: Int
    /// How far they have been looked at.
    var place: Int
  }

  /// Goes through the hashes with such uppermost bits, those with the same at a time: as much as fits into the
  /// processor's cache.
  private mutating func search(_ runs: [Run], uppermost: Range<Int>, _ total: Int) {
    var upper: [UInt32] = []
    upper.reserveCapacity(total / 256 * uppermost.count + 1024)
    var parts: [Part] = []
    for run in runs {
      let numbers = run.hashes.count(below: uppermost.lowerBound)..<run.hashes.count(below: uppermost.upperBound)
      if numbers.isEmpty { continue }
      let start = upper.count
      run.hashes.appendUpper(numbers, to: &upper)
      parts.append(
        Part(
          artifact: run.artifact, hashes: run.hashes, first: numbers.lowerBound, start: start, end: upper.count,
          place: start))
    }
    let isWhole = uppermost.count == 256
    var seen = HashFilter(count: isWhole ? total : total / 256)
    var suspects = HashFilter(count: isWhole ? total / 8 : total / 2048)
    for bits in isWhole ? 255..<256 : uppermost {
      seen.removeAll()
      suspects.removeAll()
      let starts = parts.map(\.place)
      for index in parts.indices {
        var place = parts[index].place
        let end = parts[index].end
        while place < end, upper[place] >> 24 <= UInt32(bits) {
          let spread = SharedNames.spread(upper[place])
          if seen.mayContain(spread) { suspects.insert(spread) } else { seen.insert(spread) }
          place += 1
        }
        parts[index].place = place
      }
      // What looked like a hash that came before may be another one: now they are compared.
      var found: [(hash: UInt64, artifact: Int)] = []
      for index in parts.indices {
        for place in starts[index]..<parts[index].place where suspects.mayContain(SharedNames.spread(upper[place])) {
          let part = parts[index]
          found.append((part.hashes.hash(of: part.first + place - part.start), part.artifact))
        }
      }
      relate(&found)
    }
  }

  /// All bits of a hash's upper half, where `HashFilter` looks for them.
  @inline(__always)
  private static func spread(_ upper: UInt32) -> UInt64 { UInt64(upper) &* 0x9E37_79B9_7F4A_7C15 }

  private mutating func relate(_ found: inout [(hash: UInt64, artifact: Int)]) {
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

  /// What each of a few has in common with each of the others.
  private static func between(_ few: [Run], _ others: [Run], _ count: Int) async -> SharedNames {
    // Nearly every hash has one owner only.
    var owners: [UInt64: Int] = [:]
    owners.reserveCapacity(few.reduce(0) { $0 + $1.hashes.count })
    var otherOwners: [UInt64: [Int]] = [:]
    var marks = HashMarks()
    for run in few {
      for hash in run.hashes.hashes {
        marks.insert(hash)
        let first = owners.updateValue(run.artifact, forKey: hash)
        if let first, first != run.artifact { otherOwners[hash, default: []].append(first) }
      }
    }
    let (known, more, marked) = (owners, otherOwners, marks)
    let chunks = min(others.count, 16)
    var shared = SharedNames(among: count)
    try? await inOrder(
      chunks,
      { chunk in
        var part = SharedNames(among: count)
        var numbers: [Int] = []
        for run in others[(chunk * others.count / chunks)..<((chunk + 1) * others.count / chunks)] {
          numbers.removeAll(keepingCapacity: true)
          run.hashes.appendNumbers(marked: marked.coarse, marked.fine, to: &numbers)
          for number in numbers {
            let hash = run.hashes.hash(of: number)
            guard let owner = known[hash] else { continue }
            for owner in [owner] + (more[hash] ?? []) where !part.areRelated(owner, run.artifact) {
              part.relate([owner, run.artifact])
            }
          }
        }
        return part
      }, { shared.add($0) })
    return shared
  }
}
