package import Artifacts
package import Findings
import ObjectFiles

/// No code depends on a linker flag of the app: a linker loads a member of a static library for a symbol that it
/// defines, and a category has none.
package enum NeedsLinkerFlag: CodeRule {
  package static let id: RuleID = "needs-linker-flag"
  package static let parameters = [
    RuleParameter(name: "flags", kind: .list, summary: "the flags that the host's apps are linked with, such as -ObjC")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    if ["-ObjC", "-all_load"].contains(where: (judging.lists["flags"] ?? []).contains) { return [] }
    return inventory.sightings { $0.categoryOnly }.grouped().map { _, first, names in
      let count = counted(names.count, "category is", "categories are")
      return finding(
        judging, "\(count) left out of the app unless it is linked with -ObjC", about: names, at: first, in: inventory,
        notes: ["a member with nothing but categories: \(listed(names))"],
        hint: "put each beside a class that is used, or define a function in its file and call it",
        edit: Edit(.xcconfig, "OTHER_LDFLAGS = $(inherited) -ObjC"))
    }
  }
}

/// No API that ends the app, or does nothing, unless the app's Info.plist names the purpose of its use.
package enum NeedsInfoPlist: CodeRule {
  package static let id: RuleID = "needs-info-plist"
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
    // An API may need two keys.
    return uses.grouped { keys.keys(of: $0.text.classOfSymbol ?? $0.text) }.map { key, first, names in
      finding(
        judging, "\(first.item.lastPart) uses \(listed(names.map(\.shownSymbol))): the app's Info.plist needs \(key)",
        about: [key], at: first, in: inventory,
        hint: "a plugin of this host cannot add it: do without, or ask the host to have it",
        edit: key.hasSuffix("UsageDescription")
          ? Edit(.infoPlist, "<key>\(key)</key><string>what the app needs it for</string>") : nil)
    }
  }
}
