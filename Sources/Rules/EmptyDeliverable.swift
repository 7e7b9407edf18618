import Android
package import Artifacts
package import Findings
import ObjectFiles

/// At least one of the deliverables that are for code has some. The rule looks at all deliverables of a build, because
/// one of several may well hold resources alone.
package enum EmptyDeliverable: Rule {
  package static let id: RuleID = "empty-deliverable"
  package static let kinds: Set<ArtifactKind>? = [.release]

  private static let carriers: Set<ArtifactKind> = [
    .iosZip, .aar, .jar, .appExtension, .framework, .xcframework,
  ]

  /// Nil for a kind that carries no code.
  package static func hasCode(_ inventory: Inventory) -> Bool? {
    guard carriers.contains(inventory.role) else { return nil }
    let hasClasses = inventory.facts(JarFacts.self).contains { $0.facts.classes.count > $0.facts.rClasses.count }
    return hasClasses
      || inventory.facts(CodeFacts.self).contains { item, code in
        item.metadata == nil && (!code.slices.isEmpty || code.elf != nil || code.kind == .bitcode)
      }
  }

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let carriers = inventory.facts(CarriedCode.self)
    guard !carriers.isEmpty, !carriers.contains(where: \.facts.isThere) else { return [] }
    return [
      finding(
        judging, "no deliverable has any code", at: inventory.place,
        notes: ["without code: \(listed(carriers.map(\.item.name)))"],
        hint: "name the plugin's libraries, frameworks or classes in the manifest; npi-pack init -n shows what it finds"
      )
    ]
  }
}
