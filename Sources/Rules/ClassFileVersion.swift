import Android
package import Artifacts
package import Findings

/// Class files are of a version that the host's tools read (Java Virtual Machine Specification, 4.1).
package enum ClassFileVersion: Rule {
  package static let entry = RuleEntry(
    "class-version", .error, "class files are no newer than the host's Java")
  package static let isOfHosts = true
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
          judging, "\(path.split(separator: "/").last ?? "") cannot be read: \(reason)",
          at: inventory.site(item).inside(path), hint: "compile it again: the app's build reads every class")
      }
    }
    return unreadable
      + inventory.facts(JarClasses.self).compactMap { item, jar in
        let newer = (jar.classes + jar.resourceClasses).filter { $0.majorVersion > most }
        guard let first = newer.max(by: { $0.majorVersion < $1.majorVersion }) else { return nil }
        let count = newer.count == 1 ? "1 class" : "\(newer.count) classes"
        return finding(
          judging,
          "\(count) of \(item.lastPart) \(newer.count == 1 ? "is" : "are") for \(java(first.majorVersion)): "
            + "this host takes \(java(most)) at most",
          about: newer.map(\.name), at: inventory.site(item),
          notes: ["the newest: \(first.name) (version \(first.majorVersion))"],
          hint: most >= 51
            ? "compile with javac --release \(most - 44)"
            : "compile with javac -source 1.\(most - 44) -target 1.\(most - 44), of a JDK before 9")
      }
  }

  /// `Java 7`
  private static func java(_ major: Int) -> String { major >= 49 ? "Java \(major - 44)" : "Java 1.\(major - 44)" }
}

extension ClassFileVersion {
  package static let explanation = RuleExplanation(
    why: """
      Older tools of Android refuse class files of a newer Java, and the app's build ends:
      `bad class file magic (cafebabe) or version (0034.0000)`. The number is hexadecimal: 0x34 is 52,
      Java 8; 51 is Java 7, 49 Java 5. One such class in one jar is enough.
      """,
    bad: """
      javac --release 8 -d build/classes LoginFragment.java     # 52, where the host takes 51
      """,
    good: """
      javac --release 7 -d build/classes LoginFragment.java     # 51
      """,
    mend: """
      Compile for the older Java: `--release 7` is in JDK 9 to 19. Of a jar that is not yours, take an
      older version, or ask its vendor for one. If the host's build reads newer ones:
      `rules: {class-version: {maximum: 52}}`.
      """)
}
