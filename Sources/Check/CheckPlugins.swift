import Artifacts
import Documents
import Findings
import Store
import SystemPackage

/// The plugins of a check: files as the command line names them, release records as what they list.
struct CheckPlugins: Sendable {
  private(set) var paths: [FilePath] = []
  /// What the system says of each; nil of what is not there.
  private(set) var statuses: [FileStamp?] = []
  /// Classes that configurations name: the host makes objects of them by name.
  private(set) var entryClasses: [String] = []
  private(set) var mistakes: [Mistake] = []

  /// Those at the head of `paths` that are the app's own.
  private(set) var appCount = 0

  init(apps: [FilePath], _ plugins: [FilePath]) async {
    let named = apps + plugins
    let statuses = await CheckPlugins.statuses(of: named)
    for (index, path) in named.enumerated() {
      if index == apps.count { appCount = paths.count }
      do throws(Mistakes) { try add(path, statuses[index]) } catch { mistakes += error.all }
    }
    if plugins.isEmpty { appCount = paths.count }
  }

  /// Asking the system takes a good part of a check in which nothing has changed.
  private static func statuses(of paths: [FilePath]) async -> [FileStamp?] {
    var statuses: [FileStamp?] = []
    try? await inParts(paths, of: 64, { $0.map(CheckPlugins.status) }, { statuses += $0 })
    return statuses
  }

  static func status(of path: FilePath) -> FileStamp? {
    (try? FileSystem.status(of: path, followingLinks: true)) ?? nil
  }

  private mutating func add(_ path: FilePath, _ status: FileStamp?) throws(Mistakes) {
    let name = path.string
    if name.hasSuffix(".release.json") {
      for deliverable in try ReleaseRecord.read(path).deliverables {
        let path = path.removingLastComponent().appending(deliverable.path)
        try add(path, CheckPlugins.status(of: path))
      }
    } else if name.hasSuffix(".json") {
      try addClasses(path)
    } else {
      paths.append(path)
      statuses.append(status)
      guard status?.kind == .folder else { return }
      for name in try explained({ try FileSystem.list(path) }) {
        let isConfiguration = name.string.hasSuffix(".json") && !name.string.hasSuffix(".release.json")
        if isConfiguration { try addClasses(path.appending(name)) }
      }
    }
  }

  /// Every text of a configuration that could be a class's name: a class that nobody defines collides with nothing.
  private mutating func addClasses(_ path: FilePath) throws(Mistakes) {
    let bytes = try explained { try FileSystem.read(path, limit: YAMLText.mostBytes) }
    guard case .map(let members) = try JSONText.parse(bytes, name: path.string).value else { return }
    for member in members {
      guard case .text(let text) = member.node.value, member.node.isQuoted, text.utf8.count < 256 else { continue }
      let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      if isName, !text.isEmpty { entryClasses.append(text) }
    }
  }
}
