package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// A URL that an extension opens reaches its app: the app has registered the scheme.
package enum UnregisteredScheme: ExtensionRule {
  package static let id: RuleID = "url-scheme"
  package static let facts: [any Facts.Type] = [CodeFacts.self, CodeUses.self, PropertyListFacts.self]
  package static let parameters = [
    RuleParameter(name: "others", kind: .list, summary: "schemes that iOS or other apps answer: https, tel")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let app = try judging.app.known(or: "the app that contains it is not known: --app, or app: in the manifest")
    let registered = (app.info["CFBundleURLTypes"]?.list ?? []).flatMap { $0["CFBundleURLSchemes"]?.texts ?? [] }
    if registered.contains(where: \.hasVariable) {
      throw CannotJudge("a build in Xcode sets the schemes of the app that contains it")
    }
    let others = judging.lists["others"] ?? []
    let known = Set((registered + others).map { $0.lowercased() })
    let extensions = AppExtension.all(of: inventory)
    var seen: Set<String> = []
    return inventory.uses.flatMap { item, slice -> [Finding] in
      guard slice.selectors["openURL:completionHandler:"] != nil, inventory.appExtension(of: item, extensions) != nil
      else {
        return []
      }
      let schemes = Set(slice.literals.compactMap(URLScheme.of)).filter { !known.contains($0.lowercased()) }
      return schemes.sorted().filter { seen.insert("\($0) \(item.name)").inserted }.map { scheme in
        finding(
          judging, "\(item.lastPart) opens '\(scheme)://', which its app has not registered", about: [scheme],
          at: inventory.site(item),
          notes: ["the app: \(app.place)", "it has: \(registered.isEmpty ? "none" : listed(registered))"],
          hint: didYouMean(scheme, among: registered) ?? "add it to CFBundleURLTypes of the app's Info.plist",
          edit: registered.isEmpty ? registration(scheme) : nil)
      }
    }
  }

  private static func registration(_ scheme: String) -> Edit? {
    let schemes: Edit.Line = "<key>CFBundleURLSchemes</key><array><string>\(scheme)</string></array>"
    return Edit(.infoPlist, "<key>CFBundleURLTypes</key><array><dict>\(schemes)</dict></array>")
  }
}
