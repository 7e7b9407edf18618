/// What of a plugin's sources can be in one app beside its finished libraries: what these were made of, as far as names tell,
/// would be there twice. The same of two sources.
struct SourceChoice: Sendable {
  private(set) var taken: [StarterFile] = []
  private(set) var leftOut: [(path: String, reason: String)] = []

  init(_ sources: [StarterFile], beside finished: [StarterFile], _ tree: StarterTree) {
    guard !sources.isEmpty else { return }
    let libraries = finished.map { (path: $0.path, names: BinaryNames($0, tree)) }
    // Of two with the same names the one with the shorter name.
    let order = sources.sorted { one, other in
      (one.name.utf8.count, one.path.utf8.count, one.path) < (other.name.utf8.count, other.path.utf8.count, other.path)
    }
    var kept: Set<String> = []
    var owners: [String: String] = [:]
    for file in order {
      let isCxx = [.source(.cxx), .source(.objcxx)].contains(file.kind)
      let names = SourceDefinitions(tree.text(file.path), isCxx: isCxx)
      let twice = names.conditional.filter { owners[$0] != nil }
      if let library = libraries.first(where: { $0.names.has(names) }) {
        leftOut.append((file.path, "compiled into \(library.path) already"))
      } else if twice.count * 2 >= names.conditional.count, let name = twice.min(), let owner = owners[name] {
        // Without conditions, and without what C++ has between parentheses.
        let word = name.prefix { $0 != "\n" && $0 != "(" }
        leftOut.append((file.path, "\(owner) defines \(word), too, and one library has it once: take one of the two"))
      } else {
        kept.insert(file.path)
        for name in names.conditional where owners[name] == nil { owners[name] = file.path }
      }
    }
    taken = sources.filter { kept.contains($0.path) }
  }

  /// Of Java: a class is compiled once. Source sets are alternatives, and the one of a host's new architecture needs what
  /// only the host's build generates.
  init(java sources: [StarterFile], _ survey: TreeSurvey) {
    func isNew(_ file: StarterFile) -> Bool {
      file.path.split(separator: "/").contains { ["newarch", "fabric", "turbo"].contains($0.lowercased()) }
    }
    var owners: [String: String] = [:]
    let order = sources.sorted { one, other in
      (isNew(one) ? 1 : 0, one.path.utf8.count, one.path) < (isNew(other) ? 1 : 0, other.path.utf8.count, other.path)
    }
    for file in order {
      let name = [survey.sources[file.path]?.package, String(file.name.dropLast(file.ending.count))]
        .compactMap(\.self).joined(separator: ".")
      if let owner = owners[name] {
        leftOut.append((file.path, "\(owner) is the class \(name), too: take one of the two"))
      } else {
        owners[name] = file.path
      }
    }
    let kept = Set(owners.values)
    taken = sources.filter { kept.contains($0.path) }
  }
}

extension TreeSurvey {
  /// Of some sources those that the first description names that names any of them; all, if none does.
  func named(
    _ sources: [StarterFile], by names: KeyPath<ProjectDescription, [String]>
  ) -> (kept: [StarterFile], leftOut: [(path: String, reason: String)]) {
    for description in descriptions {
      if names == \.sources, description.hasHeadersOnly {
        return ([], sources.map { ($0.path, "\(description.path) does not name it") })
      }
      let named = Set(description[keyPath: names])
      let kept = sources.filter { named.contains($0.path) }
      if kept.isEmpty { continue }
      let others = sources.filter { !named.contains($0.path) }
      return (kept, others.map { ($0.path, "\(description.path) does not name it") })
    }
    return (sources, [])
  }
}
