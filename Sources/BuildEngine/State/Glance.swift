package import Store
import SystemPackage

/// Looks at many things below one folder in a row. Names stand in one array, each with a zero byte at its end, so that
/// nothing is made for each of them.
package protocol Glance: Sendable {
  /// Nil if nothing is there.
  func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStatus?
  /// The names in a folder in the order of the file system, each with a zero byte at its end.
  func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8]
}

/// Of any disk, by its paths.
struct PathGlance: Glance {
  let disk: any Disk
  let root: FilePath

  func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStatus? {
    guard let path = path(names, at: offset) else { return nil }
    return try disk.status(path, followingLinks: followingLinks)
  }

  func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8] {
    guard let path = path(names, at: offset) else { return [] }
    return try disk.list(path).flatMap { $0.nameBytes + [0] }
  }

  private func path(_ names: [UInt8], at offset: Int) -> FilePath? {
    FilePath(pathBytes: names[offset...].prefix { $0 != 0 }).map { root.pushing($0) }
  }
}

/// Of the real one, by the open folder: the system need not go the way to it each time.
struct FolderGlance: Glance {
  let folder: OpenFolder

  func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStatus? {
    try folder.status(names, at: offset, followingLinks: followingLinks)
  }

  func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8] { try folder.list(names, at: offset) }
}
