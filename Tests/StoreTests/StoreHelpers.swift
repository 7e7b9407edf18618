import Store
import SystemPackage

// One blob at a time, of whatever size it seems to be.
extension ContentStore {
  func contains(_ digest: Digest) -> Bool { size(of: digest).map { contains(digest, size: $0) } ?? false }

  func restore(_ digest: Digest, to path: FilePath, executable: Bool) throws -> Bool {
    let file = RestoredFile(
      digest: digest, size: size(of: digest) ?? 0, path: path, mode: executable ? 0o755 : 0o644)
    return try restore(file, below: try OpenFolder("/"))
  }

  private func size(of digest: Digest) -> Int64? {
    let path = folder.appending("cas").appending(String(digest.hex.prefix(2))).appending(digest.hex)
    guard let status = try? FileSystem.status(of: path), status.kind == .file else { return nil }
    return status.size
  }
}
