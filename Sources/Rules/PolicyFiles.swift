package import Artifacts
package import Findings

/// A policy file conforms to the host's JSON Schema.
package enum PolicyFileRule: HostRule {
  package static let id: RuleID = "policy-file"
  package static let kinds: Set<ArtifactKind>? = [.policy]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    try judging.defects.known(or: "its host has no JSON Schema for it").map { defect in
      Finding(
        id, judging.level, defect.message, about: [defect.message], at: [defect.place ?? inventory.place],
        notes: defect.notes, hint: defect.hint)
    }
  }
}

/// The app's own plugin has no deliverables, because it is compiled into the app and not shared between apps.
package enum AppPluginReleased: HostRule {
  package static let id: RuleID = "app-plugin-released"
  package static let kinds: Set<ArtifactKind>? = [.policy]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    guard let policy = inventory.policy else { throw CannotJudge("it is no policy") }
    guard policy.isApp else { return [] }
    let present = try judging.platforms.known(or: "what is released beside it is not known: lint all of it together")
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
