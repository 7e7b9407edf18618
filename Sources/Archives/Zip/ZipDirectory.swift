/// A zip's central directory, unchecked: for the audit, and for access to single entries.
///
/// A reader that unpacks (`ArchiveReader`) shows what one program would see; this shows what is there. All values are
/// the file's claims: offsets and sizes are checked against the file when they are used.
package struct ZipDirectory: Sendable {
  /// In the directory's order.
  package let records: [Record]
  let end: ZipEnd
  let source: ArchiveBytes

  /// A central header (APPNOTE 4.3.12), with zip64's values in place of the ones that did not fit.
  package struct Record: Sendable, Hashable {
    package var name: [UInt8]
    package var method: ZipMethod
    package var flags: UInt16
    package var crc32: UInt32
    package var compressedSize: Int
    package var uncompressedSize: Int
    /// The local header's offset from the file's start, prefix included.
    package var headerOffset: Int
    package var versionMadeBy: UInt16 = 0
    package var versionNeeded: UInt16
    package var externalAttributes: UInt32 = 0
    package var extraFields: [UInt16]
    /// A name from the extra fields that differs from `name`. Nil if there is none, or if it is for yet another name.
    package var otherName: [UInt8]?

    package var isDirectory: Bool { name.last == UInt8(ascii: "/") || mode & 0o170000 == 0o040000 }
    package var isSymbolicLink: Bool { mode & 0o170000 == 0o120000 }
    package var isEncrypted: Bool { flags & 1 != 0 }
    package var hasDataDescriptor: Bool { flags & 1 << 3 != 0 }
    /// `st_mode`, if it was made on Unix (3) or macOS (19); else 0.
    package var mode: UInt16 {
      [3, 19].contains(versionMadeBy >> 8) ? UInt16(externalAttributes >> 16) : 0
    }
  }

  /// - Parameter limit: of the directory, which is read as a whole; in bytes.
  package init(_ source: ArchiveBytes, limit: Int = 1 << 30) throws(ZipFormatError) {
    self.source = source.withoutDirectory
    end = try ZipEnd(source)
    let start = end.directory.lowerBound
    guard end.directory.count <= limit else {
      throw ZipFormatError(offset: start, field: .directory, reason: .tooLarge)
    }
    let bytes = try source.read(at: start, count: end.directory.count, .directory)
    var records: [Record] = []
    records.reserveCapacity(min(end.count, bytes.count / 46))
    var position = 0
    var header = ZipFields(bytes: bytes, offset: start, field: .centralHeader)
    while position < bytes.count {
      (header.start, header.offset) = (position, start + position)
      let signature = try header.u32(0)
      // A digital signature (4.3.13) may follow the last header.
      if signature == 0x0505_4B50 { break }
      guard signature == ZipRecords.centralSignature else { throw header.error(.badSignature) }
      records.append(try Record(header, ofEntryAt: end.prefixLength))
      position += 46 + Int(try header.u16(28)) + Int(try header.u16(30)) + Int(try header.u16(32))
    }
    guard position <= bytes.count else {
      throw ZipFormatError(offset: start + bytes.count, field: .centralHeader, reason: .outsideFile)
    }
    self.records = records
  }

  /// The central directory, in bytes from the file's start.
  package var range: Range<Int> { end.directory }

  /// The start of an entry's content. The rest of its local header is not read.
  func contentOffset(of record: Record) throws(ZipFormatError) -> Int {
    let offset = record.headerOffset
    let fixed = try source.read(at: offset, count: 30, .localHeader)
    let fields = ZipFields(bytes: fixed, offset: offset, field: .localHeader)
    guard try fields.u32(0) == ZipRecords.localSignature else { throw fields.error(.badSignature) }
    return offset + 30 + Int(try fields.u16(26)) + Int(try fields.u16(28))
  }

  func localHeader(of record: Record) throws(ZipFormatError) -> (header: Record, contentOffset: Int) {
    let offset = record.headerOffset
    let contentOffset = try contentOffset(of: record)
    let bytes = try source.read(at: offset, count: contentOffset - offset, .localHeader)
    let fields = ZipFields(bytes: bytes, offset: offset, field: .localHeader)
    return (try Record(fields), contentOffset)
  }

  /// One entry's content, inflated and checked. An entry with a claimed size over `limit` bytes is refused beforehand.
  package func contents(of record: Record, limit: Int) throws(ZipFormatError) -> [UInt8] {
    let start = try contentOffset(of: record)
    func error(_ field: ZipFormatError.Field, _ reason: ZipFormatError.Reason) -> ZipFormatError {
      ZipFormatError(offset: start, field: field, reason: reason)
    }
    if record.isEncrypted { throw error(.content, .encrypted) }
    guard record.uncompressedSize <= limit, record.compressedSize / 2 <= limit + 1024 else {
      throw error(.size, .tooLarge)
    }
    var bytes = try source.read(at: start, count: record.compressedSize, .content)
    switch record.method {
    case .stored: break
    case .deflated:
      guard record.uncompressedSize / Deflate.maxRatio <= bytes.count else { throw error(.size, .damaged) }
      guard let inflated = try? Deflate.inflating(bytes.span, size: record.uncompressedSize) else {
        throw error(.content, .damaged)
      }
      bytes = inflated
    default: throw error(.content, .unsupportedMethod(record.method.rawValue))
    }
    guard bytes.count == record.uncompressedSize else { throw error(.size, .damaged) }
    guard Deflate.crc32(bytes.span) == record.crc32 else { throw error(.checksum, .damaged) }
    return bytes
  }
}

extension ZipDirectory.Record {
  /// Reads a central header, or a local one (APPNOTE 4.3.7), which has some of its fields.
  ///
  /// - Parameter prefixLength: the number of bytes before the archive; nil for a local header.
  fileprivate init(_ header: ZipFields, ofEntryAt prefixLength: Int? = nil) throws(ZipFormatError) {
    // Both have the fields from "version needed" to the length of the extra fields, one behind the other.
    let (start, fixed) = prefixLength == nil ? (4, 30) : (6, 46)
    let nameLength = Int(try header.u16(start + 22))
    let extra = ExtraFields(try header.bytes(fixed + nameLength, Int(try header.u16(start + 24))))
    var wide = extra.zip64
    versionNeeded = try header.u16(start)
    flags = try header.u16(start + 2)
    method = ZipMethod(rawValue: try header.u16(start + 4))
    crc32 = try header.u32(start + 10)
    uncompressedSize = try header.size(Int(try header.u32(start + 18)), or: &wide)
    compressedSize = try header.size(Int(try header.u32(start + 14)), or: &wide)
    name = try header.bytes(fixed, nameLength)
    extraFields = extra.ids
    headerOffset = header.offset
    if let (crc, other) = extra.unicodePath, other != name, crc == Deflate.crc32(name.span) { otherName = other }
    guard let prefixLength else { return }
    versionMadeBy = try header.u16(4)
    externalAttributes = try header.u32(38)
    headerOffset = try header.size(Int(try header.u32(42)), or: &wide) + prefixLength
  }
}
