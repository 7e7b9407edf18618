package import Findings
package import ObjectFiles
import Store
package import SystemPackage

/// Files by their paths as a command line spells them: from a folder, or from the root.
package struct InputFolder: Sendable {
  private let folder: FilePath

  package init(_ folder: FilePath) { self.folder = folder }

  /// Nil if there is no such file.
  package func bytes(at path: String) throws(Mistakes) -> InputBytes? {
    let path = folder.pushing(FilePath(path))
    do throws(FileError) {
      guard try FileSystem.status(of: path, followingLinks: true)?.kind == .file else { return nil }
      return InputBytes(try MappedFile.open(path))
    } catch {
      throw Mistakes(error.description, hint: error.hint)
    }
  }
}

/// A file's bytes, lent to whoever reads them, to several tasks at once too.
package final class InputBytes: Sendable {
  private let file: MappedFile

  init(_ file: consuming MappedFile) { self.file = file }

  /// The bytes, for the length of the call.
  package func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    try file.withBytes { (bytes: RawSpan) throws(E) -> R in try body(ByteReader(bytes)) }
  }
}
