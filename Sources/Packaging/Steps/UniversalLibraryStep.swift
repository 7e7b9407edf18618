package import BuildEngine
package import Documents
package import Findings
import ObjectFiles
import SystemPackage

/// `universal-library`: thin libraries or objects joined into one fat file, with the bytes that `lipo -create` makes.
package enum UniversalLibraryStep: PlannedKind {
  package static let kind = Kind(
    name: "universal-library",
    keys: [
      Key("inputs", .oneOrMany(.path), required: true, "libraries or objects, of one architecture each"),
      Key("output", .path, required: true, "the fat file"),
    ],
    summary: "one fat file of several architectures, as lipo -create makes it")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let inputs = try Plan.inputs(declaration.node["inputs"]?.texts ?? [])
    let maker = Maker(place: declaration.place, inputs: LibraryInputs(places: inputs.map(\.place)))
    return plan.step(declaration, kind, inputs: inputs, maker)
  }

  private struct Maker: FileMaker {
    let place: Place
    let inputs: LibraryInputs

    func encode(into encoder: inout some KeyEncoder) {}

    func isExecutable(_ inputs: [[ResolvedInput]]) -> Bool {
      self.inputs.files(inputs).contains(where: \.input.executable)
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      let files = inputs.files(context.inputs)
      let (inputs, sources) = try await LibraryInputs.read(files, context) { path, reader throws(LibraryError) in
        try UniversalInput(name: path.string, reader)
      }
      let layout = try LibraryInputs.explained(at: place) { () throws(LibraryError) in try UniversalLibrary(inputs) }
      let library = AssembledFile(layout, of: sources)
      return FileContents(form: .assembled(library))
    }
  }
}
