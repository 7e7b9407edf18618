import Artifacts
import Store
import SystemPackage

/// What the system says of a plugin without opening a file of it. Of a folder it is what it says of all that lies in it.
/// Equal stamps: the same plugin as then.
struct PluginStamp: Equatable, Sendable {
  let digest: Digest
  /// Whether it can no longer change without another stamp.
  let isSettled: Bool

  /// A folder with more than that is read each time.
  private static let maxEntries = 50_000

  /// Nil of what is not there, or is neither file nor folder.
  /// - Parameter status: the system's word on the path itself.
  init?(_ path: FilePath, _ status: FileStamp?, now: Int64) {
    guard let status else { return nil }
    switch status.kind {
    case .regular:
      digest = Digest(of: "\(status)")
      isSettled = !status.isRacy(machine: now)
    case .directory:
      var builder = DigestBuilder()
      // What a folder's files are is told by where they lie.
      builder.update(Array("\(path)\0".utf8))
      var isSettled = true
      var count = 0
      var folders: [(path: FilePath, stamp: FileStamp)] = [(path, status)]
      while let (folder, stamp) = folders.popLast() {
        builder.update(Array("\(stamp)\0".utf8))
        isSettled = isSettled && !stamp.isRacy(machine: now)
        guard let names = try? FileSystem.list(folder) else { return nil }
        count += names.count
        if count > PluginStamp.maxEntries { return nil }
        for name in names {
          let entry = folder.appending(name)
          guard let status = try? FileSystem.status(of: entry) else { return nil }
          if status.kind == .directory { folders.append((entry, status)) }
          builder.update(name.nameBytes + Array("\0\(status.kind) \(status)\0".utf8))
          isSettled = isSettled && !status.isRacy(machine: now)
        }
      }
      digest = builder.finish()
      self.isSettled = isSettled
    default: return nil
    }
  }
}
