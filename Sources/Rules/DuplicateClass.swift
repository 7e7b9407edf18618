import Android
package import Artifacts
package import Findings

/// No class is in two jars of one AAR: the app's build refuses it.
package enum DuplicateClass: Rule {
  package static let id: RuleID = "duplicate-class"
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [JarFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    var first: [[UInt8]: Item] = [:]
    var findings: [Finding] = []
    for (item, jar) in inventory.facts(JarFacts.self) {
      guard item.name == "classes.jar" || item.parts.first == "libs" else { continue }
      for path in jar.classes {
        guard let other = first.updateValue(item, forKey: path), other.path != item.path else { continue }
        let name = String(decoding: path, as: UTF8.self)
        findings.append(
          finding(
            judging, "the class \(JarEntry.className(path)) is in two jars", at: inventory.site(other).inside(name),
            inventory.site(item).inside(name),
            hint: "leave it out of one of them"))
      }
    }
    return findings
  }
}
