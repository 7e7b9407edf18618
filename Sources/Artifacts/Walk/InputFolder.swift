package import Findings
import Store
package import SystemPackage

/// Files by their paths as a command line spells them: from a folder, or from the root.
package struct InputFolder: Sendable {
  private let folder: FilePath

  package init(_ folder: FilePath) { self.folder = folder }

  /// Nil if there is no such file.
  package func bytes(at path: String) throws(Mistakes) -> EntryBytes? {
    let path = folder.pushing(FilePath(path))
    do throws(FileError) {
      guard try FileSystem.status(of: path, followingLinks: true)?.kind == .file else { return nil }
      return try EntryBytes(of: path)
    } catch {
      throw Mistakes(error.description, hint: error.hint)
    }
  }
}
