package import Archives
import ObjectFiles
package import Store
package import SystemPackage

/// An artifact that was opened once, for all that is asked of it: its digest, its kind, a walk. Of a folder there is only
/// the path.
///
/// A file is read at its offsets, so that one which changes or is cut off meanwhile gives errors. Only code is mapped.
package struct OpenedArtifact: Sendable {
  package let path: FilePath
  /// The status of what the path leads to; nil if nothing is there.
  package let status: FileStamp?
  /// Nil: it is no file.
  private let file: (content: PositionalFile, source: ArchiveBytes)?

  /// A link is followed where it was named: in a folder it leads to what is found in its own place.
  package init(_ path: FilePath) throws(FileError) {
    try self.init(path, try FileSystem.status(of: path, followingLinks: true))
  }

  init(_ path: FilePath, _ status: FileStamp?) throws(FileError) {
    self.path = path
    self.status = status
    do throws(Errno) {
      file =
        status?.kind == .regular
        ? try { path throws(Errno) in
          let file = try PositionalFile(path)
          return (file, ArchiveBytes(file))
        }(path) : nil
    } catch {
      throw FileError(path, doing: "open", code: error)
    }
  }

  /// For whoever reads it as an archive; nil if it is no file.
  package var source: ArchiveBytes? { file?.source }

  /// The directory of the zip that it is; nil if it is none.
  package var directory: ZipDirectory? { try? source?.directory() }

  /// What it begins with, up to `count` bytes: nothing of a folder.
  package func head(_ count: Int = FileKind.prefixLength) throws(FileError) -> [UInt8] {
    do throws(Errno) { return try file?.content.bytes(at: 0, count: count) ?? [] } catch {
      throw FileError(path, doing: "read", code: error)
    }
  }

  /// Whether it is packed, so that reading what is in it takes much longer than reading it.
  package var isContainer: Bool {
    guard file != nil, let head = try? head() else { return false }
    return !FileKind(ByteReader(head.span)).isNativeCode
  }

  /// The digest of the content. A file that changes meanwhile is an error: its digest would name what never was.
  package func digest() throws(FileError) -> Digest {
    try FileSystem.digest(of: try opened.descriptor, path)
  }

  /// All of it: mapped, or a copy of what is small.
  package func bytes() throws(FileError) -> EntryBytes {
    EntryBytes(try MappedFile.open(try opened.descriptor, path))
  }

  /// All of it, as `FileSystem.read` gives it.
  package func text(limit: Int) throws(FileError) -> [UInt8] {
    try FileSystem.read(try opened.descriptor, path, limit: limit)
  }

  /// What it begins with, and all of it if it is small.
  func beginning(_ count: Int) throws(FileError) -> (head: [UInt8], isAll: Bool) {
    let size = try opened.size
    let isSmall = size < MappedFile.minMappedSize
    return (try head(isSmall ? size : count), isSmall)
  }

  private var opened: PositionalFile {
    get throws(FileError) {
      guard let file else { throw FileError.noFile(path) }
      return file.content
    }
  }
}
