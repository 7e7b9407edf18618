import SystemPackage

/// The bytes of a zip, wherever they are, read at given offsets.
package struct ZipSource: Sendable {
  /// In bytes.
  package let size: Int
  private let content: Content

  private enum Content {
    case bytes([UInt8])
    case file(PositionalFile)
  }

  package init(_ bytes: [UInt8]) {
    size = bytes.count
    content = .bytes(bytes)
  }

  package init(_ file: PositionalFile) {
    size = file.size
    content = .file(file)
  }

  /// Exactly `count` bytes; nothing is allocated before it is known that they are there.
  func read(at offset: Int, count: Int, _ field: ZipFormatError.Field) throws(ZipFormatError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw ZipFormatError(offset: offset, field: field, reason: .outsideFile)
    }
    switch content {
    case .bytes(let bytes): return Array(bytes[offset..<(offset + count)])
    case .file(let file):
      let bytes: [UInt8]
      do { bytes = try file.bytes(at: offset, count: count) } catch {
        throw ZipFormatError(offset: offset, field: field, reason: .unreadable(error))
      }
      guard bytes.count == count else { throw ZipFormatError(offset: offset, field: field, reason: .outsideFile) }
      return bytes
    }
  }
}
