import Archives
import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Rewriting
import Store
import SystemPackage

/// `prefix-symbols`: an object file or static library whose own symbols have a prefix, so that no other library of an
/// app has them too.
package enum PrefixSymbolsStep: PlannedKind {
  package static let kind = Kind(
    name: "prefix-symbols",
    keys: [
      Key(
        "input", .path, required: true,
        "an object file, static library, framework, XCFramework, or a zip or folder/ of these"),
      Key("output", .path, required: true, "the same with other names"),
      Key("prefix", .text, required: true, "stands before the names of C: RC_ makes RC_parse of parse"),
      Key("keep", .oneOrMany(.text), "names that stay, as nm prints them; * and ? stand for any text and character"),
      Key("only", .oneOrMany(.text), "the names that change (all that are not kept)"),
      Key("classes", .flag, "whether Objective-C classes get the prefix too (false)"),
      Key("protocols", .oneOrMany(.text), "the Objective-C protocols that get it with the classes"),
      Key("debug", .choice(["keep", "drop"]), "drop leaves debugging information out (keep)"),
    ],
    summary: "a library whose symbols have a prefix, so that no other copy collides with it")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    let prefix = node["prefix"]?.text ?? ""
    if let fault = SymbolPrefix.fault(in: prefix) {
      throw Mistakes(fault, at: node["prefix"]?.place ?? declaration.place)
    }
    let inputs = try Plan.inputs([node["input"]].compactMap(\.self))
    func texts(_ key: String) -> [String] { (node[key]?.texts ?? []).compactMap(\.text) }
    let settings = Settings(
      plan: plan, place: declaration.place, prefix: prefix, keep: texts("keep"), only: texts("only"),
      classes: node["classes"]?.text == "true",
      protocols: texts("protocols"), keepsDebug: node["debug"]?.text != "drop")
    let text = node["input"]?.text ?? ""
    let input = FilePath(text)
    guard text.hasSuffix("/") || ["framework", "xcframework"].contains(input.extension) else {
      return plan.step(declaration, kind, inputs: inputs, FileOutput(settings: settings))
    }
    return plan.folderStep(declaration, kind, inputs: inputs, FolderOutput(settings: settings, input: input))
  }

  private struct Settings: Sendable {
    let plan: Plan
    let place: Place
    let prefix: String
    let keep: [String]
    let only: [String]
    let classes: Bool
    let protocols: [String]
    let keepsDebug: Bool

    var change: SymbolPrefix { SymbolPrefix(prefix, keep: keep, only: only, classes: classes, protocols: protocols) }

    func encode(into encoder: inout some KeyEncoder) {
      encoder.add("prefix", prefix)
      for name in keep { encoder.add("keep", name) }
      for name in only { encoder.add("only", name) }
      encoder.add("classes", "\(classes)")
      for name in protocols { encoder.add("protocol", name) }
      encoder.add("debug", keepsDebug ? "keep" : "drop")
    }
  }

  private struct FileOutput: FileMaker {
    let settings: Settings

    func encode(into encoder: inout some KeyEncoder) {
      settings.plan.encodeArchive(into: &encoder)
      settings.encode(into: &encoder)
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      guard let input = context.inputs.first?.first, input.kind == .regular, context.inputs[0].count == 1 else {
        throw Mistakes(
          "'input' is one file, or a folder that ends in .framework, .xcframework or a slash", at: settings.place)
      }
      let name = input.path.string
      if try OpenedArtifact(context.absolute(input.path)).isZip {
        let archive = try await RenamedArchive(
          context.absolute(input.path), name: name, at: settings.place, settings.change,
          keepsDebug: settings.keepsDebug, in: context.folder(of: context.outputs[0]))
        return FileContents(
          form: .archive(archive.entries, ZipOptions(epoch: settings.plan.sourceDate)), notes: archive.notes,
          scratch: archive.scratch)
      }
      let file = try await RenamedFile(
        context.absolute(input.path), name: name, settings.change, keepsDebug: settings.keepsDebug)
      let said = try PrefixNotes([file], of: name, at: settings.place)
      var contents = FileContents(form: .stream { try file.write(to: &$0) }, notes: said.lines)
      let output = context.outputs[0].string
      contents.check = { try await file.check($0, name: output) }
      return contents
    }
  }

  private struct FolderOutput: FolderMaker {
    let settings: Settings
    let input: FilePath

    func encode(into encoder: inout some KeyEncoder) { settings.encode(into: &encoder) }

    func make(_ context: ActionContext, _ folder: inout FolderWriter) async throws {
      let renamed = try await RenamedFolder(
        context.absolute(input), name: input.string, settings.change, keepsDebug: settings.keepsDebug)
      folder.notes += try PrefixNotes(renamed.files, of: input.string, at: settings.place).lines + renamed.notes
      try await folder.fill { try await renamed.write(to: $0) }
    }
  }
}
