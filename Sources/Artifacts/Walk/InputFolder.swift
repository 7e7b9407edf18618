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
    let status = try Mistakes.wrap(try FileSystem.status(of: path, followingLinks: true))
    return status?.kind == .file ? try Mistakes.wrap(try EntryBytes(of: path)) : nil
  }
}
