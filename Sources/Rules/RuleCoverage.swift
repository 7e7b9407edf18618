package import Artifacts
package import Findings

/// Which rules of a host have judged what was made or linted, and which could not.
///
///     14 rules of mobilesmith checked
///     12 of 14 rules of mobilesmith checked; not: unprefixed-class (set its prefix), …
package struct RuleCoverage: Sendable {
  private var hosts: [Host] = []

  private struct Host: Sendable {
    let name: String
    /// Why each could not judge anything; nil if it could.
    var rules: [RuleID: String?] = [:]
  }

  package init() {}

  /// One artifact was judged by these settings. `host`: nil if no recipe has made them; `hasApp`: the app that contains
  /// an extension was known.
  package mutating func add(
    _ host: String?, _ settings: [RuleID: RuleSettings], of kind: ArtifactKind, configuration: Configuration?,
    hasApp: Bool = false
  ) {
    guard let host else { return }
    let index = hosts.firstIndex { $0.name == host } ?? hosts.count
    if index == hosts.count { hosts.append(Host(name: host)) }
    for rule in AllRules.all where rule.isFor(kind) {
      let own = AllRules.settings(of: rule, settings)
      guard own.level != .off else { continue }
      let obstacle =
        rule.needsApp && !hasApp
        ? "the app that contains it is not known: --app, or app: in the manifest"
        : rule.obstacle(own, configuration: configuration)
      if obstacle == nil || hosts[index].rules[rule.id] == nil { hosts[index].rules[rule.id] = .some(obstacle) }
    }
  }

  /// One for each host.
  package var lines: [String] {
    hosts.map { host in
      let missing = host.rules.compactMap { id, reason in reason.map { "\(id) (\($0))" } }.sorted()
      let count = host.rules.count
      let rules = "\(count) \(count == 1 ? "rule" : "rules") of \(host.name) checked"
      return missing.isEmpty
        ? rules : "\(count - missing.count) of \(rules); not: \(missing.joined(separator: ", "))"
    }
  }
}
