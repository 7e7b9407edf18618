package import Findings

/// The words for collisions of one kind. A page of `Recipes/rules` explains each.
package protocol CollisionRule: Sendable {
  static var id: RuleID { get }
  /// The noun for counts: `class of the same name`, `classes of the same names`.
  static var noun: (one: String, many: String) { get }
  static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String)
  /// The edit that ends a finding about all of these collisions, which have one level and outcome; nil if no line does.
  static func edit(_ all: [Collision]) -> Edit?
  /// Whether a report groups the collisions that the same plugins have in common.
  static var isInCommon: Bool { get }
  /// Whether the names of members say the same as the names of collisions, so that a report does not list both.
  static var membersRepeatNames: Bool { get }
  /// The outcome of a group of collisions like this one, if it is not that of a link: `Xcode stops`.
  static func outcome(_ collision: Collision) -> String?
  /// Whether its findings come before all others of their level.
  static var leads: Bool { get }
  /// The platform of collisions that have no slice: `android`.
  static var platform: String? { get }
  /// The level unless the user sets another.
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

  package static func edit(_ all: [Collision]) -> Edit? { nil }
  package static var isInCommon: Bool { true }
  package static var leads: Bool { false }
  package static var membersRepeatNames: Bool { platform != nil }
  package static func outcome(_ collision: Collision) -> String? { nil }
  package static var platform: String? { nil }

  static func counted(_ count: Int) -> String { Findings.counted(count, noun.one, noun.many) }
}
