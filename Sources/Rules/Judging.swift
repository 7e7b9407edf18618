package import Artifacts
package import Findings

/// The inputs of rules that do not come from the artifact's bytes.
package struct Judging: Sendable {
  /// The settings of the rule that is running.
  package var settings: RuleSettings
  /// The plugin's configuration; nil if it is not known.
  package var configuration: Configuration?
  /// The app that contains an extension; nil if it is not known.
  package var app: ContainingApp?
  /// The platforms of the deliverables beside the artifact; nil if they are not known.
  package var platforms: Set<Inventory.Platform>?
  /// The mistakes that the host's JSON Schema finds in the document; nil if the host has no schema for it.
  package var defects: [Mistake]?

  package init(_ settings: RuleSettings = RuleSettings(level: .error)) { self.settings = settings }

  var level: Level { settings.level }
  var lists: [String: [String]] { settings.lists }
  var tables: [String: [(key: String, values: [String])]] { settings.tables }

  func number(_ name: String) -> Int? { lists[name]?.first.flatMap(Int.init) }

  /// A parameter that the rule cannot do without; `reason` tells the user that it is missing.
  func list(_ name: String, or reason: String) throws(CannotJudge) -> [String] {
    try lists[name].known(or: reason)
  }

  func table(_ name: String, or reason: String) throws(CannotJudge) -> [(key: String, values: [String])] {
    try tables[name].known(or: reason)
  }

  /// Requires one of the tables `ios` and `android` that apply to such artifacts.
  func requireTable(for role: ArtifactKind, or reason: String) throws(CannotJudge) {
    let names = role == .aar ? ["android"] : role.platform == .ios ? ["ios"] : ["ios", "android"]
    if names.allSatisfy({ tables[$0] == nil }) { throw CannotJudge(reason) }
  }

  func number(_ name: String, or reason: String) throws(CannotJudge) -> Int {
    try number(name).known(or: reason)
  }
}

/// The reason why a rule that is on cannot judge an artifact: the missing input, as `set its prefix`.
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
