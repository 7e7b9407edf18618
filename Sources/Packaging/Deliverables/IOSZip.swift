import Archives
package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `ios-zip`: the selected items, and nothing else, at the root of a zip.
package enum IOSZip: DeliverableKind {
  package static let artifact = ArtifactKind.iosZip
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
    return plan.step(
      declaration, IOSZip.self, inputs: try Plan.inputs(items.map(\.from)), places: items.map(\.place),
      Maker(items: items, plan: plan))
  }

  private struct Maker: FileMaker {
    let items: [PackItem]
    let plan: Plan

    func encode(into encoder: inout some KeyEncoder) {
      plan.encodeArchive(into: &encoder)
      items.encode(into: &encoder)
    }

    func make(
      _ file: inout Store.OutputFile, reading: FileReading?, _ context: ActionContext
    ) async throws -> MadeFile {
      let packed = try PackedItems(items, context.inputs)
      let files = packed.files.sorted { $0.path < $1.path }
      var made = try await PackedArchive.write(
        files.map { $0.entry(context) }, to: file, ZipOptions(epoch: plan.sourceDate), reading, context)
      made.notes = packed.leftOut(context).notes
      return made
    }
  }
}

extension PackedFile {
  func entry(_ context: ActionContext) -> PackedEntry {
    var packed = PackedEntry(path, input, context, executable: input.executable)
    if input.isLink { packed.entry.kind = .symbolicLink(target: input.linkTarget?.pathBytes ?? []) }
    if !input.isLink, input.kind == .directory { packed.entry.kind = .directory }
    if input.isLink || input.kind != .regular { packed.digest = nil }
    return packed
  }
}
