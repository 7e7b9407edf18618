import Android
package import Artifacts
package import Findings

/// The host's Kotlin reads the metadata of the library: that of its own version and of the next one.
package enum KotlinMetadataRule: HostRule {
  package static let id: RuleID = "kotlin-metadata"
  package static let kinds: Set<ArtifactKind>? = [.aar, .jar]
  package static let facts: [any Facts.Type] = [KotlinModules.self]
  package static let parameters = [
    RuleParameter(
      name: "kotlin", kind: .text, summary: "the Kotlin that the host's apps are compiled with, such as 2.2")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    guard let host = judging.lists["kotlin"]?.first.flatMap({ KotlinVersion($0) }) else {
      throw CannotJudge("the host's Kotlin is not set")
    }
    return inventory.facts(KotlinModules.self).filter { $0.facts.version > host.next }.map { item, modules in
      finding(
        judging, "\(item.lastPart) is compiled with Kotlin \(modules.version), and apps of this host with \(host)",
        about: ["\(modules.version)"], at: inventory.site(item),
        notes: ["Kotlin \(host) reads metadata up to version \(host.next)"],
        hint: "write for the older compiler: -language-version \(host)",
        edit: Edit(
          .gradle, "kotlin { compilerOptions { languageVersion = KotlinVersion.KOTLIN_\(host.major)_\(host.minor) } }"))
    }
  }
}
