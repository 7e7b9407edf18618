package import Findings

/// One thing that collides, as a report says it. `Finding` is what reports of all rules have in common; this is what only
/// collisions have besides.
package struct CollisionFinding: Sendable {
  package struct Site: Hashable, Sendable {
    /// The file, from the outside in.
    package var artifact: Place
    package var member: String?
    /// `strong`, `weak`, `common`, `absolute`, `alias`, `class`, `category`, `library`.
    package var kind: String

    package init(artifact: Place, member: String? = nil, kind: String) {
      self.artifact = artifact
      self.member = member
      self.kind = kind
    }

    package var place: Place { member.map(artifact.inside) ?? artifact }
  }

  package enum Verdict: String, Sendable { case error, warning, silent, possible }

  /// Those that findings have.
  package static let rules: Set<RuleID> = [
    "duplicate-symbol", "odr-violation", "category-clash", "class-in-dylib", "protocol-differs",
    "duplicate-java-class", "duplicate-native-library",
  ]

  package var rule: RuleID
  package var level: Level
  package var verdict: Verdict
  /// `ios-arm64`; `android` for what all architectures share.
  package var slice: String
  /// As it stands: a symbol, a class, a path.
  package var name: String
  package var demangled: String?
  package var winner: String?
  /// Whether all definitions are the same; nil if that is not known.
  package var identical: Bool?
  package var sites: [Site]
  /// What the app would have to refer to.
  package var triggers: [String]?
  /// Of each trigger, as its author wrote it.
  package var demangledTriggers: [String]?
  private var text: String
  package var notes: [String] = []
  package var hint: String

  package init(
    _ rule: RuleID, _ verdict: Verdict, slice: String, name: String, sites: [Site], message: String, hint: String,
    winner: String? = nil, identical: Bool? = nil, triggers: [String]? = nil, notes: [String] = []
  ) {
    self.rule = rule
    self.verdict = verdict
    self.slice = slice
    self.name = name
    self.sites = sites
    text = message
    self.hint = hint
    self.winner = winner
    self.identical = identical
    self.triggers = triggers
    self.notes = notes
    level =
      switch verdict {
      case .error: .error
      case .warning, .possible: .warning
      case .silent: identical == true ? .note : .warning
      }
  }

  /// With the triggers, if there are any.
  package var message: String { triggers == nil ? text : "\(text) \(shownTriggers)" }

  package var shownTriggers: String { (demangledTriggers ?? triggers ?? []).joined(separator: " and ") }

  /// What was said when it was found, to be kept: `message` without the triggers.
  package var keptMessage: String { text }

  package var finding: Finding {
    Finding(
      rule, level, message, at: sites.map(\.place), notes: [demangled].compactMap(\.self) + notes, hint: hint)
  }

  package var json: JSONValue {
    let list = sites.map { site -> JSONValue in
      [
        "artifact": .string(site.artifact.description), "member": site.member.map(JSONValue.string) ?? .null,
        "kind": .string(site.kind),
      ]
    }
    return [
      "rule": .string(rule.rawValue), "level": .string(level.rawValue), "verdict": .string(verdict.rawValue),
      "slice": .string(slice), "name": .string(name), "demangled": demangled.map(JSONValue.string) ?? .null,
      "winner": winner.map(JSONValue.string) ?? .null, "identical": identical.map(JSONValue.bool) ?? .null,
      "sites": .array(list), "trigger": triggers.map { .array($0.map(JSONValue.string)) } ?? .null,
      "message": .string(message), "hint": .string(hint),
    ]
  }
}
