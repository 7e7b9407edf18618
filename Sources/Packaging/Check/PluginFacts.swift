import Artifacts
import Findings
import Foundation
import Store
import SystemPackage

/// The names of plugins, from the store where a plugin is as it was: nothing is read then but what the system says of the
/// file. A container is known by its content, too, wherever it lies; what is not packed is read as fast as it is digested.
struct PluginFacts: Sendable {
  private let store: ContentStore?

  /// Changes whenever `NameFacts` does.
  private static let version = "names of plugins 1, npi-pack \(Tool.version)"
  /// A file that was written to just now may be written to again without another time: in nanoseconds.
  private static let settling: Int64 = 2_000_000_000

  init(_ store: ContentStore?) { self.store = store }

  /// The facts of each, in order, and what could not be read.
  func read(_ paths: [FilePath]) async -> (facts: [NameFacts], mistakes: [Mistake]) {
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    var facts: [NameFacts] = []
    var mistakes: [Mistake] = []
    do {
      try await inOrder(
        paths.count, atOnce: ProcessInfo.processInfo.activeProcessorCount, { read(paths[$0], temporary) },
        {
          facts.append($0.facts)
          mistakes += $0.mistakes
        })
      try store?.flush()
    } catch {
      // Being forgotten is no reason to fail.
    }
    return (facts, mistakes)
  }

  private func read(_ path: FilePath, _ temporary: FilePath) -> (facts: NameFacts, mistakes: [Mistake]) {
    let status = (try? FileSystem.status(of: path, followingLinks: true)).flatMap { $0.kind == .file ? $0 : nil }
    guard let store, let status else {
      let artifact = Artifact(path, temporary: temporary)
      return (NameFacts(artifact), artifact.mistakes)
    }
    var key = PluginFacts.key(of: status)
    if let facts = store.result(of: key).flatMap({ NameFacts($0) }) { return (facts, []) }
    let isContainer = Artifact.isContainer(path)
    if isContainer {
      let known = store.smallResult(of: key).flatMap { Digest(bytes: $0) }
      if let content = known ?? (try? FileSystem.digest(of: path)) {
        if known == nil, isSettled(status) { try? store.keep(small: content.bytes, of: key) }
        key = Digest(of: "\(PluginFacts.version)\n\(content.hex)")
        if let facts = store.result(of: key).flatMap({ NameFacts($0) }) { return (facts, []) }
      }
    }
    let artifact = Artifact(path, temporary: temporary)
    let facts = NameFacts(artifact)
    // What has mistakes is read again, so that they are said again.
    if artifact.mistakes.isEmpty, isContainer || isSettled(status) { try? store.keep(result: facts.bytes, of: key) }
    return (facts, artifact.mistakes)
  }

  private func isSettled(_ status: FileStatus) -> Bool {
    Int64(Date().timeIntervalSince1970 * 1e9) - max(status.modified, status.changed) > PluginFacts.settling
  }

  private static func key(of status: FileStatus) -> Digest {
    Digest(
      of: "\(version)\n\(status.device) \(status.inode) \(status.size) \(status.modified) \(status.changed)")
  }
}
