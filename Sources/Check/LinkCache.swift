import Artifacts
import Collisions
import Findings
import Linking
import Store
import SystemPackage

/// What the link of one slice came to.
package struct SliceLink: Sendable {
  var summary: LinkSummary
  var collisions: [Collision] = []
  var mistakes: [Mistake] = []
  var notes: [String] = []
  /// Paths of files beside the plugins that were looked for, whether or not they are there.
  var lookedFor: [String] = []
}

/// The link of a slice, kept for as long as all that it comes from is as it was: the plugins that have to do with each
/// other, what they are linked with, and the files beside them that the linker looks for.
struct LinkCache: Sendable {
  private let store: ContentStore
  private let key: Digest

  /// `words`: the linker's, of the command line. `plugins`: path and key of each, in order; nil: it may change unseen.
  init?(_ slice: CheckSlice, _ words: [String], _ plugins: [(path: FilePath, key: Digest?)], _ store: ContentStore?) {
    guard let store, !slice.isClosed, slice.line.inputs.isEmpty, !plugins.isEmpty else { return nil }
    var parts = [HostProcess.workingFolder?.string ?? "", slice.slice.description, slice.linker.name]
    parts += ["\(slice.isDylib)", "\(words.count)"] + words + ["\(slice.entryClasses.count)"] + slice.entryClasses
    for (path, key) in plugins {
      guard let key else { return nil }
      parts += [path.string, key.hex]
    }
    // No part of a command line has a NUL in it.
    key = Digest(of: Array("link of a slice\0".utf8) + Tool.build + Array(parts.joined(separator: "\0").utf8))
    self.store = store
  }

  func link() -> SliceLink? {
    guard let bytes = store.result(of: key), bytes.count > Digest.byteCount,
      let files = Digest(bytes: bytes.prefix(Digest.byteCount)),
      let link = SliceLink(Array(bytes.dropFirst(Digest.byteCount))), files == LinkCache.digest(link.lookedFor)
    else { return nil }
    return link
  }

  func keep(_ link: SliceLink) {
    guard link.mistakes.isEmpty, let files = LinkCache.digest(link.lookedFor) else { return }
    // Being forgotten is no reason to fail.
    try? store.keep(result: files.bytes + link.bytes, of: key)
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
      guard status.kind != .regular || !status.isRacy(machine: now) else { return nil }
      builder.update(Array("\(status) \(status.kind == .regular)\n".utf8))
    }
    return builder.finish()
  }
}

// As bytes, in the order of the fields; without mistakes, with which nothing is kept.
extension SliceLink {
  package var bytes: [UInt8] {
    var writer = RecordWriter()
    writer.add(summary.slice)
    summary.write(to: &writer)
    writer.add(collisions) { $1.write(to: &$0) }
    writer.add(names: notes)
    writer.add(names: lookedFor)
    return writer.bytes
  }

  /// Nil if these are the bytes of nothing that was kept.
  package init?(_ bytes: [UInt8]) {
    var reader = RecordReader(bytes[...])
    guard let slice = reader.slice(), let summary = LinkSummary(slice, &reader),
      let collisions = reader.list({ Collision(slice, &$0) }), let notes = reader.names(),
      let lookedFor = reader.names(), reader.rest.isEmpty
    else { return nil }
    self.init(summary: summary, collisions: collisions, notes: notes, lookedFor: lookedFor)
  }
}
