package import Findings

/// The command line's judgement of findings: levels over the manifest's, `--strict`, and accepted findings.
package struct FindingPolicy: Sendable {
  private let levels: [RuleID: Level]
  private let strict: Bool
  private let baseline: Baseline?
  private let suppressions: Suppressions?
  /// The app that is judged, if there are several.
  private var app: String?

  /// `levels` are `RULE=LEVEL`; `baseline` holds accepted findings.
  package init(
    levels: [String] = [], strict: Bool = false, baseline: Baseline? = nil, suppressions: Suppressions? = nil
  ) throws(Mistakes) {
    var parsed: [RuleID: Level] = [:]
    for text in levels {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      let hint = "RULE=off, note, warning or error; npi-pack recipes rule lists the rules"
      guard parts.count == 2, let level = Level(rawValue: parts[1]) else {
        throw Mistakes("--level \(text): not a rule and a level", hint: hint)
      }
      guard RuleCatalogue.entry(RuleID(rawValue: parts[0])) != nil else {
        throw Mistakes("--level \(text): there is no such rule", hint: RuleCatalogue.suggestion(for: parts[0]))
      }
      parsed[RuleID(rawValue: parts[0])] = level
    }
    self.levels = parsed
    self.strict = strict
    self.baseline = baseline
    self.suppressions = suppressions
  }

  /// The levels that the command line sets, as it does; nil if findings are compared with those that were accepted.
  package var commandLine: (levels: [String], isStrict: Bool)? {
    guard baseline == nil, suppressions == nil else { return nil }
    return (levels.map { "\($0.key)=\($0.value.rawValue)" }.sorted(), strict)
  }

  /// A manifest's settings with the command line's levels over them; every rule is in the result.
  package func settings(_ rules: [RuleID: RuleSettings]) -> [RuleID: RuleSettings] {
    var result: [RuleID: RuleSettings] = [:]
    for rule in AllRules.all {
      var settings = AllRules.settings(of: rule, rules)
      settings.level = level(of: rule.id, rules, otherwise: settings.level)
      result[rule.id] = settings
    }
    return result
  }

  /// The level that the command line or the manifest sets; `otherwise` if neither does.
  package func level(of id: RuleID, _ rules: [RuleID: RuleSettings], otherwise: Level) -> Level {
    let level = levels[id] ?? rules[id]?.level ?? otherwise
    return strict && level == .warning ? .error : level
  }

  /// The levels of rules that `settings` does not have, because they do not look at artifacts.
  package func otherLevels(_ rules: [RuleID: RuleSettings]) -> [String] {
    let ids = Set(levels.keys).union(rules.keys).subtracting(AllRules.all.map { $0.id })
    return ids.map { "\($0) \(level(of: $0, rules, otherwise: .error).rawValue)" }.sorted()
  }

  /// The findings without their accepted parts.
  package func unaccepted(_ findings: [Finding]) -> [Finding] {
    guard acceptsAny else { return findings }
    return findings.compactMap { finding in
      let identities = finding.identities
      let left = identities.filter { !isAccepted($0) }
      guard !left.isEmpty else { return nil }
      var finding = finding
      if left.count < identities.count {
        finding.notes.append("not accepted: \(listed(left.map(\.name)))")
      }
      finding.notes += [ended(identities)].compactMap(\.self)
      return finding
    }
  }

  /// The note on something that was suppressed until a day that has passed.
  package func ended(_ identities: [FindingIdentity]) -> String? { suppressions?.ended(identities) }

  /// Whether anything can be accepted; otherwise callers need not make findings to ask.
  package var acceptsAny: Bool { baseline != nil || suppressions != nil }

  package func isAccepted(_ identity: FindingIdentity) -> Bool {
    baseline?.accepts([identity], of: app) == true || suppressions?.accepts(identity) == true
  }

  /// The inputs that decide which findings are accepted; nil if none are.
  package var acceptance: String? {
    acceptsAny ? [baseline?.text, suppressions?.text].map { $0 ?? "" }.joined(separator: "\n") : nil
  }

  /// The policy for one app of several.
  package func judging(_ app: String?) -> FindingPolicy {
    var policy = self
    policy.app = app
    return policy
  }

  package func report(_ findings: [Finding]) -> Report { Report(unaccepted(findings)) }
}
