package import Artifacts
package import Findings
import ObjectFiles

/// Nothing works only if the app is linked with a flag: a linker loads a member of a static library for a symbol that it
/// defines, and a category has none.
package enum NeedsLinkerFlag: Rule {
  package static let id: RuleID = "needs-linker-flag"
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeNames.self]
  package static let parameters = [
    RuleParameter(name: "flags", kind: .list, summary: "the flags that the host's apps are linked with, such as -ObjC")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    if ["-ObjC", "-all_load"].contains(where: (judging.lists["flags"] ?? []).contains) { return [] }
    let found = Dictionary(grouping: inventory.sightings { $0.categoryOnly }) { $0.item.name }
    return found.sorted { $0.key < $1.key }.compactMap { _, members in
      guard let first = members.first else { return nil }
      let count = counted(members.count, "category is", "categories are")
      return finding(
        judging, "\(count) left out of the app unless it is linked with -ObjC", about: members.map(\.text),
        at: first.site(in: inventory),
        notes: ["a member with nothing but categories: \(listed(members.map(\.text)))"],
        hint: "put each beside a class that is used, or define a function in its file and call it"
      ).identified(by: [first.item.name])
    }
  }
}

/// No API that ends the app, or does nothing, unless the app's Info.plist says what it is used for.
package enum NeedsInfoPlist: Rule {
  package static let id: RuleID = "needs-info-plist"
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeNames.self]
  package static let parameters = [
    RuleParameter(
      name: "keys", kind: .table,
      summary: "keys of Info.plist by the classes, and functions as nm prints them, that need them"),
    RuleParameter(name: "present", kind: .list, summary: "the keys that the host's apps have"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let present = Set(judging.lists["present"] ?? [])
    let table = try judging.table("keys", or: "no keys are listed")
    let keys = NameTable(table.filter { !present.contains($0.key) })
    let uses = inventory.unresolved { keys.key(of: $0.classOfSymbol ?? $0) != nil }
    // By file and key; some need two.
    var groups: [[String]: [CodeSighting]] = [:]
    for use in uses {
      for key in keys.keys(of: use.text.classOfSymbol ?? use.text) {
        groups[[use.item.name, key], default: []].append(use)
      }
    }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { place, group in
      guard let first = group.first, let key = place.last else { return nil }
      let names = group.map(\.shown)
      return finding(
        judging, "\(first.item.lastPart) uses \(listed(names)): the app's Info.plist needs \(key)",
        about: [key], at: first.site(in: inventory),
        hint: "a plugin of this host cannot add it: do without, or ask the host to have it"
      ).identified(by: [first.item.name])
    }
  }
}
