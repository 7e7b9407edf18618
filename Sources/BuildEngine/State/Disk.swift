package import Store
package import SystemPackage

/// The file system, as the engine uses it. Tests have one in memory that records what was read and made.
package protocol Disk: Sendable {
  /// The absolute folder below which files may be changed.
  var root: FilePath { get }
  /// Nil if nothing is there (or, when links are followed, if the link leads nowhere).
  func status(_ path: FilePath, followingLinks: Bool) throws(FileError) -> FileStamp?
  /// Sorted by bytes.
  func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component]
  func read(_ path: FilePath) throws(FileError) -> [UInt8]
  func digest(_ path: FilePath) throws(FileError) -> Digest
  func linkTarget(_ path: FilePath) throws(FileError) -> FilePath
  /// The absolute path of an existing file, without links.
  func realPath(_ path: FilePath) throws(FileError) -> FilePath
  /// The permission bits of a file or folder; nil if nothing is there.
  func mode(_ path: FilePath) throws(FileError) -> UInt16?
  func makeFolders(_ path: FilePath) throws(FileError)
  /// Nothing may exist at the path.
  func makeLink(_ path: FilePath, to target: FilePath) throws(FileError)
  /// Removes a folder with its contents. A missing path is no error.
  func remove(_ path: FilePath) throws(FileError)
  func rename(_ path: FilePath, to target: FilePath) throws(FileError)
  /// Replaces the whole content atomically.
  func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError)
  func append(_ path: FilePath, _ bytes: [UInt8]) throws(FileError)

  // For many lookups in a row: zero-terminated paths in one array, absolute or relative to the root.

  /// Nil if nothing is there.
  func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStamp?
  /// The zero-terminated names in a folder, in the order of the file system.
  func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8]
}

extension Disk {
  /// The time of the clock that stamps files on this disk, which may be another machine's; in nanoseconds since 1970.
  /// It is the time of a folder that is made and removed at `place`, where nothing may be.
  func time(_ place: FilePath) throws(FileError) -> Int64? {
    try makeFolders(place)
    let time = try status(place, followingLinks: false)?.changed
    try remove(place)
    return time
  }
}

/// The real file system. It reads anywhere, and changes only what is below the root: no link and no `..` leads out.
package typealias RealDisk = OpenFolder

extension OpenFolder: Disk {
  package var root: FilePath { path }

  package func status(_ path: FilePath, followingLinks: Bool) throws(FileError) -> FileStamp? {
    try FileSystem.status(of: path, followingLinks: followingLinks)
  }

  package func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] { try FileSystem.list(folder) }

  package func read(_ path: FilePath) throws(FileError) -> [UInt8] { try FileSystem.read(path) }

  package func digest(_ path: FilePath) throws(FileError) -> Digest { try FileSystem.digest(of: path) }

  package func linkTarget(_ path: FilePath) throws(FileError) -> FilePath { try FileSystem.linkTarget(path) }

  package func realPath(_ path: FilePath) throws(FileError) -> FilePath {
    try FileSystem.realPath(self.path.pushing(path))
  }

  package func mode(_ path: FilePath) throws(FileError) -> UInt16? { try FileSystem.access(of: path)?.mode }
}
