package import Artifacts
package import Findings

/// Of a plugin without a policy file nobody knows what it sends and receives: what is said of the others may be wrong.
package enum MissingPolicy: CollisionRule {
  package static let id: RuleID = "missing-policy"
  package static let noun = (one: "plugin without a policy", many: "plugins without a policy")
  package static let isInCommon = false

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "the plugin \(collision.name.text) has no policy file: what it sends and receives is not known", [],
      collision.message?.hint ?? ""
    )
  }

  /// Where no plugin has one, the host knows none.
  static func collisions(in parties: [MessageParty]) -> [Collision] {
    guard parties.contains(where: { !$0.policies.isEmpty }) else { return [] }
    return parties.filter { $0.policies.isEmpty && $0.hasCode }.map { party in
      Collision(
        id, .warning, party.name, [(party.place, .library)],
        MessageClash(
          noun: "policy", plugins: [party.name],
          hint: "pack one as a deliverable of kind 'policy', or name it beside the plugin"))
    }
  }
}

/// The class that a policy names is in no binary of its plugin.
package enum PolicyClass: CollisionRule {
  package static let id: RuleID = "entry-class"
  package static let noun = (one: "missing class", many: "missing classes")
  package static let isInCommon = false

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "no library of \(collision.message?.shownPlugins ?? "") defines the class \(collision.name.text) that its policy names",
      [], collision.message?.hint ?? ""
    )
  }

  /// `suggestion`: which class was meant.
  package static func collision(_ policy: MessagePolicy, suggestion: String?) -> Collision? {
    policy.className.map { name in
      Collision(
        id, .error, name.text, [(name.place, .policy)],
        MessageClash(
          noun: "policy", plugins: [policy.plugin],
          hint: suggestion ?? "compile its file into the library, or correct 'class'"))
    }
  }
}
