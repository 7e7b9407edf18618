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

  /// Opens and reads each file; its name in errors is its path.
  static func read<Input>(
    _ files: [File], _ context: ActionContext, _ body: (FilePath, borrowing ByteReader) throws(LibraryError) -> Input
  ) throws -> (inputs: [Input], files: [SourceFile]) {
    let sources = try files.map { try SourceFile(context.absolute($0.input.path)) }
    let inputs = try zip(files, sources).map { file, source in
      let input = try source.read { reader throws(LibraryError) in try body(file.input.path, reader) }
      return try explained(at: file.place) { () throws(LibraryError) in try input.get() }
    }
    return (inputs, sources)
  }
}
