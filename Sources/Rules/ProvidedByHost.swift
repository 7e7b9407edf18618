import Android
package import Artifacts
package import Findings

/// No copy of a library that the host's apps have already: two of one are linked, or merged, into one app.
package enum ProvidedByHost: Rule {
  package static let entry = RuleEntry("provided-by-host", .error, "no copy of a library that the host links already")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = [.iosZip, .tree, .archive, .aar]
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
      let groups = Dictionary(grouping: found) { "\($0.item.name)\0\(apple.key(of: $0.text) ?? "")" }
      for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
        guard let first = group.first, let library = apple.key(of: first.text) else { continue }
        findings.append(
          copy(library, of: group.map(\.text), in: first.item, at: first.site(in: inventory), judging))
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

extension ProvidedByHost {
  package static let explanation = RuleExplanation(
    why: """
      The host's apps have these libraries. A second copy is linked or merged into the same app: the link
      fails with `duplicate symbol` as soon as members of both are loaded, else one of them is taken in
      silence, perhaps the older. Android's build refuses every class that is there twice
      (`Duplicate class … found in modules …`).
      """,
    bad: """
      ios:
        kind: ios-zip
        items: [build/libRallyConnector.a, vendor/libGoogleAnalytics.a]
      """,
    good: """
      ios:
        kind: ios-zip
        items: [build/libRallyConnector.a]
      """,
    mend: """
      Compile with the library's headers or jar, of the host's version, and do not pack it: not under
      `items`, `classes`, `libs` or `embed`. If it is inside of a library that is not yours, ask its
      vendor for a build without. One that the host has no more is taken off the list:
      `rules: {provided-by-host: {ios: {libGoogleAnalytics.a: null}}}`.
      """)
}
