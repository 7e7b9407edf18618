import CLibrary
package import SystemPackage

/// A file's bytes without reading them all: mapped from 64 KB on, a copy in memory below that.
///
/// A mapped file that is truncated ends the process, with a message (`MappingGuard`). So read files that may change.
///
/// Several tasks may read it at once, because it is never written to.
@safe package struct MappedFile: ~Copyable, @unchecked Sendable {
  package let path: FilePath
  package let count: Int
  private let content: Content

  @safe private enum Content {
    case copy([UInt8])
    /// The address, and the number from `MappingGuard`.
    case mapping(UnsafeRawPointer, Int)
  }

  /// In bytes. Reading a smaller file is faster than mapping it.
  package static let minMappedSize = 64 << 10

  package static func open(_ path: FilePath) throws(FileError) -> MappedFile {
    let file = try FileSystem.open(path)
    defer { try? file.close() }
    return try open(file, path)
  }

  /// Maps or reads an open file, which may be closed afterwards. `path` is for error messages.
  package static func open(_ file: FileDescriptor, _ path: FilePath) throws(FileError) -> MappedFile {
    let count = Int(try FileSystem.status(file, path).size)
    if count < minMappedSize { return MappedFile(try FileSystem.read(file, path), path: path) }
    return try map(file, path, 0..<count)
  }

  /// Bytes in memory in place of a file. `path` is for error messages.
  package init(_ bytes: [UInt8], path: FilePath) {
    self.init(path: path, count: bytes.count, content: .copy(bytes))
  }

  private init(path: FilePath, count: Int, content: consuming Content) {
    self.path = path
    self.count = count
    self.content = content
  }

  /// A part of a temporary file, from a page's start on. Bytes beyond the file's end must be written before a read.
  package static func map(_ temporary: borrowing TemporaryFile, _ part: Range<Int>) throws(FileError) -> MappedFile {
    try map(temporary.file, temporary.folder, part)
  }

  private static func map(_ file: FileDescriptor, _ path: FilePath, _ part: Range<Int>) throws(FileError) -> MappedFile
  {
    let address = unsafe mmap(nil, part.count, PROT_READ, MAP_SHARED, file.rawValue, off_t(part.lowerBound))
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw FileError(path, doing: "map", code: Errno(rawValue: errno))
    }
    let number = MappingGuard.enter(UInt(bitPattern: address), count: part.count, path)
    return MappedFile(path: path, count: part.count, content: unsafe .mapping(UnsafeRawPointer(address), number))
  }

  /// The bytes are valid during the call; the compiler keeps the span from escaping.
  package borrowing func withBytes<R: ~Copyable, E: Error>(
    _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    switch content {
    case .copy(let bytes): try unsafe body(bytes.span.bytes)
    case .mapping(let address, _): try unsafe body(RawSpan(_unsafeStart: address, byteCount: count))
    }
  }

  /// Releases the memory, so that a large file that is read once does not fill it. It can be read again.
  package borrowing func forget() {
    guard case .mapping(let address, _) = content else { return }
    // The call is advice, so its result does not matter.
    _ = unsafe madvise(UnsafeMutableRawPointer(mutating: address), count, MADV_DONTNEED)
  }

  deinit {
    if case .mapping(let address, let number) = content {
      MappingGuard.leave(number)
      unsafe munmap(UnsafeMutableRawPointer(mutating: address), count)
    }
  }
}
