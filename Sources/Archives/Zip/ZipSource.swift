import SystemPackage

/// The bytes of a zip, wherever they are, read at given offsets.
package struct ZipSource: Sendable {
  /// In bytes.
  package let size: Int
  private let content: Content

  private enum Content {
    case bytes([UInt8])
    case file(PositionalFile)
    case reader(@Sendable (_ offset: Int, _ count: Int) throws -> [UInt8])
  }

  package init(_ bytes: [UInt8]) {
    size = bytes.count
    content = .bytes(bytes)
  }

  package init(_ file: PositionalFile) {
    size = file.size
    content = .file(file)
  }

  /// Bytes that are kept elsewhere; `read` gives fewer than asked for only where they end.
  package init(size: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]) {
    self.size = size
    content = .reader(read)
  }

  /// Exactly `count` bytes; nothing is allocated before it is known that they are there.
  func read(at offset: Int, count: Int, _ field: ZipFormatError.Field) throws(ZipFormatError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw ZipFormatError(offset: offset, field: field, reason: .outsideFile)
    }
    switch content {
    case .bytes(let bytes): return Array(bytes[offset..<(offset + count)])
    case .file(let file): return try whole(offset, count, field, file.bytes)
    case .reader(let read): return try whole(offset, count, field, read)
    }
  }

  private func whole(
    _ offset: Int, _ count: Int, _ field: ZipFormatError.Field, _ read: (Int, Int) throws -> [UInt8]
  ) throws(ZipFormatError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try read(offset, count) } catch {
      throw ZipFormatError(offset: offset, field: field, reason: .unreadable((error as? Errno) ?? .ioError))
    }
    guard bytes.count == count else { throw ZipFormatError(offset: offset, field: field, reason: .outsideFile) }
    return bytes
  }
}
