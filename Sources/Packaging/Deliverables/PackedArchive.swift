import Archives
import Artifacts
import BuildEngine
import Store
import SystemPackage

/// An entry on its way into an archive.
struct PackedEntry: Sendable {
  var entry: Entry
  /// What its content must read back as; nil for links, folders and what is made on the way.
  var digest: Digest?
  /// What it is made from, for an error.
  var source: String

  init(_ entry: Entry, digest: Digest? = nil, source: String) {
    self.entry = entry
    self.digest = digest
    self.source = source
  }

  init(_ path: EntryPath, bytes: [UInt8]) {
    self.init(
      Entry(path: path, kind: .file(.bytes(bytes), executable: false)), digest: Digest(of: bytes),
      source: path.description)
  }
}

/// An archive that was written, synced, read back through libarchive and compared with what was meant. It is not in its
/// place yet.
struct PackedArchive {
  let summary: ZipSummary
  /// Of each entry's content, as it was read back.
  let digests: [Digest]
  /// Of the whole file.
  let digest: Digest

  /// - Parameters:
  ///   - path: overwritten; a temporary file.
  ///   - lasts: whether it is to be on the disk, and not only in the system's memory, when this ends.
  static func write(
    _ entries: [PackedEntry], to path: FilePath, options: ZipOptions, lasts: Bool = true,
    advance: ZipWriter.Advance = { _, _ in }
  ) async throws -> PackedArchive {
    let summary = try await ZipWriter.write(entries.map(\.entry), to: path, options: options, advance: advance)
    // The disk works while the processor reads back.
    async let synced: Void = lasts ? FileSystem.sync(file: path) : ()
    async let whole = FileSystem.digest(of: path)
    let digests = try await ReadBack.verify(path, against: summary) { _ in DigestSink() }.compactMap {
      Digest(bytes: $0.digest)
    }
    try await synced
    for (entry, digest) in zip(entries, digests) {
      guard entry.digest == nil || entry.digest == digest else {
        throw StepFailure(
          "\(entry.source) was changed while it was being packed", hint: "wait until nothing writes to it and run again"
        )
      }
    }
    return PackedArchive(summary: summary, digests: digests, digest: try await whole)
  }

  func record(name: String, kind: String, path: String) -> DeliverableRecord {
    let entries = zip(summary.entries, digests).map { item, digest in
      DeliverableRecord.Entry(
        path: String(decoding: item.path.bytes, as: UTF8.self), size: item.uncompressedSize, mode: item.octalMode,
        sha256: digest.hex)
    }
    return DeliverableRecord(
      name: name, kind: kind, path: path, size: summary.size, sha256: digest.hex, entries: entries)
  }
}

extension ZipSummary.Item {
  /// `0644` of a file, `0120777` of a link.
  fileprivate var octalMode: String {
    let isLink = mode & 0o170000 == 0o120000
    return "0" + String(isLink ? mode : mode & 0o7777, radix: 8)
  }
}
