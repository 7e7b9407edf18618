package import SystemPackage

/// Reads an archive entry by entry, as `ArchiveReader` does, and goes on behind an entry that cannot be read.
///
/// A zip is read by its directory, as `unzip` and 7z do: an entry that is damaged is nothing to the others. Other archives
/// can only be read from front to back, and what is behind the damage is lost; so is that of a zip without its directory.
package struct EntryReader: ~Copyable {
  private var archive: ArchiveReader?
  private var zip: ZipEntries?
  private let source: ZipSource?
  /// Nothing has come of the archive yet.
  private var isFresh = true
  /// It has been told why there is no more.
  private var hasFailed = false

  package init(path: FilePath) throws(ArchiveError) {
    source = (try? PositionalFile(path)).map { ZipSource($0) }
    zip = source.flatMap { ZipEntries($0, needsMagic: true) }
    archive = zip == nil ? try ArchiveReader(path: path) : nil
  }

  /// The bytes are copied.
  package init(bytes: [UInt8]) throws(ArchiveError) {
    let source = ZipSource(bytes)
    zip = ZipEntries(source, needsMagic: true)
    archive = zip == nil ? try ArchiveReader(bytes: bytes) : nil
    self.source = source
  }

  /// The next entry, or nil at the archive's end. After an error there is nothing more.
  package mutating func next() throws(ArchiveError) -> ArchiveHeader? {
    if zip != nil { return zip?.next() }
    if hasFailed { return nil }
    do throws(ArchiveError) {
      let header = try archive?.next()
      isFresh = false
      return header ?? nil
    } catch {
      hasFailed = true
      // Bytes stand in front of it, for which libarchive does not allow.
      if isFresh, let entries = source.flatMap({ ZipEntries($0, needsMagic: false) }) {
        zip = entries
        return zip?.next()
      }
      throw error
    }
  }

  /// Hands the entry's content on, piece by piece, in order. The span is good for the call only.
  ///
  /// - Throws: `ZipFormatError` or `ArchiveError` if this entry cannot be read, and whatever `body` throws.
  package mutating func forEachChunk(_ body: (RawSpan) throws -> Void) throws {
    if zip != nil {
      try zip?.forEachChunk(body)
      return
    }
    do { try archive?.forEachChunk(body) } catch let error as ArchiveError {
      hasFailed = true
      throw error
    }
  }
}

/// The entries of a zip that has a directory, in the order of the file.
private struct ZipEntries {
  private let directory: ZipDirectory
  private let records: [ZipDirectory.Record]
  private var index = 0

  /// Nil if it has none. `needsMagic`: any archive may end in a zip; one that begins as a zip is meant.
  init?(_ source: ZipSource, needsMagic: Bool) {
    if needsMagic {
      guard let head = try? source.read(at: 0, count: 2, .localHeader), head.elementsEqual("PK".utf8) else { return nil }
    }
    guard let directory = try? ZipDirectory(source) else { return nil }
    self.directory = directory
    // Many entries may be the same bytes; that is said where it matters, and looked at once.
    var last = -1
    records = directory.records.enumerated()
      .sorted { ($0.element.headerOffset, $0.offset) < ($1.element.headerOffset, $1.offset) }
      .compactMap { _, record in
        defer { last = record.headerOffset }
        return record.headerOffset == last ? nil : record
      }
  }

  mutating func next() -> ArchiveHeader? {
    guard index < records.count else { return nil }
    defer { index += 1 }
    return ArchiveHeader(records[index])
  }

  func forEachChunk(_ body: (RawSpan) throws -> Void) throws {
    guard index > 0 else { return }
    try directory.forEachChunk(of: records[index - 1], body)
  }
}

extension ArchiveHeader {
  fileprivate init(_ record: ZipDirectory.Record) {
    let kind: Kind =
      switch record.mode & 0o170000 {
      case _ where record.isDirectory: .directory
      case 0o120000: .symbolicLink
      case 0, 0o100000: .file
      default: .other
      }
    self.init(
      name: record.name, kind: kind, mode: record.mode, size: record.uncompressedSize, linkTarget: nil, modified: nil,
      attributes: [])
  }
}
