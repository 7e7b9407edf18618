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
    if let fault = SymbolRewrite.fault(in: prefix) {
      throw Mistakes(fault, at: node["prefix"]?.place ?? declaration.place)
    }
    let change = SymbolRewrite(
      prefix, keep: node.list("keep"), only: node.list("only"), classes: node["classes"]?.text == "true",
      protocols: node.list("protocols"))
    return try plan.step(declaration, kind, change, keepsDebug: node["debug"]?.text != "drop")
  }
}

/// `hide-symbols`: an object file, static library or dynamic library whose own symbols other images do not see.
package enum HideSymbolsStep: PlannedKind {
  package static let kind = Kind(
    name: "hide-symbols",
    keys: [
      Key(
        "input", .path, required: true,
        "an object file, static library, dylib, framework, XCFramework, or a zip or folder/ of these"),
      Key("output", .path, required: true, "the same with hidden names"),
      Key("keep", .oneOrMany(.text), "names that stay visible, as nm prints them; * and ? as in prefix-symbols"),
      Key("only", .oneOrMany(.text), "the names that are hidden (all that are not kept)"),
    ],
    summary: "a library whose symbols other images do not see")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    let change = SymbolRewrite(hiding: node.list("only"), keep: node.list("keep"))
    return try plan.step(declaration, kind, change, keepsDebug: true)
  }
}

extension Node {
  fileprivate func list(_ key: String) -> [String] { (self[key]?.texts ?? []).compactMap(\.text) }
}

extension Plan {
  /// The step that makes a file, or a folder if its input ends in a slash or is a framework.
  fileprivate func step(
    _ declaration: Manifest.Declaration, _ kind: Kind, _ change: SymbolRewrite, keepsDebug: Bool
  ) throws(Mistakes) -> Step {
    let settings = RenamingSettings(plan: self, place: declaration.place, change: change, keepsDebug: keepsDebug)
    let node = declaration.node
    let inputs = try Plan.inputs([node["input"]].compactMap(\.self))
    let text = node["input"]?.text ?? ""
    let input = FilePath(text)
    guard text.hasSuffix("/") || ["framework", "xcframework"].contains(input.extension) else {
      return step(declaration, kind, inputs: inputs, RenamedFileMaker(settings: settings))
    }
    return folderStep(declaration, kind, inputs: inputs, RenamedFolderMaker(settings: settings, input: input))
  }
}

private struct RenamingSettings: Sendable {
  let plan: Plan
  let place: Place
  let change: SymbolRewrite
  let keepsDebug: Bool

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("change", change.kind.rawValue)
    encoder.add("prefix", String(decoding: change.prefix, as: UTF8.self))
    for name in change.keep.texts { encoder.add("keep", name) }
    for name in change.only.texts { encoder.add("only", name) }
    encoder.add("classes", "\(change.classes)")
    for name in change.protocols.texts { encoder.add("protocol", name) }
    encoder.add("debug", keepsDebug ? "keep" : "drop")
  }
}

private struct RenamedFileMaker: FileMaker {
  let settings: RenamingSettings

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
    var contents = FileContents(form: .assembled(try file.content), notes: said.lines)
    let output = context.outputs[0].string
    contents.check = { try await file.check($0, name: output) }
    return contents
  }
}

private struct RenamedFolderMaker: FolderMaker {
  let settings: RenamingSettings
  let input: FilePath

  func encode(into encoder: inout some KeyEncoder) { settings.encode(into: &encoder) }

  func make(_ context: ActionContext, _ folder: inout FolderWriter) async throws {
    let renamed = try await RenamedFolder(
      context.absolute(input), name: input.string, settings.change, keepsDebug: settings.keepsDebug)
    folder.notes += try PrefixNotes(renamed.files, of: input.string, at: settings.place).lines + renamed.notes
    try await folder.fill { try await renamed.write(to: $0) }
  }
}
