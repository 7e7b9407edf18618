package import Artifacts

/// Which artifacts have to do with each other: they define a name that another one defines too, or define it twice
/// themselves, or want a name of such artifacts. All others can be left out of an app's link: nothing collides with them,
/// and they load nothing that does.
package enum RelatedArtifacts {
  /// Numbers of `artifacts`, sorted. Two names of one hash may make it one more; never one less.
  package static func find(_ artifacts: [NameFacts], _ shared: SharedNames, for slice: Slice) -> [Int] {
    let names = artifacts.map { facts in facts.slices.filter { $0.slice.goes(with: slice) } }
    var new = shared.artifacts
    var related = Set(new)
    // Who wants what these define loads it, and may so decide what collides.
    while !new.isEmpty {
      let defined = new.flatMap { names[$0].flatMap(\.defined.hashes) }
      var filter = HashFilter(count: defined.count)
      for hash in defined { filter.insert(hash) }
      var wanting: [UInt64: [Int]] = [:]
      for (index, all) in names.enumerated() where !related.contains(index) {
        for hash in all.lazy.flatMap(\.wanted.hashes) where filter.mayContain(hash) {
          wanting[hash, default: []].append(index)
        }
      }
      // The filter says yes to some that nobody defines.
      var asked = HashFilter(count: wanting.count)
      for hash in wanting.keys { asked.insert(hash) }
      new = []
      for hash in defined where asked.mayContain(hash) {
        for index in wanting[hash] ?? [] where related.insert(index).inserted { new.append(index) }
      }
    }
    return related.sorted()
  }
}
