import Findings
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// An object file or library whose symbols get new names: what changes, and the file that it is read from.
struct RenamedFile: Sendable {
  private let source: SourceFile
  private let prefix: SymbolPrefix
  private let renaming: SymbolRenaming

  /// - Parameters:
  ///   - path: opens the file.
  ///   - name: the file's name in errors.
  ///   - keepsDebug: false leaves debugging information out.
  init(_ path: FilePath, name: String, _ prefix: SymbolPrefix, keepsDebug: Bool) throws {
    source = try SourceFile(path)
    self.prefix = prefix
    let source = source
    func read(keepsDebug: Bool) throws(FileError) -> Result<SymbolRenaming, LibraryError> {
      try source.read { reader throws(LibraryError) in
        try SymbolRenaming(reader, name: name, prefix, keepsDebug: keepsDebug)
      }
    }
    switch try read(keepsDebug: keepsDebug) {
    case .success(let done): renaming = done
    case .failure(let error):
      let isAboutDebugging = keepsDebug && (try? read(keepsDebug: false).get()) != nil
      throw Mistakes(
        error.description,
        hint: isAboutDebugging ? "leave debugging information out: --drop-debug, or debug: drop in a step" : nil)
    }
  }

  /// How many names change.
  var count: Int { renaming.count }
  /// Names that no prefix changes.
  var left: LeftNames { renaming.left }
  /// The names that change, of each slice.
  var names: [RenamedNames] { renaming.names }
  /// Renamed classes whose old names are texts in the code too.
  var risks: Set<String> { renaming.risks }
  /// Listed names that the file does not have.
  var unmatched: [String] { renaming.unmatched }

  func write(to output: inout OutputFile) throws {
    let written = try source.read { reader throws(FileError) in
      var buffer: [UInt8] = []
      try renaming.edits.forEachPiece(of: reader.range) { piece throws(FileError) in
        switch piece {
        case .bytes(let bytes): buffer += bytes
        case .range(let range): reader.append(range, to: &buffer)
        }
        guard buffer.count >= RenamedFile.block else { return }
        try output.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      try output.write(buffer)
    }
    try written.get()
  }

  private static let block = 1 << 20

  /// Reads the written file back. Throws unless it has the old symbols with their new names, and no others.
  func check(_ path: FilePath, name: String) throws {
    let written = try SourceFile(path)
    let read = try source.read { old throws(Mistakes) in
      let result: Result<Void, LibraryError>
      do throws(FileError) {
        result = try written.read { new throws(LibraryError) in try RenamingProof.check(old, new, prefix) }
      } catch { throw Mistakes("\(error)") }
      do throws(LibraryError) { try result.get() } catch {
        throw Mistakes("\(name) is not written, because it would not be as it should: \(error)")
      }
    }
    try read.get()
  }
}
