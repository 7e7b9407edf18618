package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// A resource bundle holds resources only. Code is told by content, as in the App Store (ITMS-90535, -90261, -90207).
package enum BundleExecutable: Rule {
  package static let id: RuleID = "bundle-executable"
  package static let facts: [any Facts.Type] = [CodeFacts.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.items.flatMap { item -> [Finding] in
      guard item.isFile, item.metadata == nil, let bundle = inventory.bundle(of: item)
      else { return [] }
      if let what = code(item, bundle) {
        return [
          finding(
            judging, "\(what) in the resource bundle \(bundle.path)", at: inventory.site(item),
            hint: "build the bundle without sources: its code belongs in the static library")
        ]
      }
      return plistProblems(item, bundle).map { key, message, hint in
        finding(judging, message, about: [key], at: inventory.site(item), hint: hint)
      }
    }
  }

  private static func code(_ item: Item, _ bundle: (path: String, inside: String)) -> String? {
    if let code = item.facts(CodeFacts.self) {
      let names = code.architectures.map(\.name)
      return "there is code (\(code.kind)\(names.isEmpty ? "" : " for " + names.joined(separator: ", ")))"
    }
    // `Foo.bundle/Foo` is taken for the bundle's executable whatever it holds.
    let stem = bundle.path.split(separator: "/").last.map { String($0.dropLast(".bundle".count)) } ?? ""
    let isNamesake = bundle.inside == stem || bundle.inside == "Contents/MacOS/" + stem
    return isNamesake ? "there is a file with the bundle's own name" : nil
  }

  private static func plistProblems(_ item: Item, _ bundle: (path: String, inside: String)) -> [(
    key: String, message: String, hint: String
  )] {
    guard case .values(let values)? = item.facts(PropertyListFacts.self) else { return [] }
    guard bundle.inside == "Info.plist" || bundle.inside == "Contents/Info.plist" else { return [] }
    let bundle = bundle.path
    var problems: [(key: String, message: String, hint: String)] = []
    if let executable = values["CFBundleExecutable"]?.shown {
      let what = executable.isEmpty ? "an empty CFBundleExecutable" : "the CFBundleExecutable '\(executable)'"
      problems.append(
        ("CFBundleExecutable", "Info.plist of \(bundle) has \(what)", "remove the key: even an empty one is refused"))
    }
    if let type = values["CFBundlePackageType"]?.shown, type != "BNDL" {
      problems.append(
        (
          "CFBundlePackageType", "Info.plist of \(bundle) has the CFBundlePackageType '\(type)'",
          "a resource bundle has the type BNDL"
        ))
    }
    return problems
  }
}
