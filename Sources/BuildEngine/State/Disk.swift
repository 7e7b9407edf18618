package import Store
package import SystemPackage

/// The file system, as the engine uses it. Tests have one in memory that records what was read and made.
package protocol Disk: Sendable {
  /// Nil if nothing is there (or, when links are followed, if the link leads nowhere).
  func status(_ path: FilePath, followingLinks: Bool) throws(FileError) -> FileStatus?
  /// Sorted by bytes.
  func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component]
  func read(_ path: FilePath) throws(FileError) -> [UInt8]
  func digest(_ path: FilePath) throws(FileError) -> Digest
  func linkTarget(_ path: FilePath) throws(FileError) -> FilePath
  /// The permission bits of a file or folder; nil if nothing is there.
  func mode(_ path: FilePath) throws(FileError) -> UInt16?
  func makeFolders(_ path: FilePath) throws(FileError)
  /// Nothing may be there.
  func makeLink(_ path: FilePath, to target: FilePath) throws(FileError)
  /// A folder with all that is in it; nothing there is no error.
  func remove(_ path: FilePath) throws(FileError)
  func rename(_ path: FilePath, to target: FilePath) throws(FileError)
  /// Replaces the whole content in one go.
  func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError)
  func append(_ path: FilePath, _ bytes: [UInt8]) throws(FileError)
  /// For looking at many things below a folder that is there.
  func glance(at root: FilePath) throws(FileError) -> any Glance
}

extension Disk {
  package func glance(at root: FilePath) throws(FileError) -> any Glance { PathGlance(disk: self, root: root) }
}

/// The real one. It looks everywhere and changes nothing but what is below the root: a path that leads out of it, through a
/// link or by itself, is an error.
package struct RealDisk: Disk {
  private let tree: OpenFolder

  package init(_ root: FilePath) throws(FileError) { tree = try OpenFolder(root) }

  package func status(_ path: FilePath, followingLinks: Bool) throws(FileError) -> FileStatus? {
    try FileSystem.status(of: path, followingLinks: followingLinks)
  }

  package func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] { try FileSystem.list(folder) }

  package func read(_ path: FilePath) throws(FileError) -> [UInt8] { try FileSystem.read(path) }

  package func digest(_ path: FilePath) throws(FileError) -> Digest { try FileSystem.digest(of: path) }

  package func linkTarget(_ path: FilePath) throws(FileError) -> FilePath { try FileSystem.linkTarget(path) }

  package func mode(_ path: FilePath) throws(FileError) -> UInt16? { try FileSystem.access(of: path)?.mode }

  package func makeFolders(_ path: FilePath) throws(FileError) { try tree.makeFolders(path) }

  package func makeLink(_ path: FilePath, to target: FilePath) throws(FileError) {
    try tree.makeLink(path, to: target)
  }

  package func remove(_ path: FilePath) throws(FileError) { try tree.remove(path) }

  /// A folder in which nothing is; one that has something in it stays.
  package func removeEmpty(_ path: FilePath) throws(FileError) { try tree.removeEmpty(path) }

  package func rename(_ path: FilePath, to target: FilePath) throws(FileError) { try tree.rename(path, to: target) }

  package func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) { try tree.write(path, bytes) }

  package func append(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) { try tree.append(path, bytes) }

  package func glance(at root: FilePath) throws(FileError) -> any Glance { FolderGlance(folder: try OpenFolder(root)) }
}
