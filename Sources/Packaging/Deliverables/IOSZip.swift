package import BuildEngine
package import Documents
package import Findings
import SystemPackage

/// `ios-zip`: the selected items, and nothing else, at the root of a zip.
package enum IOSZip: PlannedKind {
  package static let kind = Kind(
    name: "ios-zip",
    keys: [
      Key("items", PackItem.shape, required: true, "libraries, bundles and frameworks: paths, globs, or from and to"),
      Key("name", .name, "the file's name (NAME-VERSION-ios.zip)"),
    ],
    summary: "a zip of libraries and resource bundles for an iOS app")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let items = declaration.node["items"]?.list?.compactMap(PackItem.init) ?? []
    guard !items.isEmpty else {
      throw Mistakes("'\(declaration.name)' has no items", at: declaration.node["items"]?.place ?? declaration.place)
    }
    let name = plan.manifest.fileName(declaration, "-ios.zip")
    return Step(
      name: declaration.name, summary: "ios-zip \(name)", inputs: try Plan.inputs(items.map(\.from)),
      outputs: [plan.output(name), plan.record(of: declaration.name)],
      action: ZipAction(kind: kind.name, declaration: declaration.name, fileName: name, items: items, plan: plan),
      place: declaration.place)
  }
}
