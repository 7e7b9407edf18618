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
      var isSettled = !status.isRacy(machine: now)
      builder.update(Array("\(status)\0".utf8))
      // Folders that are still to be looked into, from the plugin's own on, as names of the system.
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
