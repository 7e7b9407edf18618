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
  /// The rule of single artifacts explains it.
  package static let explanation: RuleExplanation? = nil

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

extension MissingPolicy {
  package static let explanation: RuleExplanation? = RuleExplanation(
    why: """
      A host whose plugins talk by messages lets through what policies declare. A plugin without one can
      send and receive nothing; and as long as nobody knows what it would handle, it cannot be told
      whether the others' messages arrive. It is said if at least one plugin of the app has a policy.
      """,
    bad: """
      npi-pack check Accounts-1.0.release.json Scanner-ios.zip
      """,
    good: """
      npi-pack check Accounts-1.0.release.json Scanner-1.0.policy.json Scanner-1.0-ios.zip
      """,
    mend: """
      Write the plugin's policy and pack it: `deliverables: {policy: {kind: policy, file: policy.yml}}`. A
      policy file that is named by itself belongs to files that begin with the same `NAME-VERSION`. A
      library that is no plugin of such a host: `--level missing-policy=off`.
      """)
}
