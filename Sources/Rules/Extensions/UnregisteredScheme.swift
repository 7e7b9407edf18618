package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// A URL that an extension opens reaches its app: the app has registered the scheme.
package enum UnregisteredScheme: Rule {
  package static let entry = RuleEntry(
    "url-scheme", .error, "the app has registered the URL scheme that its extension opens")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = [.appExtension, .tree, .archive]
  package static let facts: [any Facts.Type] = [CodeFacts.self, CodeUses.self, PropertyListFacts.self]
  package static let parameters = [
    RuleParameter(name: "others", kind: .list, summary: "schemes that iOS or other apps answer: https, tel")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    guard let app = judging.app else {
      throw CannotJudge("the app that contains it is not known: --app, or app: in the manifest")
    }
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
          hint: didYouMean(scheme, among: registered) ?? "add it to CFBundleURLTypes of the app's Info.plist")
      }
    }
  }
}

extension UnregisteredScheme {
  package static let explanation = RuleExplanation(
    why: """
      A Today extension opens its app by a URL, as any other app would. iOS finds the app by the scheme
      that its `Info.plist` registers. With a scheme that is not there nothing happens at the tap, and
      nothing says so. Schemes are told by the texts in the extension's code.
      """,
    bad: """
      [self.extensionContext openURL:[NSURL URLWithString:@"starter://news"] completionHandler:nil];
      // the app's Info.plist: CFBundleURLTypes is missing
      """,
    good: """
      <key>CFBundleURLTypes</key> <array><dict>
        <key>CFBundleURLName</key> <string>com.example.starter</string>
        <key>CFBundleURLSchemes</key> <array><string>starter</string></array>
      </dict></array>
      """,
    mend: """
      Register the scheme in the app, or correct the URL. One that another app answers is listed:
      `rules: {url-scheme: {others: [comgooglemaps]}}`.
      """)
}
