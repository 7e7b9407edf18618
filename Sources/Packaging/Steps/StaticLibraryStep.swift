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
      let inputs = try LibraryInputs.read(files, context) { path, reader throws(LibraryError) in
        try StaticLibraryInput(name: path.string, member: path.lastComponent?.nameBytes ?? [], reader)
      }
      let (libraries, universal) = try LibraryInputs.explained(at: place) { () throws(LibraryError) in
        let libraries = try StaticLibrary.all(of: inputs)
        return (libraries, libraries.count > 1 ? try StaticLibrary.universal(libraries) : nil)
      }
      return FileContents(
        form: .stream { output in
          func write(_ library: StaticLibrary) throws {
            for piece in library.pieces {
              try output.write(piece.header)
              try LibraryInputs.copy(piece.source, of: files[piece.input], context, to: &output)
              try output.write([UInt8](repeating: UInt8(ascii: "\n"), count: piece.padding))
            }
          }
          guard let universal else { return try libraries.forEach(write) }
          try output.write(universal.header)
          for slice in universal.slices {
            try output.write([UInt8](repeating: 0, count: slice.padding))
            try write(libraries[slice.input])
          }
        })
    }
  }
}
