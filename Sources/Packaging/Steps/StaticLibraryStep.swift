package import BuildEngine
package import Documents
package import Findings
import ObjectFiles
import Store
import SystemPackage

/// `static-library`: objects and static libraries joined into one, with the bytes that `libtool -static -D` makes. Every
/// member begins where Apple's linker wants it.
package enum StaticLibraryStep: PlannedKind {
  package static let kind = Kind(
    name: "static-library",
    keys: [
      Key(
        "inputs", .oneOrMany(.path), required: true, "object files and static libraries, in the order of the members"),
      Key("output", .path, required: true, "the library; a fat file if the inputs are for several architectures"),
    ],
    summary: "one static library of objects and libraries, as libtool -static makes it")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let inputs = try Plan.inputs(declaration.node["inputs"]?.texts ?? [])
    let maker = Maker(place: declaration.place, inputs: LibraryInputs(places: inputs.map(\.place)))
    return plan.step(declaration, kind, inputs: inputs, maker)
  }

  private struct Maker: FileMaker {
    let place: Place
    let inputs: LibraryInputs

    func encode(into encoder: inout some KeyEncoder) {}

    func make(_ context: ActionContext) async throws -> FileContents {
      let files = inputs.files(context.inputs)
      guard !files.isEmpty else { throw Mistakes("a static library needs at least one object file", at: place) }
      let (inputs, sources) = try await LibraryInputs.read(files, context) { path, reader throws(LibraryError) in
        try StaticLibraryInput(name: path.string, member: path.lastComponent?.nameBytes ?? [], reader)
      }
      let library = try LibraryInputs.explained(at: place) { () throws(LibraryError) in
        try AssembledFile(try StaticLibrary.all(of: inputs), of: sources)
      }
      return FileContents(form: .assembled(library))
    }
  }
}
