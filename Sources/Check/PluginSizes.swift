import Collisions
import Findings
import Linking
import Store
import SystemPackage

extension CollisionReport {
  /// Looks up how large the compared plugins are, for formats that show it.
  mutating func measure() {
    for index in compared.indices {
      let files = inputs.plugins(in: compared[index].path)
      let sizes = files.map { Self.size(of: FilePath(plugins[$0.index].path)) }
      if !sizes.isEmpty, sizes.allSatisfy({ $0 != nil }) { compared[index].size = sizes.reduce(0) { $0 + ($1 ?? 0) } }
    }
  }

  /// A folder with more entries is not measured.
  private static let maxEntries = 50_000

  /// The bytes of a file, or of all files in a folder; nil if something cannot be looked at.
  private static func size(of path: FilePath) -> Int64? {
    guard let top = CheckPlugins.status(of: path) else { return nil }
    if top.kind != .directory { return top.size }
    var (folders, size, count) = ([path], Int64(0), 0)
    while let folder = folders.popLast() {
      guard let names = try? FileSystem.list(folder) else { return nil }
      count += names.count
      if count > maxEntries { return nil }
      for name in names {
        let entry = folder.appending(name)
        guard let status = try? FileSystem.status(of: entry, followingLinks: false) else { return nil }
        if status.kind == .directory { folders.append(entry) } else { size += status.size }
      }
    }
    return size
  }
}
