import Android
package import Artifacts
package import Findings

/// No class, and in Java no method, that the host does not support.
package enum UnsupportedClass: HostRule {
  package static let id: RuleID = "unsupported-class"
  package static let kinds: Set<ArtifactKind>? = [.iosZip, .framework, .xcframework, .tree, .archive, .aar]
  package static let facts: [any Facts.Type] = [CodeNames.self, JarClasses.self]
  package static let parameters = [
    RuleParameter(name: "ios", kind: .map, summary: "classes of Objective-C, each with what to do in place of it"),
    RuleParameter(
      name: "android", kind: .map,
      summary: "classes of Java, or methods (com.example.Bar.setTitle), each with what to do in place of it"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    try judging.requireTable(for: inventory.role, or: "no classes are listed")
    let apple = advice(judging, "ios")
    let java = advice(judging, "android")
    let used = apple.isEmpty ? [] : inventory.unresolved { $0.classOfSymbol.map { apple[$0] != nil } ?? false }
    return used.map { use in
      let name = use.text.classOfSymbol ?? use.text
      return finding(
        judging, "\(use.item.lastPart) uses \(name), which this host does not support", about: [name], at: use,
        in: inventory, hint: apple[name])
    }
      + inventory.facts(JarClasses.self).flatMap { item, jar in
        jar.references.filter { java[$0.name] != nil }.map { use in
          finding(
            judging, "\(use.user) uses \(use.name), which this host does not support", about: [use.name],
            at: inventory.site(item).inside(use.user.with("/", for: ".") + ".class"), hint: java[use.name])
        }
      }
  }

  /// The hints, by the names of classes.
  private static func advice(_ judging: Judging, _ parameter: String) -> [String: String] {
    let rows = (judging.tables[parameter] ?? []).map { ($0.key, $0.values.first ?? "") }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }
}
