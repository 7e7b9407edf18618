package import SystemPackage

/// The checksums that a Maven repository has beside each file, as lower-case hexadecimal digits.
package struct Checksums: Sendable {
  package let size: Int
  package let md5: String
  package let sha1: String
  package let sha256: String
  package let sha512: String

  package init(of path: FilePath) throws(FileError) {
    self = try MappedFile.open(path).withBytes { Checksums(of: $0) }
  }

  private init(of bytes: RawSpan) {
    var digest = DigestBuilder()
    var others = ChecksumBuilder()
    // Each piece is still in the processor's cache for the next algorithm.
    var start = 0
    while start < bytes.byteCount {
      let piece = bytes.extracting(start..<min(start + Checksums.piece, bytes.byteCount))
      digest.update(piece)
      others.update(piece)
      start += piece.byteCount
    }
    let digests = others.finish()
    size = bytes.byteCount
    md5 = hexadecimal(digests[..<16])
    sha1 = hexadecimal(digests[16..<36])
    sha512 = hexadecimal(digests[36...])
    sha256 = digest.finish().hex
  }

  private static let piece = 16 << 10

  /// With the ending of each in a repository.
  package var byEnding: [(ending: String, hex: String)] {
    [("md5", md5), ("sha1", sha1), ("sha256", sha256), ("sha512", sha512)]
  }
}
