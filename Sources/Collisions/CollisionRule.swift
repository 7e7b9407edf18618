package import Findings

/// A family of collisions, and the words for it.
package protocol CollisionRule: Sendable {
  static var id: RuleID { get }
  /// What it counts: `class of the same name`, `classes of the same names`.
  static var noun: (one: String, many: String) { get }
  static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String)
  /// How `recipes rule` explains it; nil if a rule for single artifacts of the same name does.
  static var explanation: RuleExplanation? { get }
  /// Whether several of it belong together that the same plugins have in common.
  static var isInCommon: Bool { get }
  /// Whether it stands before all others of its level: it is worse than that.
  static var leads: Bool { get }
  /// Unless the user says otherwise.
  static func level(_ collision: Collision) -> Level
}

extension CollisionRule {
  package static func level(_ collision: Collision) -> Level {
    switch collision.verdict {
    case .error: .error
    case .warning, .possible: .warning
    case .silent: collision.identical == true ? .note : .warning
    }
  }

  package static var isInCommon: Bool { true }
  package static var leads: Bool { false }

  static func counted(_ count: Int) -> String { "\(count) \(count == 1 ? noun.one : noun.many)" }
}

package enum CollisionRules {
  private static let all: [any CollisionRule.Type] =
    [
      DuplicateSymbol.self, OneDefinitionRule.self, ProtocolDiffers.self, CategoryClash.self, ClassInLibrary.self,
      MisalignedLibrary.self, DuplicateLibrary.self,
    ]
    + AndroidCollisions.all + MessageClashes.rules

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  package static var explanations: [RuleID: RuleExplanation] { byID.compactMapValues { $0.explanation } }

  static func rule(_ id: RuleID) -> any CollisionRule.Type { byID[id] ?? DuplicateSymbol.self }
}
