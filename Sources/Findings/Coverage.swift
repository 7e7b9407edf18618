/// The rules and families that judged and those that could not, collected from the judgement of each.
///
///     14 rules of mobilesmith checked
///     12 of 14 rules of mobilesmith checked; not: unprefixed-class (set its prefix), …
///     2 of 18 families of collisions checked: libraries, symbols; not: 16 others (nothing to compare)
package struct Coverage: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    /// The noun of a line: `rules of mobilesmith`.
    package let name: Words
    /// The owner, which tells parts apart: `mobilesmith`; empty for rules without an owner.
    package let owner: String
    /// The apps that it holds for, where the others of one run differ.
    package fileprivate(set) var apps: [String] = []
    /// For each rule or family, the reason why it could judge nothing; nil where it judged something.
    package fileprivate(set) var reasons: [String: String?]

    package init(name words: (one: String, many: String), owner: String, reasons: [String: String?]) {
      name = Words(one: words.one, many: words.many)
      self.owner = owner
      self.reasons = reasons
    }

    package struct Words: Hashable, Sendable {
      package let one: String
      package let many: String
    }

    /// Sorted.
    package var judged: [String] { reasons.filter { $0.value == nil }.keys.sorted() }
    /// Sorted by name.
    package var missing: [(name: String, reason: String)] {
      reasons.compactMap { name, reason in reason.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    }
  }

  package private(set) var parts: [Part] = []

  /// Joins parts of one owner.
  package init(_ parts: [Part] = []) {
    for part in parts { add(part) }
  }

  /// Adds one judgement of a rule or family, which counts as having judged if it judged at least once.
  package mutating func add<Found>(
    _ name: String, _ judgement: Judgement<Found>, of owner: String, called words: (one: String, many: String)
  ) {
    let reason: String?
    switch judgement {
    case .off: return
    case .cannot(let why): reason = why
    case .found: reason = nil
    }
    add(Part(name: words, owner: owner, reasons: [name: reason]))
  }

  package mutating func add(_ part: Part) {
    guard let index = parts.firstIndex(where: { $0.owner == part.owner }) else { return parts.append(part) }
    parts[index].reasons.merge(part.reasons) { old, new in old == nil || new == nil ? nil : old }
  }

  /// The coverage of several apps: one part for an owner if it is the same in all of them.
  package static func together(_ all: [(app: String?, coverage: Coverage)]) -> Coverage {
    var whole = Coverage()
    for (app, coverage) in all {
      for part in coverage.parts {
        let same = whole.parts.firstIndex { $0.owner == part.owner && $0.reasons == part.reasons }
        if same == nil { whole.parts.append(part) }
        whole.parts[same ?? whole.parts.count - 1].apps += app.map { [$0] } ?? []
      }
    }
    for index in whole.parts.indices where whole.parts[index].apps.count == all.count { whole.parts[index].apps = [] }
    return whole
  }

  /// One for each owner.
  package var lines: [String] { parts.map(\.line) }
  /// The lines of parts that have an owner.
  package var linesOfHosts: [String] { parts.filter { !$0.owner.isEmpty }.map(\.line) }
}

extension Coverage.Part {
  /// The name of the part for programs.
  var title: String {
    (owner.isEmpty ? name.many : owner) + (apps.isEmpty ? "" : " in \(apps.joined(separator: ", "))")
  }

  package var line: String {
    let rules = "\(counted(reasons.count, name.one, name.many)) checked"
    // A reason that several have is said once. Where many have one, those that judged are named instead.
    let groups = Dictionary(grouping: missing, by: \.reason)
    let areJudgedNamed = groups.values.contains { $0.count > Self.maxNames }
    let missing = groups.map { reason, group in
      let names = group.count > Self.maxNames ? ["\(group.count) others"] : group.map(\.name)
      return "\(names.joined(separator: ", ")) (\(reason))"
    }.sorted()
    let checked = areJudgedNamed && !judged.isEmpty ? ": \(judged.joined(separator: ", "))" : ""
    return (apps.isEmpty ? "" : "in \(apps.joined(separator: ", ")): ")
      + (missing.isEmpty ? rules : "\(judged.count) of \(rules)\(checked); not: \(missing.joined(separator: "; "))")
  }

  private static let maxNames = 6
}
