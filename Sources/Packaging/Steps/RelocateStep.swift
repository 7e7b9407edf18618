import Archives
import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Rewriting
import Store
import SystemPackage

/// `relocate`: a jar, an AAR or a folder of classes whose packages have new names, so that no other library of an app
/// has its classes too.
package enum RelocateStep: PlannedKind {
  package static let kind = Kind(
    name: "relocate",
    keys: [
      Key("input", .path, required: true, "a jar, an AAR, or a folder of class files"),
      Key("output", .path, required: true, "the same with other packages"),
      Key("packages", .map(.text), required: true, "old name: new name; packages below one go with it"),
      Key("strings", .flag, "whether texts that begin with a package's name change too (false)"),
    ],
    summary: "Java classes in packages of other names, so that no other copy collides with them")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    var packages: [(old: String, new: String)] = []
    for member in node["packages"]?.members ?? [] {
      let new = member.node.text ?? ""
      if let fault = PackageMap.fault(in: member.key) { throw Mistakes(fault, at: member.keyPlace) }
      if let fault = PackageMap.fault(in: new) { throw Mistakes(fault, at: member.node.place) }
      packages.append((member.key, new))
    }
    guard !packages.isEmpty else {
      throw Mistakes("'packages' names no package", at: declaration.place, hint: "packages: { com.old: com.new }")
    }
    let settings = Settings(
      place: declaration.place, packages: packages, strings: node["strings"]?.text == "true", plan: plan)
    let inputs = try Plan.inputs([node["input"]].compactMap(\.self))
    let input = FilePath(node["input"]?.text ?? "")
    if ["jar", "aar"].contains(input.extension) {
      return plan.step(declaration, kind, inputs: inputs, FileOutput(settings: settings))
    }
    return plan.folderStep(declaration, kind, inputs: inputs, FolderOutput(settings: settings, input: input))
  }

  private struct Settings: Sendable {
    let place: Place
    let packages: [(old: String, new: String)]
    let strings: Bool
    let plan: Plan

    var relocation: JavaFileRelocation { JavaFileRelocation(PackageMap(packages), strings: strings) }

    func encode(into encoder: inout some KeyEncoder) {
      for (old, new) in packages {
        encoder.add("package", old)
        encoder.add("becomes", new)
      }
      encoder.add("strings", "\(strings)")
    }
  }

  private struct FileOutput: FileMaker {
    let settings: Settings

    func encode(into encoder: inout some KeyEncoder) {
      settings.plan.encodeArchive(into: &encoder)
      settings.encode(into: &encoder)
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      guard let input = context.inputs.first?.first, input.kind == .regular else {
        throw Mistakes("'input' is a jar or an AAR", at: settings.place)
      }
      let archive = try await RelocatedArchive(
        context.absolute(input.path), VendorArchive.Kind(input.path), name: Place(input.path.string),
        at: settings.place, settings.relocation, in: context.folder(of: context.outputs[0]))
      return FileContents(
        form: .archive(archive.entries, settings.plan.jarOptions), notes: archive.notes(of: input.path.string),
        scratch: archive.scratch)
    }
  }

  private struct FolderOutput: FolderMaker {
    let settings: Settings
    let input: FilePath

    func encode(into encoder: inout some KeyEncoder) { settings.encode(into: &encoder) }

    func make(_ context: ActionContext, _ folder: inout FolderWriter) async throws {
      let classes = try RelocatedClasses(context.absolute(input), name: input.string, settings.relocation)
      folder.notes += Relocate.notes(ofTexts: classes.keptTexts, input.string)
      try await folder.fill { try await classes.write(to: $0) }
    }
  }
}
