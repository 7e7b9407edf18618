package import Artifacts

/// Which artifacts have to do with each other: they define a name that another one defines too, or define it twice
/// themselves, or want a name of such artifacts. All others can be left out of an app's link: nothing collides with them,
/// and they load nothing that does.
package enum RelatedArtifacts {
  /// Numbers of `artifacts`, sorted. Two names of one hash may make it one more; never one less.
  package static func find(_ artifacts: [NameFacts], for slice: Slice) -> [Int] {
    let names = artifacts.map { facts in facts.slices.filter { $0.slice.goes(with: slice) } }
    let runs = names.enumerated().flatMap { index, all in all.map { (artifact: index, hashes: $0.defined) } }
    var isRelated = [Bool](repeating: false, count: artifacts.count)
    mark(&isRelated, runs)
    // Who wants what these define loads it, and may so decide what collides.
    var new = isRelated.indices.filter { isRelated[$0] }
    while !new.isEmpty {
      let defined = new.flatMap { names[$0].map(\.defined) }
      let filter = HashBits(of: defined)
      var wanting: [UInt64: [Int]] = [:]
      for (index, all) in names.enumerated() where !isRelated[index] {
        for hash in all.lazy.map(\.wanted).joined() where filter.mayContain(hash) {
          wanting[hash, default: []].append(index)
        }
      }
      // The filter says yes to some that nobody defines.
      let asked = HashBits(of: [Array(wanting.keys)])
      new = []
      for hash in defined.joined() where asked.mayContain(hash) {
        for index in wanting[hash] ?? [] where !isRelated[index] {
          isRelated[index] = true
          new.append(index)
        }
      }
    }
    return isRelated.indices.filter { isRelated[$0] }
  }

  /// The upper bits of a hash say in which part it is looked at: a part of all runs fits into the processor's cache.
  private static let partBits: UInt64 = 8

  private static func mark(_ isRelated: inout [Bool], _ runs: [(artifact: Int, hashes: [UInt64])]) {
    var places = [Int](repeating: 0, count: runs.count)
    var ends = places
    var seen = HashBits(bits: 20)
    var suspects = HashBits(bits: 15)
    for part in 0..<(UInt64(1) << partBits) {
      let limit = part + 1 == 1 << partBits ? nil : (part + 1) << (64 - partBits)
      seen.removeAll()
      suspects.removeAll()
      for (run, content) in runs.enumerated() {
        let hashes = content.hashes
        var place = places[run]
        while place < hashes.count, limit.map({ hashes[place] < $0 }) ?? true {
          if seen.mayContain(hashes[place]) { suspects.insert(hashes[place]) }
          seen.insert(hashes[place])
          place += 1
        }
        ends[run] = place
      }
      // What looked like a hash that came before may be another one: now they are compared.
      var owners: [UInt64: Int] = [:]
      for (run, content) in runs.enumerated() {
        for hash in content.hashes[places[run]..<ends[run]] where suspects.mayContain(hash) {
          if let owner = owners[hash] {
            isRelated[owner] = true
            isRelated[content.artifact] = true
          } else {
            owners[hash] = content.artifact
          }
        }
        places[run] = ends[run]
      }
    }
  }
}

/// A set of hashes that may say yes for one that is not in it.
private struct HashBits {
  private var words: [UInt64]
  private let mask: Int

  /// `bits`: the exponent of its size in bits.
  init(bits: Int) {
    words = [UInt64](repeating: 0, count: 1 << (bits - 6))
    mask = (1 << bits) - 1
  }

  /// Says yes for about one in thirty others.
  init(of runs: [[UInt64]]) {
    let count = runs.reduce(0) { $0 + $1.count }
    self.init(bits: max(10, count.bitWidth - count.leadingZeroBitCount + 5))
    for hash in runs.joined() { insert(hash) }
  }

  mutating func removeAll() { for index in words.indices { words[index] = 0 } }

  mutating func insert(_ hash: UInt64) {
    let bit = Int(truncatingIfNeeded: hash) & mask
    words[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  func mayContain(_ hash: UInt64) -> Bool {
    let bit = Int(truncatingIfNeeded: hash) & mask
    return words[bit >> 6] & 1 << UInt64(bit & 63) != 0
  }
}
