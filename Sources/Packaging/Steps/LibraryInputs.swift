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

  /// Opens and reads each file, several at once; its name in errors is its path.
  static func read<Input: Sendable>(
    _ files: [File], _ context: ActionContext,
    _ body: @escaping @Sendable (FilePath, borrowing ByteReader) throws(LibraryError) -> Input
  ) async throws -> (inputs: [Input], files: [SourceFile]) {
    let sources = try files.map { try SourceFile(context.absolute($0.input.path)) }
    var inputs: [Input] = []
    // The errors of the first file are shown, whichever is read first.
    try await inOrder(files.count) { index in
      Result {
        try sources[index].read { reader throws(LibraryError) in try body(files[index].input.path, reader) }
      }
    } _: { found in
      let input = try found.get()
      inputs.append(try explained(at: files[inputs.count].place) { () throws(LibraryError) in try input.get() })
    }
    return (inputs, sources)
  }
}
