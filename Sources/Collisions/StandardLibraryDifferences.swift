package import Findings
import Linking

/// Templates and inline functions of the C++ standard library that two plugins have differently: those of the SDKs with
/// which they were compiled. That is said once for each two plugins, as nobody will do anything about a single name.
package struct StandardLibraryDifferences {
  private struct Pair: Hashable {
    var first: Place
    var second: Place
  }

  private var names: [Pair: [String]] = [:]
  private var order: [Pair] = []

  package init() {}

  /// `results`: of each definition, against the first. False if it is no such name, or the linker speaks of it.
  package mutating func add(
    _ collision: Collision, _ results: [DefinitionComparison.Result], place: (String) -> Place
  ) -> Bool {
    guard case .silent = collision.verdict, collision.definitions.allSatisfy({ $0.kind == .weak }),
      CompilerName.isStandardLibrary(collision.name), let first = collision.definitions.first
    else { return false }
    for (definition, result) in zip(collision.definitions, results) where result == .different {
      let (one, other) = (place(first.place.file), place(definition.place.file))
      let isOnePlugin = one.parts.first == other.parts.first
      let pair = Pair(
        first: isOnePlugin ? one : Place(parts: Array(one.parts.prefix(1))),
        second: isOnePlugin ? other : Place(parts: Array(other.parts.prefix(1))))
      if names[pair] == nil { order.append(pair) }
      names[pair, default: []].append(collision.name)
    }
    return true
  }

  package func findings(slice: String) -> [CollisionFinding] {
    order.map { pair in
      let all = names[pair] ?? []
      let count = all.count == 1 ? "1 template or inline function" : "\(all.count) templates and inline functions"
      var finding = CollisionFinding(
        "odr-violation", .silent, slice: slice, name: "std",
        sites: [pair.first, pair.second].map { CollisionFinding.Site(artifact: $0, kind: "weak") },
        message: "\(count) of the C++ standard library differ, as those of two SDKs do: the first are taken, silently",
        hint: "nothing to do as long as they exchange no C++ objects; else build both with one version of Xcode",
        identical: false,
        notes: [all.prefix(3).joined(separator: ", ") + (all.count > 3 ? " and \(all.count - 3) more" : "")])
      finding.level = .note
      return finding
    }
  }
}
