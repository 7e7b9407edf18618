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
      for item in items {
        encoder.add("from", item.from.text ?? "")
        encoder.add("to", item.to ?? "")
      }
    }

    func make(
      _ file: inout Store.OutputFile, reading: FileReading?, _ context: ActionContext
    ) async throws -> MadeFile {
      let packed = try PackedItems(items, context.inputs)
      let files = packed.files.sorted { $0.path < $1.path }
      let options = ZipOptions(epoch: plan.sourceDate)
      var made = try await PackedArchive.write(
        files.map { $0.entry(context) }, to: file.temporaryPath, options: options, reading: reading, in: context.span,
        advance: context.advance)
      var leftOut = packed.notes.leftOut
      for file in files { leftOut.count(attributesOf: context.absolute(file.input.path)) }
      made.notes = leftOut.notes
      return made
    }
  }
}

extension PackedFile {
  func entry(_ context: ActionContext) -> PackedEntry {
    let isFile = !input.isLink && input.kind == .regular
    let kind: Entry.Kind =
      if input.isLink {
        .symbolicLink(target: input.linkTarget?.pathBytes ?? [])
      } else if input.kind == .directory {
        .directory
      } else {
        .file(.file(context.absolute(input.path), size: Int(input.size)), executable: input.executable)
      }
    return PackedEntry(
      entry: Entry(path: path, kind: kind), digest: isFile ? input.digest : nil, place: Place(input.path.string))
  }
}
