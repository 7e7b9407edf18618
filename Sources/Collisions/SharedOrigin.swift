/// Names that are defined twice because several plugins carry the same third-party library: all of them are one thing to
/// tell, and one to mend. Known by structure alone: the same artifacts, in object files of the same names.
package struct SharedOrigin: Hashable, Sendable {
  package struct Site: Hashable, Sendable {
    /// As whoever asks numbers the artifacts.
    package var artifact: Int
    /// Nil outside of a static library.
    package var member: String?

    package init(artifact: Int, member: String?) {
      self.artifact = artifact
      self.member = member
    }
  }

  package struct Name: Hashable, Sendable {
    package var name: String
    package var sites: [Site]
    package var comparison: DefinitionComparison.Result

    package init(_ name: String, _ sites: [Site], _ comparison: DefinitionComparison.Result) {
      self.name = name
      self.sites = sites
      self.comparison = comparison
    }
  }

  /// An object file that all the artifacts have.
  package struct Member: Hashable, Sendable {
    /// In the order of the artifacts; the same name for all, unless this origin is one object file only.
    package var names: [String?]
    /// How many of the shared names it defines.
    package var count = 0
    /// Over these names: different if any is, the same if all are.
    package var comparison = DefinitionComparison.Result.same
  }

  /// In rising order.
  package var artifacts: [Int]
  /// In the order of their names.
  package var members: [Member]
  /// In the order of their bytes: by number in what was grouped.
  package var names: [Int]
  package var sameCount = 0
  package var differentCount = 0
  package var unknownCount = 0

  /// Whether the artifacts carry different versions: that all is the same is not even possible.
  package var differs: Bool { differentCount > 0 }

  /// The one with the most names comes first.
  package static func groups(_ names: [Name]) -> [SharedOrigin] {
    var groups: [Key: [Int]] = [:]
    // Names of one place mostly follow one another.
    var last: (sites: [Site], key: Key)?
    for index in names.indices {
      if last?.sites != names[index].sites { last = (names[index].sites, Key(names[index])) }
      if let last { groups[last.key, default: []].append(index) }
    }
    return groups.map { SharedOrigin($0.key, $0.value, names) }.sorted { a, b in
      if a.names.count != b.names.count { return a.names.count > b.names.count }
      if a.artifacts != b.artifacts { return a.artifacts.lexicographicallyPrecedes(b.artifacts) }
      guard let first = a.names.first, let second = b.names.first else { return false }
      let texts = (names[first].name, names[second].name)
      return texts.0.utf8.elementsEqual(texts.1.utf8)
        ? first < second : texts.0.utf8.lexicographicallyPrecedes(texts.1.utf8)
    }
  }

  private struct Key: Hashable {
    var artifacts: [Int]
    /// Of object files whose names differ: nothing but these belongs together.
    var members: [String?]

    init(_ name: Name) {
      let sites = name.sorted
      artifacts = sites.map(\.artifact)
      let members = sites.map(\.member)
      self.members = members.allSatisfy { $0 == members[0] && $0 != nil } ? [] : members
    }
  }

  private init(_ key: Key, _ indices: [Int], _ all: [Name]) {
    artifacts = key.artifacts
    let texts = indices.map { (name: Array(all[$0].name.utf8), index: $0) }
    names = texts.sorted { a, b in
      a.name == b.name ? a.index < b.index : a.name.lexicographicallyPrecedes(b.name)
    }.map(\.index)
    var found: [[String?]: Member] = [:]
    var last: (sites: [Site], member: Member)?
    for index in names {
      if last?.sites != all[index].sites {
        if let last { found[last.member.names] = last.member }
        let members = all[index].sorted.map(\.member)
        last = (all[index].sites, found[members] ?? Member(names: members))
      }
      last?.member.count += 1
      let comparison = all[index].comparison
      if comparison == .different || comparison == .unknown && last?.member.comparison == .same {
        last?.member.comparison = comparison
      }
      switch comparison {
      case .same: sameCount += 1
      case .different: differentCount += 1
      case .unknown: unknownCount += 1
      }
    }
    if let last { found[last.member.names] = last.member }
    members = found.values.sorted { a, b in
      let texts = (a.names.map { $0 ?? "" }, b.names.map { $0 ?? "" })
      return texts.0.lexicographicallyPrecedes(texts.1) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
  }
}

extension SharedOrigin.Name {
  /// By artifact, then by member.
  fileprivate var sorted: [SharedOrigin.Site] {
    sites.sorted { a, b in
      a.artifact != b.artifact
        ? a.artifact < b.artifact : (a.member ?? "").utf8.lexicographicallyPrecedes((b.member ?? "").utf8)
    }
  }
}
