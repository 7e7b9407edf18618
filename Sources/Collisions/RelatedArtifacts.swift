package import Artifacts

/// Which artifacts have to do with each other: they define a name that another one defines too, or define it twice
/// themselves, or want a name of such artifacts. All others can be left out of an app's link: nothing collides with them,
/// and they load nothing that does.
package enum RelatedArtifacts {
  /// Numbers of `artifacts`, sorted. Two names of one hash may make it one more; never one less.
  package static func find(_ artifacts: [NameFacts], _ shared: SharedNames, for slice: Slice) -> [Int] {
    let wanted = artifacts.map { $0.wanted(for: slice) }
    let runs = NameRun.runs(of: artifacts, for: slice)
    var new = shared.artifacts
    var related = Set(new)
    // Who wants what these define loads it, and may so decide what collides.
    while !new.isEmpty {
      let others = wanted.indices.filter { !related.contains($0) }
      let names = Array(Set(others.lazy.flatMap { wanted[$0] }))
      var isNew = [Bool](repeating: false, count: wanted.count)
      for artifact in new { isNew[artifact] = true }
      let offered = Set(runs.lazy.flatMap { $0.find(names[...]) }.filter { isNew[$0.artifact] }.map(\.hash))
      if offered.isEmpty { break }
      new = others.filter { wanted[$0].contains(where: offered.contains) }
      related.formUnion(new)
    }
    return related.sorted()
  }
}
