import BuildEngine
import Findings
import ObjectFiles
import Store
import SystemPackage

/// The files of a step that makes one library of several.
struct LibraryInputs: Sendable {
  /// The place of each input in the manifest.
  let places: [Place]

  struct File: Sendable {
    let place: Place
    let input: ResolvedInput
  }

  func files(_ inputs: [[ResolvedInput]]) -> [File] {
    zip(places, inputs).flatMap { place, inputs in
      inputs.filter { $0.kind == .regular }.map { File(place: place, input: $0) }
    }
  }

  /// Errors about the files are mistakes, because the files are the user's.
  static func explained<R>(at place: Place, _ body: () throws(LibraryError) -> R) throws(Mistakes) -> R {
    do throws(LibraryError) { return try body() } catch { throw Mistakes(error.description, at: place) }
  }

  /// Reads each file; its name in errors is its path.
  static func read<Input>(
    _ files: [File], _ context: ActionContext, _ body: (FilePath, borrowing ByteReader) throws(LibraryError) -> Input
  ) throws -> [Input] {
    try files.map { file in
      let mapped = try MappedFile.open(context.absolute(file.input.path))
      return try explained(at: file.place) { () throws(LibraryError) in
        try mapped.withBytes { bytes throws(LibraryError) in try body(file.input.path, ByteReader(bytes)) }
      }
    }
  }

  static func copy(
    _ part: Range<Int>, of file: File, _ context: ActionContext, to output: inout OutputFile
  ) throws {
    let source = try MappedFile.open(context.absolute(file.input.path))
    guard part.upperBound <= source.count else {
      throw StepFailure("\(file.input.path) was changed while it was being read", hint: "run again")
    }
    var written: Result<Void, FileError> = .success(())
    source.withBytes { bytes in
      written = Result { () throws(FileError) in try output.write(bytes.extracting(part)) }
    }
    try written.get()
  }
}
