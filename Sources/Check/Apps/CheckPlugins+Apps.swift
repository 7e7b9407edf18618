import Artifacts
import Store
import SystemPackage

// The plugins of several apps.
extension CheckPlugins {
  /// The plugins that at least so many of the checks name, each once.
  static func each(of all: [CheckPlugins?], in count: Int = 1) -> [NamedPlugin] {
    var found: [FilePath: (status: FileStamp?, count: Int)] = [:]
    for named in all.compactMap(\.self) {
      for (path, status) in zip(named.paths, named.statuses) { found[path, default: (status, 0)].count += 1 }
    }
    let now = HostProcess.now
    return found.filter { $0.value.count >= count }.sorted { $0.key.string < $1.key.string }
      .map { NamedPlugin($0.key, $0.value.status, now: now) }
  }

  /// The number of checks that are run side by side: a few, because each uses all cores itself where that pays, and fewer
  /// if what they read would take much memory.
  static func atOnce(_ all: [CheckPlugins?]) -> Int {
    let largest = all.reduce(1) { max($0, $1?.size ?? 0) }
    return Int(max(1, min(Int64(min(HostProcess.processors, maxAtOnce)), maxSizeAtOnce / largest)))
  }

  /// Whether all of the plugins are judged in less time than tasks for that take.
  var isSmall: Bool { size < 2 << 20 }

  /// In bytes. Folders are not looked through for it, and count as large ones.
  private var size: Int64 {
    statuses.reduce(0) { $0 + ($1?.kind == .regular ? $1?.size ?? 0 : CheckPlugins.folderSize) }
  }

  private static let maxAtOnce = 4
  /// In bytes.
  private static let (folderSize, maxSizeAtOnce): (Int64, Int64) = (64 << 20, 256 << 20)
}
