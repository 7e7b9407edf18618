package import Artifacts
import Documents
package import Findings
import ObjectFiles

/// A resource bundle has no code. Content decides what code is, as in the App Store (ITMS-90535, -90261, -90207).
package enum BundleExecutable: Rule {
  package static let id: RuleID = "bundle-executable"
  package static let facts: [any Facts.Type] = [CodeFacts.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.items.flatMap { item -> [Finding] in
      guard item.isFile, item.metadata == nil, let bundle = inventory.bundle(of: item)
      else { return [] }
      let code = code(item, bundle).map { what in
        Defect(
          "\(what) in the resource bundle \(bundle.path)", about: [],
          hint: "build the bundle without sources: its code belongs in the static library")
      }
      let defects = code.map { [$0] } ?? keys(item, bundle)
      return defects.map { finding(judging, $0, in: inventory, whole: inventory.site(item)) }
    }
  }

  private static func code(_ item: Item, _ bundle: (path: String, inside: String)) -> String? {
    if let code = item.facts(CodeFacts.self) {
      let names = code.architectures.map(\.name)
      return "there is code (\(code.kind)\(names.isEmpty ? "" : " for " + names.joined(separator: ", ")))"
    }
    // `Foo.bundle/Foo` counts as the bundle's executable, whatever its content.
    let stem = bundle.path.lastPathPart.dropLast(".bundle".count)
    let isNamesake = bundle.inside == stem || bundle.inside == "Contents/MacOS/" + stem
    return isNamesake ? "there is a file with the bundle's own name" : nil
  }

  /// Keys of the bundle's `Info.plist` that are for code.
  private static func keys(_ item: Item, _ bundle: (path: String, inside: String)) -> [Defect] {
    guard case .values(let values)? = item.facts(PropertyListFacts.self) else { return [] }
    guard bundle.inside == "Info.plist" || bundle.inside == "Contents/Info.plist" else { return [] }
    let bundle = bundle.path
    var defects: [Defect] = []
    if let executable = values["CFBundleExecutable"]?.shown {
      let what = executable.isEmpty ? "an empty CFBundleExecutable" : "the CFBundleExecutable '\(executable)'"
      defects.append(
        Defect(
          "Info.plist of \(bundle) has \(what)", about: "CFBundleExecutable",
          hint: "remove the key: even an empty one is refused"))
    }
    if let type = values["CFBundlePackageType"]?.shown, type != "BNDL" {
      defects.append(
        Defect(
          "Info.plist of \(bundle) has the CFBundlePackageType '\(type)'", about: "CFBundlePackageType",
          hint: "a resource bundle has the type BNDL"))
    }
    return defects
  }
}
