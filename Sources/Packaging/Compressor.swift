import Archives
import Store
import SystemPackage

/// What the bytes of a zip depend on besides its entries.
enum Compressor {
  /// The digest of what the compressor makes of a fixed buffer, and of the version of the canonical format. In the key of
  /// every zip and in the release record: another compressor makes other bytes.
  static let fingerprint: Digest = {
    let bytes = (try? Deflate.fingerprint()) ?? []
    return Digest(of: Array("zip \(ZipWriter.formatVersion)\n".utf8) + bytes)
  }()

  /// The files that the fingerprint comes from, besides the program itself.
  static var libraries: [FilePath] { Deflate.library.map { [$0] } ?? [] }
}
