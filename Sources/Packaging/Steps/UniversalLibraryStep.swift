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
    let output = FilePath(declaration.node["output"]?.text ?? "")
    return Step(
      name: declaration.name, summary: "universal-library \(output)",
      inputs: try Plan.inputs(declaration.node["inputs"]?.texts ?? []), outputs: [output],
      action: UniversalLibraryAction(places: (declaration.node["inputs"]?.texts ?? []).map(\.place)),
      place: declaration.place)
  }
}

private struct UniversalLibraryAction: Action {
  let places: [Place]

  func encode(into encoder: inout some KeyEncoder) { encoder.add("kind", "universal-library") }

  func run(_ context: ActionContext) async throws -> ActionReport {
    try EscapingLinks.refuse(zip(places, context.inputs).map { ($0, $1) }, context)
    let files = context.inputs.flatMap { $0 }.filter { $0.kind == .file }
    var inputs: [UniversalInput] = []
    for file in files {
      let mapped = try MappedFile.open(context.absolute(file.path))
      inputs.append(
        try mapped.withBytes { bytes throws(UniversalLibraryError) in
          try UniversalInput(name: file.path.string, ByteReader(bytes))
        })
    }
    let layout = try UniversalLibrary(inputs)
    var output = try context.create(context.outputs[0], executable: files.contains(where: \.executable))
    try output.write(layout.header)
    for slice in layout.slices {
      try output.write([UInt8](repeating: 0, count: slice.padding))
      let source = try MappedFile.open(context.absolute(files[slice.input].path))
      guard slice.source.upperBound <= source.count else {
        throw StepFailure("\(files[slice.input].path) was changed while it was being read", hint: "run again")
      }
      var written: Result<Void, FileError> = .success(())
      source.withBytes { bytes in
        written = Result { () throws(FileError) in try output.write(bytes.extracting(slice.source)) }
      }
      try written.get()
    }
    try output.commit()
    return ActionReport()
  }
}
