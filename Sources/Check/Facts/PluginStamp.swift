import Artifacts
import Store
import SystemPackage

/// The file status of a plugin, without opening a file of it; for a folder, the status of everything in it. A plugin
/// with an equal stamp has not changed.
struct PluginStamp: Equatable, Sendable {
  let digest: Digest
  /// Whether every later change will change the stamp.
  let isSettled: Bool

  /// A folder with more entries has no stamp and is read each time.
  private static let maxEntries = 50_000

  /// Nil unless it is an existing file or folder. A run with a plugin that has no stamp is no stored answer.
  /// - Parameter status: the status of the path itself.
  init?(_ path: FilePath, _ status: FileStamp?, now: Int64) {
    Lookups.named(path)
    guard let status else { return nil }
    guard let stamp = PluginStamp(of: path, status, now: now) else {
      Lookups.giveUp()
      return nil
    }
    self = stamp
  }

  private init?(of path: FilePath, _ status: FileStamp, now: Int64) {
    switch status.kind {
    case .regular:
      digest = Digest(of: "\(status)")
      isSettled = !status.isRacy(machine: now)
    case .directory:
      var builder = DigestBuilder()
      // The path is part of it, because the role of a folder's files depends on their places.
      builder.update(Array("\(path)\0".utf8))
      var isSettled = !status.isRacy(machine: now)
      builder.update(Array("\(status)\0".utf8))
      // Folders that are still to be listed, as null-terminated paths below the plugin's own folder.
      guard let root = try? OpenFolder(path) else { return nil }
      var folders: [[UInt8]] = [[UInt8(ascii: "."), 0]]
      var count = 0
      while let folder = folders.popLast() {
        guard let names = try? root.list(folder, at: 0) else { return nil }
        builder.update(folder)
        for name in names.split(separator: 0).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
          let entry: [UInt8] = folder[..<(folder.count - 1)] + [UInt8(ascii: "/")] + name + [0]
          guard count < PluginStamp.maxEntries, let status = try? root.status(entry, at: 0, followingLinks: false)
          else {
            return nil
          }
          count += 1
          if status.kind == .directory { folders.append(entry) }
          builder.update(name + Array("\0\(status.kind) \(status)\0".utf8))
          isSettled = isSettled && !status.isRacy(machine: now)
        }
      }
      digest = builder.finish()
      self.isSettled = isSettled
    default: return nil
    }
  }
}
