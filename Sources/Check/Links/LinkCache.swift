import Artifacts
import Collisions
import Findings
import Linking
import Store
import SystemPackage

/// The stored link of a slice. It is valid as long as all its sources are unchanged: the related plugins, what they are
/// linked with, and the other files that the linker looks for.
struct LinkCache: Sendable {
  private let store: ContentStore
  private let key: Digest
  /// The plugins' numbers in this check. A stored link has the indices of this list instead.
  private let numbers: [Int]

  /// `words` are the linker's, from the command line. `plugins` are in order; one without a key may change unnoticed.
  init?(
    _ slice: CheckSlice, _ words: [String], _ plugins: [(number: Int, path: FilePath, key: Digest?)],
    _ store: ContentStore?
  ) {
    guard let store, slice.line.inputs.isEmpty, !plugins.isEmpty else { return nil }
    numbers = plugins.map(\.number)
    var parts = [HostProcess.workingFolder?.string ?? "", slice.slice.description, slice.linker.name]
    parts += [slice.isClosed, slice.isDylib, slice.linksByName].map { "\($0)" }
    parts += ["\(words.count)"] + words + ["\(slice.entryClasses.count)"] + slice.entryClasses
    for (_, path, key) in plugins {
      guard let key else { return nil }
      parts += [path.string, key.hex]
    }
    // NUL separates the parts, because no part of a command line has one.
    key = Digest(of: Array("link of a slice\0".utf8) + Tool.build + Array(parts.joined(separator: "\0").utf8))
    self.store = store
  }

  func link() -> SliceLink? {
    guard let bytes = store.result(of: key), bytes.count > Digest.byteCount,
      let files = Digest(bytes: bytes.prefix(Digest.byteCount)),
      let link = SliceLink(Array(bytes.dropFirst(Digest.byteCount))), files == LinkCache.digest(link.lookedFor)
    else { return nil }
    return link.numbered { $0.index < numbers.count ? PluginID(numbers[$0.index]) : nil }
  }

  func keep(_ link: SliceLink) {
    guard link.mistakes.isEmpty, let files = LinkCache.digest(link.lookedFor),
      let link = link.numbered({ numbers.firstIndex(of: $0.index).map { PluginID($0) } })
    else { return }
    // Failing to store it is no error.
    try? store.keep(result: files.bytes + link.bytes, of: key)
  }

  /// A digest of the status of files; nil if one of them may change with the same time stamp.
  private static func digest(_ paths: [String]) -> Digest? {
    let now = HostProcess.now
    var builder = DigestBuilder()
    for path in paths {
      guard let status = try? FileSystem.status(of: FilePath(path), followingLinks: true) else {
        builder.update(Array("-\n".utf8))
        continue
      }
      guard status.kind != .regular || !status.isRacy(machine: now) else { return nil }
      builder.update(Array("\(status) \(status.kind == .regular)\n".utf8))
    }
    return builder.finish()
  }
}
