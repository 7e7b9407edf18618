import Android
package import Artifacts
package import Findings

/// No copy of a library that the host's apps already have: both would be linked, or merged, into one app.
package enum ProvidedByHost: HostRule {
  package static let id: RuleID = "provided-by-host"
  package static let kinds: Set<ArtifactKind>? = [.iosZip, .framework, .xcframework, .tree, .archive, .aar]
  package static let facts: [any Facts.Type] = [CodeNames.self, JarClasses.self]
  package static let parameters = [
    RuleParameter(
      name: "ios", kind: .table, summary: "libraries by their classes, and their functions as nm prints them"),
    RuleParameter(name: "android", kind: .table, summary: "libraries by their classes or packages (com.example.*)"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    try judging.requireTable(for: inventory.role, or: "the libraries of the host are not listed")
    let apple = NameTable(judging.tables["ios"])
    let java = NameTable(judging.tables["android"])
    var findings: [Finding] = []
    if !apple.isEmpty {
      let found = inventory.sightings { slice in
        (slice.classes.map(\.name) + slice.defined).filter { apple.key(of: $0.text) != nil }
      }
      findings = found.grouped { [apple.key(of: $0.text) ?? ""] }.map { library, first, names in
        copy(library, of: names, in: first.item, at: first.site(in: inventory), judging)
      }
    }
    for (item, jar) in inventory.facts(JarClasses.self) {
      let groups = Dictionary(grouping: jar.classes) { java.key(of: $0.name) }
      for (library, classes) in groups.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
        guard let library else { continue }
        findings.append(copy(library, of: classes.map(\.name), in: item, at: inventory.site(item), judging))
      }
    }
    return findings
  }

  /// The names that the recipe has for these classes, each once and in the recipe's order.
  package static func patterns(of classes: [String], _ settings: RuleSettings?) -> [String] {
    var known: Set<String> = []
    return (settings?.tables["android"] ?? []).flatMap(\.values).filter { text in
      let pattern = NamePatterns([text])
      return classes.contains(where: pattern.contains) && known.insert(text).inserted
    }
  }

  /// Whether the host's apps have a class.
  package static func has(_ settings: RuleSettings?) -> (String) -> Bool {
    let table = NameTable(settings?.tables["android"])
    return { table.key(of: $0) != nil }
  }

  private static func copy(
    _ library: String, of names: [String], in item: Item, at site: Place, _ judging: Judging
  ) -> Finding {
    finding(
      judging, "\(item.lastPart) has a copy of \(library), which apps of this host have already", about: [library],
      at: site,
      notes: ["it defines \(listed(names))"], hint: "leave it out, and use the host's"
    ).identified(by: [item.name])
  }
}
