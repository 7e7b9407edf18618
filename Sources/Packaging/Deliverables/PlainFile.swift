package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `file`: a file that belongs to a release and that nothing here makes or judges, such as symbols or a change log.
package enum PlainFile: DeliverableKind {
  package static let artifact = ArtifactKind.plainFile
  package static let kind = Kind(
    name: "file",
    keys: [
      Key("from", .path, required: true, "the file; a step may make it"),
      Key("name", .name, "the file's name (that of 'from')"),
    ],
    summary: "a file as it is, which is released with the others")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let nodes = declaration.node["from"].map { [$0] } ?? []
    let name = plan.manifest.fileName(declaration, artifact)
    if Glob.isPattern(name) {
      throw Mistakes(
        "'\(name)' is no name for a file", at: declaration.place, hint: "'name' says what the file is called")
    }
    if ["SHA256SUMS", ".gitignore"].contains(name) || name.hasSuffix(".release.json") {
      throw Mistakes(
        "'\(name)' is the name of a file that npi-pack itself writes", at: declaration.place,
        hint: "set 'name' to another one")
    }
    return plan.step(declaration, PlainFile.self, inputs: try Plan.inputs(nodes), Maker(place: declaration.place))
  }

  private struct Maker: FileMaker {
    let place: Place

    func encode(into encoder: inout some KeyEncoder) {}

    func isExecutable(_ inputs: [[ResolvedInput]]) -> Bool { inputs.first?.first?.executable ?? false }

    func make(_ context: ActionContext) async throws -> FileContents {
      guard let inputs = context.inputs.first, inputs.count == 1, let file = inputs.first, file.kind == .regular else {
        throw Mistakes("'from' is one file, and not a folder, a link or several", at: place)
      }
      return FileContents(form: .assembled(AssembledFile(try SourceFile(context.absolute(file.path)))))
    }
  }
}
