package import BuildEngine
package import Documents
package import Findings
import ObjectFiles
import Store
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
    return plan.step(declaration, kind, inputs: inputs, Maker(place: declaration.place, places: inputs.map(\.place)))
  }

  private struct Maker: FileMaker {
    let place: Place
    /// The place of each input.
    let places: [Place]

    func encode(into encoder: inout some KeyEncoder) {}

    func isExecutable(_ inputs: [[ResolvedInput]]) -> Bool { files(inputs).contains(where: \.executable) }

    private func files(_ inputs: [[ResolvedInput]]) -> [ResolvedInput] {
      inputs.joined().filter { $0.kind == .regular }
    }

    /// Turns errors about the files into mistakes, because the files are the user's.
    private func explained<R>(at place: Place, _ body: () throws(UniversalLibraryError) -> R) throws(Mistakes) -> R {
      do throws(UniversalLibraryError) { return try body() } catch { throw Mistakes(error.description, at: place) }
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      let files = files(context.inputs)
      var inputs: [UniversalInput] = []
      for (place, named) in zip(places, context.inputs) {
        for input in self.files([named]) {
          let mapped = try MappedFile.open(context.absolute(input.path))
          inputs.append(
            try explained(at: place) { () throws(UniversalLibraryError) in
              try mapped.withBytes { bytes throws(UniversalLibraryError) in
                try UniversalInput(name: input.path.string, ByteReader(bytes))
              }
            })
        }
      }
      let layout = try explained(at: place) { () throws(UniversalLibraryError) in try UniversalLibrary(inputs) }
      return FileContents(
        form: .stream { file in
          try file.write(layout.header)
          for slice in layout.slices {
            try file.write([UInt8](repeating: 0, count: slice.padding))
            let source = try MappedFile.open(context.absolute(files[slice.input].path))
            guard slice.source.upperBound <= source.count else {
              throw StepFailure("\(files[slice.input].path) was changed while it was being read", hint: "run again")
            }
            var written: Result<Void, FileError> = .success(())
            source.withBytes { bytes in
              written = Result { () throws(FileError) in try file.write(bytes.extracting(slice.source)) }
            }
            try written.get()
          }
        })
    }
  }
}
