package import SystemPackage

/// What becomes of the bytes of one entry: a digest, mostly. (This module does not know which.)
package protocol ContentSink {
  mutating func update(_ bytes: RawSpan)
  mutating func update(_ bytes: [UInt8])
  mutating func finish() -> [UInt8]
}

/// How a finished zip differs from what was meant.
package enum ReadBackError: Error, Hashable, Sendable, CustomStringConvertible {
  case entryCount(meant: Int, found: Int)
  case fileSize(meant: Int, found: Int)
  case name(meant: EntryPath, found: [UInt8])
  case different(EntryPath, Aspect)

  package enum Aspect: String, Hashable, Sendable {
    case mode, size, content, record
  }

  package var description: String {
    let what =
      switch self {
      case .entryCount(let meant, let found): "it has \(found) entries in place of \(meant)"
      case .fileSize(let meant, let found): "it has \(found) bytes in place of \(meant)"
      case .name(let meant, let found): "it has '\(String(decoding: found, as: UTF8.self))' in the place of '\(meant)'"
      case .different(let path, let aspect): "the \(aspect.rawValue) of '\(path)' is another"
      }
    return "the archive that was just written does not read back as it was meant: \(what)"
  }
}

/// Reads a zip that was just written with another implementation than wrote it (libarchive), and compares.
package enum ReadBack {
  /// Reads all of `path`, several entries at a time, and compares names, order, modes, sizes and checksums with
  /// `summary`. Gives what each entry's sink made of its content (of a link: of its target; of a folder: of nothing), in the
  /// archive's order.
  ///
  /// Each worker has a reader of its own and passes over the other workers' entries, which costs a seek. Names are
  /// compared by their bytes: libarchive's, with the directory's spelling where libarchive normalizes
  /// (`ArchiveReader`).
  ///
  /// - Throws: `ReadBackError`, `ArchiveError`, `ZipFormatError`, `CancellationError`.
  package static func verify(
    _ path: FilePath, against summary: ZipSummary, workers: Int? = nil,
    makeSink: @escaping @Sendable (EntryPath) -> any ContentSink
  ) async throws -> [[UInt8]] {
    try compareDirectory(path, summary)
    let shares = shares(summary, workers: max(1, workers ?? availableCores()))
    return try await withThrowingTaskGroup(of: [(Int, [UInt8])].self) { group in
      for (number, share) in shares.enumerated() {
        // The first worker looks at every header, and at the end; the others only at the ones in front of their last.
        group.addTask { try read(path, summary, share, all: number == 0, makeSink) }
      }
      var digests: [(Int, [UInt8])] = []
      for try await part in group { digests += part }
      return digests.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// The records against the summary: order, places and sizes, which a reader from front to back does not show.
  private static func compareDirectory(_ path: FilePath, _ summary: ZipSummary) throws {
    let file: PositionalFile
    do throws(Errno) {
      file = try PositionalFile(path)
    } catch {
      throw ZipFormatError(offset: 0, field: .endOfDirectory, reason: .unreadable(error))
    }
    guard file.size == summary.size else { throw ReadBackError.fileSize(meant: summary.size, found: file.size) }
    let records = try ZipDirectory(ZipSource(file)).records
    guard records.count == summary.entries.count else {
      throw ReadBackError.entryCount(meant: summary.entries.count, found: records.count)
    }
    for (record, item) in zip(records, summary.entries) {
      guard record.name == item.storedName else { throw ReadBackError.name(meant: item.path, found: record.name) }
      guard
        record.headerOffset == item.headerOffset, record.crc32 == item.crc32, record.method == item.method,
        record.compressedSize == item.compressedSize, record.uncompressedSize == item.uncompressedSize
      else { throw ReadBackError.different(item.path, .record) }
    }
  }

  /// The entries for each worker, about as much content for each: the largest first, to the one that has least.
  private static func shares(_ summary: ZipSummary, workers: Int) -> [Set<Int>] {
    var shares = [(size: Int, Set<Int>)](repeating: (0, []), count: max(1, min(workers, summary.entries.count)))
    let sizes = summary.entries.map(\.uncompressedSize)
    for index in sizes.indices.sorted(by: { (sizes[$1], $0) < (sizes[$0], $1) }) {
      guard let least = shares.indices.min(by: { shares[$0].size < shares[$1].size }) else { continue }
      shares[least].size += sizes[index] + 4096
      shares[least].1.insert(index)
    }
    return shares.map(\.1)
  }

  private static func read(
    _ path: FilePath, _ summary: ZipSummary, _ share: Set<Int>, all: Bool,
    _ makeSink: @Sendable (EntryPath) -> any ContentSink
  ) throws -> [(Int, [UInt8])] {
    var digests: [(Int, [UInt8])] = []
    var reader = try ArchiveReader(path: path)
    var index = 0
    while all || digests.count < share.count, let header = try reader.next() {
      defer { index += 1 }
      guard index < summary.entries.count else {
        throw ReadBackError.entryCount(meant: summary.entries.count, found: index + 1)
      }
      let meant = summary.entries[index]
      guard header.name == meant.storedName else { throw ReadBackError.name(meant: meant.path, found: header.name) }
      guard header.mode == meant.mode else { throw ReadBackError.different(meant.path, .mode) }
      guard share.contains(index) else { continue }
      try Task.checkCancellation()
      var sink = makeSink(meant.path)
      var crc: UInt32 = 0
      var size = 0
      if let target = header.linkTarget {
        // libarchive reads a link's content itself, as the target.
        crc = Deflate.crc32(target.span)
        size = target.count
        sink.update(target)
      } else {
        try reader.forEachChunk { chunk in
          crc = Deflate.crc32(chunk, continuing: crc)
          size += chunk.byteCount
          sink.update(chunk)
          try Task.checkCancellation()
        }
      }
      guard size == meant.uncompressedSize else { throw ReadBackError.different(meant.path, .size) }
      guard crc == meant.crc32 else { throw ReadBackError.different(meant.path, .content) }
      digests.append((index, sink.finish()))
    }
    if all, index != summary.entries.count {
      throw ReadBackError.entryCount(meant: summary.entries.count, found: index)
    }
    guard digests.count == share.count else {
      throw ReadBackError.entryCount(meant: summary.entries.count, found: index)
    }
    return digests
  }
}
