import Android
package import Artifacts
package import Findings

/// No class is in two jars of one AAR: the app's build refuses it.
package enum DuplicateClass: Rule {
  package static let entry = RuleEntry("duplicate-class", .error, "no class is twice in the jars of an AAR")
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

extension DuplicateClass {
  package static let explanation = RuleExplanation(
    why: """
      All jars of an AAR go into one app, which has one class of each name. Android's build stops, whether
      the two are the same or not: `Duplicate class com.example.charts.Chart found in modules …`. Mostly a
      library is both among the classes and in `libs/`.
      """,
    bad: """
      android:
        kind: aar
        manifest: android/AndroidManifest.xml
        classes: [build/classes, vendor/charts.jar]
        libs: vendor/charts.jar
      """,
    good: """
      android:
        kind: aar
        manifest: android/AndroidManifest.xml
        classes: build/classes
        libs: vendor/charts.jar
      """,
    mend: """
      Leave the class out of one of the two jars. If two libraries carry the same third one, take builds
      that do not, and add the third once; ask the vendors for such builds.
      """)
}
