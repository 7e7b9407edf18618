/// Which rules and families judged and which could not, put together from what each of them answered.
///
///     14 rules of mobilesmith checked
///     12 of 14 rules of mobilesmith checked; not: unprefixed-class (set its prefix), …
package struct Coverage: Sendable {
  package struct Part: Sendable {
    /// What a line calls them: `rules of mobilesmith`.
    package let name: (one: String, many: String)
    /// Whose they are, by which parts are told apart: `mobilesmith`.
    package let owner: String
    /// The apps of which it is said, where the others of one run differ.
    package fileprivate(set) var apps: [String] = []
    /// By rule or family, why it could judge nothing; nil where it judged something.
    package fileprivate(set) var reasons: [String: String?] = [:]

    /// Sorted.
    package var judged: [String] { reasons.filter { $0.value == nil }.keys.sorted() }
    /// Sorted by name.
    package var missing: [(name: String, reason: String)] {
      reasons.compactMap { name, reason in reason.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    }
  }

  package private(set) var parts: [Part] = []

  package init() {}

  /// One answer of a rule or family. It counts as having judged if it judged at least once.
  package mutating func add<Found>(
    _ name: String, _ judgement: Judgement<Found>, of owner: String, called words: (one: String, many: String)
  ) {
    let reason: String?
    switch judgement {
    case .off: return
    case .cannot(let why): reason = why
    case .found: reason = nil
    }
    let index = parts.firstIndex { $0.owner == owner } ?? parts.count
    if index == parts.count { parts.append(Part(name: words, owner: owner)) }
    if reason == nil || parts[index].reasons[name] == nil { parts[index].reasons[name] = .some(reason) }
  }

  /// What was judged in several apps: one part for an owner if it is the same in all of them.
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
  package var lines: [String] {
    parts.map { part in
      let apps = part.apps.isEmpty ? "" : "in \(part.apps.joined(separator: ", ")): "
      let count = part.reasons.count
      let rules = counted(count, part.name.one, part.name.many) + " checked"
      let missing = part.missing.map { "\($0.name) (\($0.reason))" }
      return apps
        + (missing.isEmpty ? rules : "\(count - missing.count) of \(rules); not: \(missing.joined(separator: ", "))")
    }
  }
}
