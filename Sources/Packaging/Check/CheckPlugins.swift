import Findings
import Foundation
import Store
import SystemPackage

/// The plugins of a check: files as the command line names them, release records as what they list.
struct CheckPlugins: Sendable {
  private(set) var paths: [FilePath] = []
  /// What the system says of each; nil of what is not there.
  private(set) var statuses: [FileStatus?] = []
  /// Classes that configurations name: the host makes objects of them by name.
  private(set) var entryClasses: [String] = []
  private(set) var mistakes: [Mistake] = []

  /// Those at the head of `paths` that are the app's own.
  private(set) var appCount = 0

  init(apps: [FilePath], _ plugins: [FilePath]) {
    add(all: apps)
    appCount = paths.count
    add(all: plugins)
  }

  private mutating func add(all arguments: [FilePath]) {
    for argument in arguments {
      do throws(Mistakes) { try add(argument) } catch { mistakes += error.all }
    }
  }

  private mutating func add(_ path: FilePath) throws(Mistakes) {
    if path.string.hasSuffix(".release.json") {
      let record = try ReleaseRecord.read(path)
      for deliverable in record.deliverables { try add(path.removingLastComponent().appending(deliverable.path)) }
    } else if path.string.hasSuffix(".json") {
      try addClasses(path)
    } else {
      let status = (try? FileSystem.status(of: path, followingLinks: true)) ?? nil
      paths.append(path)
      statuses.append(status)
      guard status?.kind == .folder else { return }
      for name in (try? FileSystem.list(path)) ?? [] {
        let isConfiguration = name.string.hasSuffix(".json") && !name.string.hasSuffix(".release.json")
        if isConfiguration { try addClasses(path.appending(name)) }
      }
    }
  }

  /// Every text of a configuration that could be a class's name: a class that nobody defines collides with nothing.
  private mutating func addClasses(_ path: FilePath) throws(Mistakes) {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileSystem.read(path) } catch { throw Mistakes(error) }
    guard case .map(let members) = try JSONText.parse(bytes, name: path.string).value else { return }
    for member in members {
      guard case .text(let text) = member.node.value, member.node.isQuoted, text.utf8.count < 256 else { continue }
      let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      if isName, !text.isEmpty { entryClasses.append(text) }
    }
  }
}
