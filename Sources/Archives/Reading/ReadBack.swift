/// Takes the bytes of one entry as they are read, mostly for a digest.
package protocol ContentSink: SendableMetatype {
  associatedtype Result: Sendable
  mutating func update(_ bytes: RawSpan) throws
  mutating func finish() throws -> Result
}

/// A difference between a finished zip and its summary.
package struct ReadBackError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  fileprivate init(_ difference: String) {
    description = "the archive that was just written does not read back as it was meant: \(difference)"
  }

  fileprivate init(_ count: Int, of things: String, meant: Int) {
    self.init("it has \(count) \(things) in place of \(meant)")
  }

  fileprivate init(name: [UInt8], meant: EntryPath) {
    self.init("it has '\(String(decoding: name, as: UTF8.self))' in the place of '\(meant)'")
  }

  fileprivate init(_ aspect: String, of path: EntryPath) { self.init("the \(aspect) of '\(path)' is another") }
}

/// Reads a zip that was just written, by an independent implementation (libarchive), and compares.
package enum ReadBack {
  /// Reads all of a zip, several entries at a time, and compares names, order, modes, sizes and checksums with
  /// `summary`. Returns the sinks' results for the contents (a link's is its target), in the archive's order.
  ///
  /// Each worker has a reader of its own and skips the other workers' entries, which costs a seek. Names are compared
  /// by their bytes: libarchive's, with the directory's spelling where libarchive normalizes (`ArchiveReader`).
  ///
  /// - Throws: `ReadBackError`, `ArchiveError`, `ZipFormatError`, `CancellationError`, and what a sink throws.
  package static func verify<Sink: ContentSink>(
    _ source: ArchiveBytes, against summary: ZipSummary, workers: Int? = nil,
    makeSink: @escaping @Sendable (ZipDirectory.Record) -> Sink
  ) async throws -> [Sink.Result] {
    let records = try compareDirectory(source, summary)
    let shares = shares(summary, workers: max(1, workers ?? availableCores()))
    return try await withThrowingTaskGroup(of: [(Int, Sink.Result)].self) { group in
      for (number, share) in shares.enumerated() {
        // The first worker reads all headers, and the end; the others only the headers before their last entry.
        group.addTask { try read(source, summary, share, all: number == 0) { makeSink(records[$0]) } }
      }
      var results: [(Int, Sink.Result)] = []
      for try await part in group { results += part }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Compares the records with the summary: order, offsets and sizes, which a reader from front to back does not show.
  private static func compareDirectory(
    _ source: ArchiveBytes, _ summary: ZipSummary
  ) throws -> [ZipDirectory.Record] {
    guard source.size == summary.size else { throw ReadBackError(source.size, of: "bytes", meant: summary.size) }
    let records = try source.directory().records
    guard records.count == summary.entries.count else {
      throw ReadBackError(records.count, of: "entries", meant: summary.entries.count)
    }
    for (record, item) in zip(records, summary.entries) {
      guard record.name == item.storedName else { throw ReadBackError(name: record.name, meant: item.path) }
      guard
        record.headerOffset == item.headerOffset, record.crc32 == item.crc32, record.method == item.method,
        record.compressedSize == item.compressedSize, record.uncompressedSize == item.uncompressedSize
      else { throw ReadBackError("record", of: item.path) }
    }
    return records
  }

  /// The entries for each worker, with about the same content: the largest first, to the worker that has least.
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

  private static func read<Sink: ContentSink>(
    _ source: ArchiveBytes, _ summary: ZipSummary, _ share: Set<Int>, all: Bool, _ makeSink: (Int) -> Sink
  ) throws -> [(Int, Sink.Result)] {
    var results: [(Int, Sink.Result)] = []
    var reader = try ArchiveReader(source)
    var index = 0
    while all || results.count < share.count, let header = try reader.next() {
      defer { index += 1 }
      guard index < summary.entries.count else {
        throw ReadBackError(index + 1, of: "entries", meant: summary.entries.count)
      }
      let meant = summary.entries[index]
      guard header.name == meant.storedName else { throw ReadBackError(name: header.name, meant: meant.path) }
      guard header.mode == meant.mode else { throw ReadBackError("mode", of: meant.path) }
      guard share.contains(index) else { continue }
      try Task.checkCancellation()
      var sink = makeSink(index)
      var crc: UInt32 = 0
      var size = 0
      if let target = header.linkTarget {
        // libarchive reads a link's content itself, as the target.
        crc = Deflate.crc32(target.span)
        size = target.count
        try target.lend { try sink.update($0) }
      } else {
        try reader.forEachChunk { chunk in
          crc = Deflate.crc32(chunk, continuing: crc)
          size += chunk.byteCount
          try sink.update(chunk)
          try Task.checkCancellation()
        }
      }
      guard size == meant.uncompressedSize else { throw ReadBackError("size", of: meant.path) }
      guard crc == meant.crc32 else { throw ReadBackError("content", of: meant.path) }
      results.append((index, try sink.finish()))
    }
    if all, index != summary.entries.count {
      throw ReadBackError(index, of: "entries", meant: summary.entries.count)
    }
    guard results.count == share.count else {
      throw ReadBackError(index, of: "entries", meant: summary.entries.count)
    }
    return results
  }
}
