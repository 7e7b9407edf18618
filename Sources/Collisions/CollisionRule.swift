package import Findings

/// The words for collisions of one kind. A page of `Recipes/rules` explains each.
package protocol CollisionRule: Sendable {
  static var id: RuleID { get }
  /// What it counts: `class of the same name`, `classes of the same names`.
  static var noun: (one: String, many: String) { get }
  static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String)
  /// Whether several of it belong together that the same plugins have in common.
  static var isInCommon: Bool { get }
  /// Whether it stands before all others of its level: it is worse than that.
  static var leads: Bool { get }
  /// What its collisions are of, where no slice says it: `android`.
  static var platform: String? { get }
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
  package static var platform: String? { nil }

  static func counted(_ count: Int) -> String { Findings.counted(count, noun.one, noun.many) }
}
