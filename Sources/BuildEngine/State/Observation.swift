package import Store
package import SystemPackage

/// One path that a run looked up, and what was there. In `.npi/state` it has the path with a zero byte, whether links
/// were followed, a byte for the kind of result, and the result (`RecordWriter`).
///
/// For folders only the kind counts, because their stamps also change with names that do not matter. Lists of names are
/// compared as such, because not every file system updates a folder's time with each name.
package struct Observation {
  /// Relative to the root, or absolute.
  let path: FilePath
  let followsLinks: Bool
  let what: What

  package enum What {
    /// Nothing, or a dangling link if links were followed.
    case absent
    case stamp(FileStamp)
    /// The stamp of a folder whose extended attributes count, which show in nothing else.
    case attributes(FileStamp)
    /// The names in a folder, sorted by bytes.
    case names([FilePath.Component])
    /// The absolute path without links.
    case realPath(FilePath)
  }

  package init(path: FilePath, followsLinks: Bool = false, what: What) {
    (self.path, self.followsLinks, self.what) = (path, followsLinks, what)
  }

  /// The observations by the bytes of their paths: the system finds neighbouring paths faster one after the other.
  package static func inOrder(_ observations: [Observation]) -> [Observation] {
    observations.map { (observation: $0, bytes: $0.path.pathBytes) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.observation)
  }

  private static let (absent, folder, stamp, names, realPath) = (UInt8(1), UInt8(2), UInt8(3), UInt8(4), UInt8(5))

  /// False if what was seen is gone, or was changed at or after the time when the run began, by the disk's clock.
  package func write(to writer: inout RecordWriter, since time: Int64, _ disk: any Disk) throws(FileError) -> Bool {
    let name = (path.isEmpty ? [0x2E] : path.pathBytes) + [0]
    writer.add(bytes: name)
    writer.add(followsLinks)
    switch what {
    case .absent: writer.add(byte: Observation.absent)
    case .stamp(let stamp) where stamp.kind == .directory: writer.add(byte: Observation.folder)
    case .stamp(let stamp), .attributes(let stamp):
      writer.add(byte: Observation.stamp)
      writer.add(stamp)
      return !stamp.isRacy(disk: time)
    case .names(let names):
      // The names stand in the file system's order, so that comparing needs no sorting.
      let listed = try disk.list(name, at: 0)
      let sorted = listed.split(separator: 0).sorted { $0.lexicographicallyPrecedes($1) }
      guard sorted.elementsEqual(names, by: { $0.elementsEqual($1.nameBytes) }) else { return false }
      writer.add(byte: Observation.names)
      writer.add(bytes: listed)
    case .realPath(let real):
      writer.add(byte: Observation.realPath)
      writer.add(real)
    }
    return true
  }

  /// Whether the reader's next observation still holds. `bytes` is all that the reader reads; the path is not copied.
  package static func isSame(_ reader: inout RecordReader, of bytes: [UInt8], _ disk: any Disk) throws(FileError)
    -> Bool
  {
    guard let path = reader.bytes(), path.last == 0, let followsLinks = reader.flag(), let what = reader.byte() else {
      return false
    }
    if what == names {
      guard let names = reader.bytes() else { return false }
      return try disk.list(bytes, at: path.startIndex).elementsEqual(names)
    }
    if what == realPath {
      guard let path = FilePath(pathBytes: path.dropLast()), let real = reader.path() else { return false }
      return try disk.realPath(path) == real
    }
    let now = try disk.status(bytes, at: path.startIndex, followingLinks: followsLinks)
    switch what {
    case absent: return now == nil
    case folder: return now?.kind == .directory
    case stamp: return now != nil && now == reader.stamp()
    default: return false
    }
  }
}
