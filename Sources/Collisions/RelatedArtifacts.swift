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
      let others = names.indices.filter { !related.contains($0) }
      var marks = HashMarks()
      for index in others { for hash in names[index].lazy.flatMap(\.wanted.hashes) { marks.insert(hash) } }
      // Of what these define, what somebody may want.
      var offered: Set<UInt64> = []
      var numbers: [Int] = []
      for run in new.flatMap({ names[$0].map(\.defined) }) {
        numbers.removeAll(keepingCapacity: true)
        run.appendNumbers(marked: marks.coarse, marks.fine, to: &numbers)
        for number in numbers { offered.insert(run.hash(of: number)) }
      }
      if offered.isEmpty { break }
      new = others.filter { index in names[index].contains { $0.wanted.hashes.contains(where: offered.contains) } }
      related.formUnion(new)
    }
    return related.sorted()
  }
}
