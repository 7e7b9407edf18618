import Synchronization
import SystemPackage

/// The bytes of an archive, in memory or in a file, read at given offsets by any number of readers.
package struct ArchiveBytes: Sendable {
  /// In bytes.
  package let size: Int
  private let content: @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]
  /// Nil in the directory's own copy, because a directory that held itself would never be freed.
  private var known: Known? = Known()

  private final class Known: Sendable {
    let directory: Mutex<Result<ZipDirectory, ZipFormatError>?> = Mutex(nil)
  }

  package init(_ bytes: [UInt8]) {
    self.init(size: bytes.count) { offset, count in Array(bytes[offset..<(offset + count)]) }
  }

  package init(_ file: PositionalFile) { self.init(size: file.size) { try file.bytes(at: $0, count: $1) } }

  /// Bytes that are kept elsewhere; `read` gives fewer than asked for only where they end.
  package init(size: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]) {
    self.size = size
    content = read
  }

  /// The directory of a zip, which is read once for all callers.
  package func directory() throws(ZipFormatError) -> ZipDirectory {
    guard let known else { return try ZipDirectory(self) }
    return try known.directory.withLock { directory in
      let found = directory ?? Result { () throws(ZipFormatError) in try ZipDirectory(self) }
      directory = found
      return found
    }.get()
  }

  /// The copy that the directory itself keeps.
  var withoutDirectory: ArchiveBytes {
    var source = self
    source.known = nil
    return source
  }

  /// Exactly `count` bytes. Their existence is checked before anything is allocated.
  func read(at offset: Int, count: Int, _ field: ZipFormatError.Field) throws(ZipFormatError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw ZipFormatError(offset: offset, field: field, reason: .outsideFile)
    }
    let bytes: [UInt8]
    do { bytes = try content(offset, count) } catch {
      throw ZipFormatError(offset: offset, field: field, reason: .unreadable((error as? Errno) ?? .ioError))
    }
    guard bytes.count == count else { throw ZipFormatError(offset: offset, field: field, reason: .outsideFile) }
    return bytes
  }
}
