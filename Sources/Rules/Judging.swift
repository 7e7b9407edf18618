package import Artifacts
package import Findings

/// What an artifact is judged by that is not of its bytes.
package struct Judging: Sendable {
  /// How the rule that is asked is set.
  package var settings: RuleSettings
  /// What the host gives to the plugin; nil if that is not known.
  package var configuration: Configuration?
  /// The app that an extension is for; nil if that is not known.
  package var app: ContainingApp?
  /// What the deliverables beside it are for; nil if that is not known.
  package var platforms: Set<Inventory.Platform>?
  /// What its host's JSON Schema refuses of the document that it is; nil if its host has no schema for it.
  package var defects: [Mistake]?

  package init(_ settings: RuleSettings = RuleSettings(level: .error)) { self.settings = settings }

  var level: Level { settings.level }
  var lists: [String: [String]] { settings.lists }
  var tables: [String: [(key: String, values: [String])]] { settings.tables }

  func number(_ name: String) -> Int? { lists[name]?.first.flatMap(Int.init) }

  /// A parameter without which nothing can be judged; `reason` is what the user is told then.
  func list(_ name: String, or reason: String) throws(CannotJudge) -> [String] {
    try lists[name].known(or: reason)
  }

  func table(_ name: String, or reason: String) throws(CannotJudge) -> [(key: String, values: [String])] {
    try tables[name].known(or: reason)
  }

  /// Requires that one of the tables `ios` and `android` says something of such artifacts.
  func requireTable(for role: ArtifactKind, or reason: String) throws(CannotJudge) {
    let names = role == .aar ? ["android"] : role == .iosZip ? ["ios"] : ["ios", "android"]
    if names.allSatisfy({ tables[$0] == nil }) { throw CannotJudge(reason) }
  }

  func number(_ name: String, or reason: String) throws(CannotJudge) -> Int {
    try number(name).known(or: reason)
  }
}

/// Why a rule that is on can judge nothing of an artifact: what it lacks, as `set its prefix`.
package struct CannotJudge: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension Optional {
  func known(or reason: String) throws(CannotJudge) -> Wrapped {
    guard let self else { throw CannotJudge(reason) }
    return self
  }
}
