extension ZipDirectory {
  /// Content up to this size is inflated at once, larger content piece by piece.
  private static let maxAtOnce = 16 << 20
  /// The limit for methods that libarchive unpacks, since it needs a whole archive in memory.
  private static let maxForOthersSize = 256 << 20
  private static let pieceSize = 1 << 20

  /// Passes an entry's content on, piece by piece, in order, and checks it. The span is valid during the call only.
  ///
  /// The directory is trusted, as by `unzip` and 7z: the local header only gives the start of the content.
  package func forEachChunk(of record: Record, _ body: (RawSpan) throws -> Void) throws {
    if record.isEncrypted {
      throw ZipFormatError(offset: record.headerOffset, field: .content, reason: .encrypted)
    }
    if record.method == .deflated, record.uncompressedSize <= ZipDirectory.maxAtOnce {
      let bytes = try contents(of: record, limit: ZipDirectory.maxAtOnce)
      return bytes.isEmpty ? () : try bytes.lend(body)
    }
    var check = ContentCheck(record: record, offset: try contentOffset(of: record))
    func take(_ chunk: RawSpan) throws {
      try check.add(chunk)
      try body(chunk)
    }
    switch record.method {
    case .stored: try pieces(of: record, at: check.offset) { try $0.lend(take) }
    case .deflated: try inflated(record, at: check.offset, take)
    default: try unpackedByOthers(record, at: check.offset, take)
    }
    try check.finish()
  }

  /// Up to this size, inflating all of an entry is faster than inflating its head separately.
  private static let smallest = 64 << 10

  /// Up to `count` bytes from the content's start, not checked; nil if it is small, or neither stored nor deflated.
  package func head(of record: Record, _ count: Int) throws(ZipFormatError) -> [UInt8]? {
    guard !record.isEncrypted, min(record.compressedSize, record.uncompressedSize) > ZipDirectory.smallest else {
      return nil
    }
    // Deflate hardly enlarges content, and the tables of a first block have a few hundred bytes.
    let packed = min(record.compressedSize, count + 512)
    switch record.method {
    case .stored: return try source.read(at: contentOffset(of: record), count: count, .content)
    case .deflated:
      let start = try contentOffset(of: record)
      let bytes = try source.read(at: start, count: packed, .content)
      do throws(DeflateError) { return try Inflate.head(bytes, count) } catch {
        throw ZipFormatError(offset: start, field: .content, reason: .damaged)
      }
    default: return nil
    }
  }

  private func inflated(_ record: Record, at start: Int, _ body: (RawSpan) throws -> Void) throws {
    var inflate = try Inflate()
    do { try pieces(of: record, at: start) { try inflate.take($0, body) } } catch is DeflateError {
      throw ZipFormatError(offset: start, field: .content, reason: .damaged)
    }
    guard inflate.isAtEnd else { throw ZipFormatError(offset: start, field: .content, reason: .damaged) }
  }

  private func pieces(of record: Record, at start: Int, _ body: ([UInt8]) throws -> Void) throws {
    var position = 0
    while position < record.compressedSize {
      let count = min(ZipDirectory.pieceSize, record.compressedSize - position)
      try body(try source.read(at: start + position, count: count, .content))
      position += count
    }
  }

  /// Unpacks any method that libarchive knows, from an archive with this entry alone.
  private func unpackedByOthers(_ record: Record, at offset: Int, _ body: (RawSpan) throws -> Void) throws {
    func unknown() -> ZipFormatError {
      ZipFormatError(offset: offset, field: .content, reason: .unsupportedMethod(record.method.rawValue))
    }
    guard record.compressedSize <= ZipDirectory.maxForOthersSize else {
      throw ZipFormatError(offset: offset, field: .size, reason: .tooLarge)
    }
    let item = ZipSummary.Item(
      path: EntryPath(unchecked: "x".utf8), mode: 0o100644, uncompressedSize: record.uncompressedSize,
      compressedSize: record.compressedSize, crc32: record.crc32, method: record.method, headerOffset: 0)
    let packed = try source.read(at: offset, count: record.compressedSize, .content)
    do {
      var reader = try ArchiveReader(ArchiveBytes(ZipRecords.archive(of: item, packed)))
      guard try reader.next() != nil else { throw unknown() }
      try reader.forEachChunk(body)
    } catch is ArchiveError {
      throw unknown()
    }
  }
}

/// Checks content against its entry's size and checksum.
private struct ContentCheck {
  let record: ZipDirectory.Record
  let offset: Int
  var size = 0
  var crc: UInt32 = 0

  mutating func add(_ chunk: RawSpan) throws(ZipFormatError) {
    size += chunk.byteCount
    crc = Deflate.crc32(chunk, continuing: crc)
    guard size <= record.uncompressedSize else { throw ZipFormatError(offset: offset, field: .size, reason: .damaged) }
  }

  func finish() throws(ZipFormatError) {
    guard size == record.uncompressedSize else { throw ZipFormatError(offset: offset, field: .size, reason: .damaged) }
    guard crc == record.crc32 else { throw ZipFormatError(offset: offset, field: .checksum, reason: .damaged) }
  }
}
