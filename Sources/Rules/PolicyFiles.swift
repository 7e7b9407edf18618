package import Artifacts
package import Findings

/// A policy file is as the host's JSON Schema says.
package enum PolicyFileRule: Rule {
  package static let entry = RuleEntry("policy-file", .error, "a policy file is as its host's JSON Schema says")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = [.policy]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    guard let defects = judging.defects else { throw CannotJudge("its host has no JSON Schema for it") }
    return defects.map { defect in
      Finding(
        id, judging.level, defect.message, about: [defect.message], at: [defect.place ?? inventory.place],
        notes: defect.notes,
        hint: defect.hint)
    }
  }
}

/// The app's own plugin is compiled into the app: a library of it is no part of what apps share.
package enum AppPluginReleased: Rule {
  package static let entry = RuleEntry(
    "app-plugin-released", .error, "the app's own plugin is released without libraries")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = [.policy]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    guard let policy = inventory.policy else { throw CannotJudge("it is no policy") }
    guard policy.isApp else { return [] }
    guard let present = judging.platforms else {
      throw CannotJudge("what is released beside it is not known: lint all of it together")
    }
    if present.isEmpty { return [] }
    let platforms = present.map { $0 == .ios ? "iOS" : "Android" }.sorted().joined(separator: " and ")
    return [
      finding(
        judging,
        "\(policy.plugin) is the app's own plugin, and there is a deliverable for \(platforms) beside its policy",
        at: inventory.place, hint: "compile it into the app and release its policy alone, or take 'app: true' out")
    ]
  }
}

extension PolicyFileRule {
  package static let explanation = RuleExplanation(
    why: """
      The host reads the policy file when the plugin starts: a message that is not declared there is not
      let through, and a key that nobody reads declares nothing. The host's recipe has a JSON Schema of
      such files; packing refuses what does not fit, and this rule says it of a file that was changed
      afterwards.
      """,
    bad: """
      {"plugin": "Ledger", "class": "LedgerPlugin", "send": {"queries": ["Accounts.balance"]}}
      """,
    good: """
      {"plugin": "Ledger", "class": "LedgerPlugin", "sends": {"queries": ["Accounts.balance"]}}
      """,
    mend: """
      Correct the plugin's own policy file and pack it again: `deliverables: {policy: {kind: policy, file:
      policy.yml}}`. `npi-pack recipes show` prints the recipe with its schema.
      """)
}

extension AppPluginReleased {
  package static let explanation = RuleExplanation(
    why: """
      The app's own plugin hands the system's calls over to the other plugins, and is a part of one app's
      target. It is not shared between apps, not accredited and not published. A library of it that is
      published all the same lands in another app, which has such a plugin of its own.
      """,
    bad: """
      # policy.yml says: app: true
      deliverables:
        ios: { kind: ios-zip, items: [build/libAppPlugin.a] }
        policy: { kind: policy, file: policy.yml }
      """,
    good: """
      # policy.yml says: app: true
      deliverables:
        policy: { kind: policy, file: policy.yml }
      """,
    mend: """
      Take the library out of `deliverables` and compile it into the app. If the plugin is meant for
      several apps, take `app: true` out of its policy.
      """)
}
