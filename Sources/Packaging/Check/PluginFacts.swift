import Artifacts
import Findings
import Foundation
import Store
import SystemPackage

/// The names of plugins, from the store where a plugin is as it was: nothing is read then but what the system says of the
/// file, and nothing is parsed of one that only lies elsewhere.
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
    var known: Digest?
    if let store, let status {
      let key = PluginFacts.key(of: status)
      if let bytes = store.smallResult(of: key), let content = Digest(bytes: bytes) {
        if let facts = facts(of: content) { return (facts, []) }
      }
      known = try? FileSystem.digest(of: path)
      if let known {
        keep(known, for: status)
        if let facts = facts(of: known) { return (facts, []) }
      }
    }
    let artifact = Artifact(path, temporary: temporary)
    let facts = NameFacts(artifact)
    // What has mistakes is read again, so that they are said again.
    if let known, artifact.mistakes.isEmpty { try? store?.keep(result: facts.bytes, of: PluginFacts.key(of: known)) }
    return (facts, artifact.mistakes)
  }

  private func facts(of content: Digest) -> NameFacts? {
    store?.result(of: PluginFacts.key(of: content)).flatMap { NameFacts($0) }
  }

  private func keep(_ content: Digest, for status: FileStatus) {
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    guard now - max(status.modified, status.changed) > PluginFacts.settling else { return }
    try? store?.keep(small: content.bytes, of: PluginFacts.key(of: status))
  }

  private static func key(of content: Digest) -> Digest { Digest(of: "\(version)\n\(content.hex)") }

  private static func key(of status: FileStatus) -> Digest {
    Digest(
      of: "\(version)\n\(status.device) \(status.inode) \(status.size) \(status.modified) \(status.changed)")
  }
}
