import Artifacts
import Store
import SystemPackage

// The plugins of several apps.
extension CheckPlugins {
  /// The plugins of several checks, each once.
  static func each(of all: [CheckPlugins?]) -> [NamedPlugin] {
    let statuses = Dictionary(all.lazy.compactMap(\.self).flatMap { zip($0.paths, $0.statuses) }) { first, _ in first }
    return named(statuses.map { ($0, $1) })
  }

  /// The plugins that several checks name. Of files with one name and size only the first: they are mostly copies, and the
  /// store knows a copy by its content.
  static func shared(by all: [CheckPlugins?]) -> [NamedPlugin] {
    var found: [String: (path: FilePath, status: FileStamp?, count: Int)] = [:]
    for named in all.compactMap(\.self) {
      for (path, status) in zip(named.paths, named.statuses) {
        let isFile = status?.kind == .regular
        let name = isFile ? "\(path.lastComponent?.string ?? "")/\(status?.size ?? 0)" : path.string
        found[name, default: (path, status, 0)].count += 1
      }
    }
    return named(found.values.filter { $0.count > 1 }.map { ($0.path, $0.status) })
  }

  private static func named(_ plugins: [(path: FilePath, status: FileStamp?)]) -> [NamedPlugin] {
    let now = HostProcess.now
    return plugins.sorted { $0.path.string < $1.path.string }.map { NamedPlugin($0.path, $0.status, now: now) }
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
  /// In bytes. What is unpacked takes a few times as much.
  private static let (folderSize, maxSizeAtOnce): (Int64, Int64) = (16 << 20, 64 << 20)
}
