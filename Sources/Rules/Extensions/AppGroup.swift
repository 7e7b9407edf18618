package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// An extension and its app share data through an App Group that the entitlements of both name alike.
package enum AppGroup: ExtensionRule {
  package static let id: RuleID = "app-group"
  package static let facts: [any Facts.Type] = [CodeFacts.self, CodeUses.self, PropertyListFacts.self]

  /// The methods of Foundation that take the name of a group.
  private static let takers = [
    "initWithSuiteName:", "containerURLForSecurityApplicationGroupIdentifier:", "setSharedContainerIdentifier:",
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let all = AppExtension.all(of: inventory)
    let findings = all.flatMap { entitlements($0, inventory, judging) + code($0, inventory, judging) }
    let isAnyKnown = judging.app?.entitlements != nil || all.contains { $0.entitlements != nil }
    if !isAnyKnown, !all.isEmpty, findings.isEmpty { throw CannotJudge("no entitlements of it or its app are known") }
    return findings
  }

  private static func entitlements(
    _ one: AppExtension, _ inventory: Inventory, _ judging: Judging
  ) -> [Finding] {
    guard let file = one.entitlements, let own = AppExtension.groups(file.list) else { return [] }
    let site = inventory.site(file.item)
    var findings = own.filter { !$0.hasPrefix("group.") && !$0.hasVariable }.map { name in
      finding(judging, "the App Group '\(name)' does not begin with 'group.'", about: [name], at: site)
    }
    guard let app = judging.app, let theirs = AppExtension.groups(app.entitlements) else { return findings }
    guard !(own + theirs).contains(where: \.hasVariable), Set(own).isDisjoint(with: theirs) else { return findings }
    guard !own.isEmpty || !theirs.isEmpty else { return findings }
    func shown(_ groups: [String]) -> String { groups.isEmpty ? "none" : listed(groups) }
    findings.append(
      finding(
        judging, "\(one.name) and its app have no App Group in common", about: ["the app"], at: site,
        notes: ["the extension: \(shown(own))", "the app: \(shown(theirs))"],
        hint: own.first.flatMap { didYouMean($0, among: theirs) } ?? "name one group in the entitlements of both"))
    return findings
  }

  /// Findings on groups in code that the entitlements do not name, and on background sessions without a group.
  private static func code(_ one: AppExtension, _ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let known = AppExtension.groups(one.entitlements?.list) ?? AppExtension.groups(judging.app?.entitlements)
    var seen: Set<String> = []
    var findings: [Finding] = []
    for (item, slice) in inventory.uses where one.items.values.contains(where: { $0.path == item.path }) {
      if let known, !known.contains(where: \.hasVariable), takers.contains(where: { slice.selectors[$0] != nil }) {
        let others = slice.literals.filter { $0.hasPrefix("group.") && !known.contains($0) }.sorted()
        for name in others where seen.insert(name).inserted {
          findings.append(
            finding(
              judging, "\(item.lastPart) names the App Group '\(name)', which the entitlements do not",
              about: [name], at: inventory.site(item), notes: ["they name: \(known.isEmpty ? "none" : listed(known))"],
              hint: didYouMean(name, among: known) ?? "add it to the entitlements of the extension and of its app",
              edit: known.isEmpty
                ? Edit(
                  .entitlements,
                  "<key>com.apple.security.application-groups</key><array><string>\(name)</string></array>") : nil))
        }
      }
      let begins = slice.selectors["backgroundSessionConfigurationWithIdentifier:"] != nil
      if begins, slice.selectors["setSharedContainerIdentifier:"] == nil, seen.insert("session \(item.name)").inserted {
        findings.append(
          finding(
            judging, "\(item.lastPart) begins a background session without a shared container",
            about: ["background session"], at: inventory.site(item),
            hint: "set sharedContainerIdentifier to the App Group: what is loaded has nowhere else to go"))
      }
    }
    return findings
  }
}
