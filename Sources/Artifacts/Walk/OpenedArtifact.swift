package import Archives
import ObjectFiles
package import Store
package import SystemPackage

/// An artifact that is opened once for its digest, its kind and a walk. For a folder there is only the path.
///
/// A file is read at its offsets, so that one which changes or is cut off meanwhile gives errors. Only code is mapped.
package struct OpenedArtifact: Sendable {
  package let path: FilePath
  /// The status after following links; nil if nothing is there.
  package let status: FileStamp?
  /// Nil if it is no file.
  private let file: (content: PositionalFile, source: ArchiveBytes)?

  /// Follows a link that was given directly. Links inside a folder are not followed: a walk finds their target itself.
  package init(_ path: FilePath) throws(FileError) {
    Lookups.named(path)
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

  /// For readers of archives; nil if it is no file.
  package var source: ArchiveBytes? { file?.source }

  /// Nil if it is no zip.
  package var directory: ZipDirectory? { try? source?.directory() }

  /// At most the first `count` bytes; empty for a folder.
  package func head(_ count: Int = FileKind.prefixLength) throws(FileError) -> [UInt8] {
    do throws(Errno) { return try file?.content.bytes(at: 0, count: count) ?? [] } catch {
      throw FileError(path, doing: "read", code: error)
    }
  }

  /// Whether it may be packed, so that reading its entries takes much longer than reading the file.
  package var isContainer: Bool {
    guard file != nil, let head = try? head() else { return false }
    return !FileKind(ByteReader(head.span)).isNativeCode
  }

  /// A file that changes meanwhile is an error, because its digest would match none of its states.
  package func digest() throws(FileError) -> Digest {
    try FileSystem.digest(of: try opened.descriptor, path)
  }

  /// All of the content: mapped, or copied if it is small.
  package func bytes() throws(FileError) -> EntryBytes {
    EntryBytes(try MappedFile.open(try opened.descriptor, path))
  }

  /// All of the content, as `FileSystem.read` gives it.
  package func text(limit: Int) throws(FileError) -> [UInt8] {
    try FileSystem.read(try opened.descriptor, path, limit: limit)
  }

  /// The first `count` bytes, or all of the content if it is small.
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
