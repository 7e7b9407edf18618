import Artifacts
import Linking
import Store
import SystemPackage

/// What the link of a slice came to the last time, for as long as all that it comes from is as it was: the plugins that
/// have to do with each other, what they are linked with, and the files beside them that the linker looks for.
struct KeptOutcome: Sendable {
  private let store: ContentStore
  private let key: Digest

  /// `words`: those of the command line that are the linker's. `plugins`: of each that is linked its path and key, in
  /// order; nil: it cannot be told whether it stays as it is.
  init?(_ slice: CheckSlice, _ words: [String], _ plugins: [(path: FilePath, key: Digest?)], _ store: ContentStore?) {
    guard let store, !slice.isClosed, slice.line.inputs.isEmpty, !plugins.isEmpty else { return nil }
    var parts = [HostProcess.workingFolder?.string ?? "", slice.slice.description, slice.linker.name]
    parts += ["\(slice.isDylib)", "\(words.count)"] + words + ["\(slice.entryClasses.count)"] + slice.entryClasses
    for (path, key) in plugins {
      guard let key else { return nil }
      parts += [path.string, key.hex]
    }
    // No part of a command line has a NUL in it.
    key = Digest(of: Array("outcome of a slice\0".utf8) + Tool.build + Array(parts.joined(separator: "\0").utf8))
    self.store = store
  }

  func outcome() -> SliceOutcome? {
    guard let bytes = store.result(of: key), bytes.count > Digest.byteCount,
      let files = Digest(bytes: bytes.prefix(Digest.byteCount)),
      let outcome = SliceOutcome(Array(bytes.dropFirst(Digest.byteCount))),
      files == KeptOutcome.digest(outcome.lookedFor)
    else { return nil }
    return outcome
  }

  func keep(_ outcome: SliceOutcome) {
    guard outcome.mistakes.isEmpty, let files = KeptOutcome.digest(outcome.lookedFor) else { return }
    // Being forgotten is no reason to fail.
    try? store.keep(result: files.bytes + outcome.bytes, of: key)
  }

  /// What the system says of files. Nil if one of them may change without another time.
  private static func digest(_ paths: [String]) -> Digest? {
    let now = HostProcess.now
    var builder = DigestBuilder()
    for path in paths {
      guard let status = try? FileSystem.status(of: FilePath(path), followingLinks: true) else {
        builder.update(Array("-\n".utf8))
        continue
      }
      guard status.kind != .file || !status.isRacy(machine: now) else { return nil }
      builder.update(Array("\(status) \(status.kind == .file)\n".utf8))
    }
    return builder.finish()
  }
}
