package import Artifacts
package import Findings
import ObjectFiles

/// The requirements of a library are met: files among an extension's own resources, and the library itself in the code.
package enum RequiredResources: ExtensionRule {
  package static let id: RuleID = "required-resources"
  package static let facts: [any Facts.Type] = [CodeFacts.self, CodeNames.self, PropertyListFacts.self]
  package static let parameters = [
    RuleParameter(name: "files", kind: .list, summary: "files at the root of the extension"),
    RuleParameter(name: "classes", kind: .list, summary: "classes of which its code defines or imports one"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    if judging.lists["files"] == nil, judging.lists["classes"] == nil { throw CannotJudge("nothing is listed") }
    return AppExtension.all(of: inventory).flatMap { one in
      let missing = (judging.lists["files"] ?? []).filter { one.items[$0] == nil }.map { name in
        let elsewhere = inventory.items.first { $0.isFile && $0.lastPart == name }
        return finding(
          judging, "\(one.name) has no '\(name)' among its own resources", about: [name], at: one.site(in: inventory),
          notes: elsewhere.map { ["there is one at \(inventory.site($0))"] } ?? [],
          hint: "an extension does not see its app's resources: list it under 'resources'",
          edit: Edit(.manifest, "resources: [\(name)]"))
      }
      return missing + unlinked(one, inventory, judging)
    }
  }

  private static func unlinked(_ one: AppExtension, _ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let classes = judging.lists["classes"] ?? []
    guard !classes.isEmpty, let binary = one.binary, let names = binary.facts(CodeNames.self) else { return [] }
    let place = names.lack { slice in
      let known = Set(slice.classes.map(\.name.text) + slice.undefined.compactMap(\.text.classOfSymbol))
      return classes.contains(where: known.contains)
    }
    guard let place else { return [] }
    return [
      finding(
        judging, "\(binary.lastPart) is not linked with the library of \(listed(classes))\(place)",
        about: classes, at: inventory.site(binary),
        hint: "an extension is a program of its own: link the library with it as with the app")
    ]
  }
}
