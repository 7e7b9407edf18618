import Android
package import Artifacts
package import Findings

/// Class files are of a version that the host's tools read (Java Virtual Machine Specification, 4.1).
package enum ClassFileVersion: HostRule {
  package static let id: RuleID = "class-version"
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [JarClasses.self]
  package static let parameters = [
    RuleParameter(
      name: "maximum", kind: .text, summary: "the newest version of class files: 49 is Java 5, 51 Java 7, 52 Java 8")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let most = try judging.number("maximum", or: "the host's newest version is not set")
    let unreadable = inventory.facts(JarClasses.self).flatMap { item, jar in
      jar.unreadable.map { path, reason in
        finding(
          judging, "\(path.lastPathPart) cannot be read: \(reason)",
          at: inventory.site(item).inside(path), hint: "compile it again: the app's build reads every class")
      }
    }
    return unreadable
      + inventory.facts(JarClasses.self).compactMap { item, jar in
        let newer = (jar.classes + jar.resourceClasses).filter { $0.majorVersion > most }
        guard let first = newer.max(by: { $0.majorVersion < $1.majorVersion }) else { return nil }
        return finding(
          judging,
          "\(counted(newer.count, "class", "classes")) of \(item.lastPart) \(newer.count == 1 ? "is" : "are") for \(java(first.majorVersion)): "
            + "this host takes \(java(most)) at most",
          about: newer.map(\.name), at: inventory.site(item),
          notes: ["the newest: \(first.name) (version \(first.majorVersion))"],
          hint: most >= 51
            ? "compile with javac --release \(most - 44)"
            : "compile with javac -source 1.\(most - 44) -target 1.\(most - 44), of a JDK before 9",
          edit: gradle(most))
      }
  }

  private static func gradle(_ most: Int) -> Edit? {
    let version: Edit.Line = most < 53 ? "JavaVersion.VERSION_1_\(most - 44)" : "JavaVersion.VERSION_\(most - 44)"
    let line: Edit.Line = "sourceCompatibility = \(version); targetCompatibility = \(version)"
    return Edit(.gradle, "android { compileOptions { \(line) } }")
  }

  /// `Java 7`
  private static func java(_ major: Int) -> String { major >= 49 ? "Java \(major - 44)" : "Java 1.\(major - 44)" }
}
