import Artifacts
package import Findings

/// A policy that is not as its host's JSON Schema says. The host reads no key that it does not know, so messages may be
/// missing from what is compared.
package enum PolicySchema: CollisionRule {
  package static let id: RuleID = "policy-file"
  package static let noun = (one: "mistake in a policy", many: "mistakes in policies")
  package static let isInCommon = false

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "the policy of \(collision.message?.shownPlugins ?? "") is not as its host wants it: \(collision.name.text)", [],
      collision.message?.hint ?? ""
    )
  }

  static func collisions(in parties: [MessageParty]) -> [Collision] {
    parties.flatMap { party in
      zip(party.policies, party.defects).flatMap { policy, defects in
        defects.map { defect in
          Collision(
            id, .error, defect.message, [(defect.place ?? policy.place, .policy)],
            MessageClash(noun: "policy", plugins: [policy.plugin], hint: defect.hint ?? "correct it, and pack it again")
          )
        }
      }
    }
  }
}
