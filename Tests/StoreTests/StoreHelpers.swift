@testable import Store
import SystemPackage
import TestSupport

// One blob at a time, of whatever size it seems to be.
extension ContentStore {
  func contains(_ digest: Digest) -> Bool { size(of: digest).map { contains(digest, size: $0) } ?? false }

  func restore(_ digest: Digest, to path: FilePath, executable: Bool) throws -> Bool {
    let file = RestoredFile(
      digest: digest, size: size(of: digest) ?? 0, path: path, mode: executable ? 0o755 : 0o644)
    return try restore(file, below: try OpenFolder("/"))
  }

  func trim() throws -> Trimmed { try trim(above: limit, to: limit) }

  func keep(file: FilePath) throws -> Digest {
    let digest = try FileSystem.digest(of: file)
    try keep(file: file, digest: digest)
    return digest
  }

  func keep(_ bytes: [UInt8]) throws -> Digest {
    let scratch = Scratch()
    return try keep(file: scratch.write("blob", bytes))
  }

  /// Nil if it is not there, is damaged, or has more than `limit` bytes.
  func bytes(_ digest: Digest, limit: Int) -> [UInt8]? {
    let scratch = Scratch()
    guard let size = size(of: digest), size <= Int64(limit),
      (try? restore(digest, to: scratch("blob"), executable: false)) == true
    else { return nil }
    return try? FileSystem.read(scratch("blob"))
  }
}
