package import Artifacts

/// Which artifacts have to do with each other: they define a name that another one defines too, or define it twice
/// themselves, or want a name of such artifacts. All others can be left out of an app's link: nothing collides with them,
/// and they load nothing that does.
package enum RelatedArtifacts {
  /// Numbers of `artifacts`, sorted. Two names of one hash may make it one more; never one less.
  package static func find(_ artifacts: [NameFacts], _ shared: SharedNames, for slice: Slice) async -> [Int] {
    var new = shared.artifacts
    if new.isEmpty { return [] }
    let wanted = artifacts.map { $0.wanted(for: slice) }
    let found = await NameRun.find(Set(wanted.joined()), in: NameRun.runs(of: artifacts, for: slice))
    var offers: [Int: Set<UInt64>] = [:]
    for (name, artifact) in found { offers[artifact, default: []].insert(name) }
    // Most names that plugins want are the system's.
    var wanters = Dictionary(found.map { ($0.hash, [Int]()) }) { first, _ in first }
    for (index, names) in wanted.enumerated() {
      for name in names { wanters[name]?.append(index) }
    }
    // Who wants what these define loads it, and may so decide what collides.
    var related = Set(new)
    while let artifact = new.popLast() {
      for name in offers[artifact] ?? [] {
        for other in wanters.removeValue(forKey: name) ?? [] where related.insert(other).inserted { new.append(other) }
      }
    }
    return related.sorted()
  }
}
