import SystemPackage

/// Reads an archive entry by entry, as `ArchiveReader` does, and continues after an entry that cannot be read.
///
/// A zip is read by its directory, as `unzip` and 7z do, so that a damaged entry does not affect the others. Other
/// archives, and a zip without its directory, can only be read from front to back; entries after the damage are lost.
package struct EntryReader: ~Copyable {
  private var archive: ArchiveReader?
  private var zip: ZipEntries? = nil
  private let source: ArchiveBytes
  /// The reason why the directory of a zip cannot be read.
  private var damage: ZipFormatError?
  /// No entry has been read yet.
  private var isFresh = true
  /// The error or the end has been reported.
  private var hasFailed = false

  package init(_ source: ArchiveBytes) throws {
    self.source = source
    // Other archives may end in a zip; only a file that begins as one is read as one.
    if let head = try? source.read(at: 0, count: 2, .localHeader), head.elementsEqual("PK".utf8) {
      do throws(ZipFormatError) { zip = ZipEntries(try source.directory()) } catch { damage = error }
    }
    archive = zip == nil ? try ArchiveReader(source) : nil
  }

  /// The next entry, or nil at the archive's end. After an error there is nothing more.
  package mutating func next() throws -> ArchiveHeader? {
    if zip != nil { return zip?.next() }
    if hasFailed { return nil }
    do throws(ArchiveError) {
      if let header = try archive?.next() ?? nil {
        isFresh = false
        return header
      }
    } catch {
      hasFailed = true
      // libarchive does not read a zip with bytes in front of it; its directory can still be read.
      if isFresh, damage == nil, let directory = try? source.directory() {
        zip = ZipEntries(directory)
        return zip?.next()
      }
      throw error
    }
    hasFailed = true
    // Without the directory, entries may be missing from what was read.
    if let damage { throw damage }
    return nil
  }

  /// Whether it is read by a directory, which lists the entries before anything is unpacked.
  package var isZip: Bool { zip != nil }

  /// Up to `count` bytes from a large entry's start, not checked; nil if reading them with `forEachChunk` is as cheap.
  package func head(_ count: Int) throws(ZipFormatError) -> [UInt8]? {
    guard let zip, let record = zip.current else { return nil }
    return try zip.directory.head(of: record, count)
  }

  /// Passes the entry's content on, piece by piece, in order. The span is valid during the call only.
  ///
  /// - Throws: `ZipFormatError` or `ArchiveError` if this entry cannot be read, and whatever `body` throws.
  package mutating func forEachChunk(_ body: (RawSpan) throws -> Void) throws {
    if let zip { return try zip.current.map { try zip.directory.forEachChunk(of: $0, body) } ?? () }
    do { try archive?.forEachChunk(body) } catch let error as ArchiveError {
      hasFailed = true
      throw error
    }
  }
}

/// The entries of a zip that has a directory, in the order of the file.
private struct ZipEntries {
  let directory: ZipDirectory
  /// The numbers of the records that are read.
  private let order: [Int]
  /// The place of the current one in the order; it begins before the first one, and ends behind the last.
  private var place = -1

  init(_ directory: ZipDirectory) {
    self.directory = directory
    let offsets = directory.records.map(\.headerOffset)
    let order = offsets.indices.sorted { (offsets[$0], $0) < (offsets[$1], $1) }
    // Entries that share a header are read once; the audit reports them.
    var last = -1
    self.order = order.filter { number in
      defer { last = offsets[number] }
      return offsets[number] != last
    }
  }

  var current: ZipDirectory.Record? { order.indices.contains(place) ? directory.records[order[place]] : nil }

  mutating func next() -> ArchiveHeader? {
    place = min(place + 1, order.count)
    return place < order.count ? ArchiveHeader(directory.records[order[place]]) : nil
  }
}

extension ArchiveHeader {
  package init(_ record: ZipDirectory.Record) {
    let type = FileMode(rawValue: .init(record.mode)).type
    let kind = record.isDirectory ? .directory : type.rawValue == 0 ? .regular : type
    self.init(
      name: record.name, kind: kind, mode: record.mode, size: record.uncompressedSize, crc32: record.crc32,
      linkTarget: nil, attributes: [])
  }
}
