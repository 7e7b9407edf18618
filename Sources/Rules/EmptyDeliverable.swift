import Android
package import Artifacts
package import Findings
import ObjectFiles

/// One of the deliverables that are for code has some. It belongs to all that one build makes: resources may well be alone
/// in one of several.
package enum EmptyDeliverable: Rule {
  package static let entry = RuleEntry(
    "empty-deliverable", .warning, "one of a build's deliverables has code: a library, a framework or classes")
  package static let kinds: Set<ArtifactKind>? = [.release]

  /// The kinds that carry code.
  private static let carriers: Set<ArtifactKind> = [.iosZip, .aar, .jar, .appExtension]

  /// Whether there is code in a deliverable; nil of a kind that carries none.
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

extension EmptyDeliverable {
  package static let explanation = RuleExplanation(
    why: """
      The build succeeds, the app takes what it made, and nothing of the plugin is in it: its resources
      at most. That is noticed on a device, when the class that the host makes first is missing. A
      manifest that was begun and not finished makes such deliverables, and so does a step that compiles
      nothing because its pattern names another folder.
      """,
    bad: """
      android:
        kind: aar
        manifest: android/AndroidManifest.xml
      """,
    good: """
      android:
        kind: aar
        manifest: android/AndroidManifest.xml
        classes: build/classes
      """,
    mend: """
      Name the plugin's libraries and frameworks under `items`, its classes and jars under `classes` and
      `libs`; `npi-pack init -n` shows what is found in the tree, and names what is in no manifest. Of a
      plugin that is resources only it is meant: `rules: {empty-deliverable: off}`. One deliverable with
      code is enough; policies, configurations and web templates need none.
      """)
}
