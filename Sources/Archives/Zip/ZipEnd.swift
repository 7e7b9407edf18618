/// The records at a zip's end, which locate its directory (APPNOTE 4.3.14 … 4.3.16).
struct ZipEnd {
  /// In bytes from the file's start.
  let directory: Range<Int>
  /// The claimed number of records; zip64's if there is one.
  let count: Int
  /// The number of bytes before the archive, which must be added to all its offsets.
  let prefixLength: Int
  let trailingLength: Int
  let commentLength: Int
  let hasSecondEnd: Bool
  /// The offset of the first of the records at the end.
  let offset: Int
  /// True if the records claim that parts are on other disks.
  let hasOtherDisks: Bool

  init(_ source: ArchiveBytes) throws(ZipFormatError) {
    let (end, fields) = try Self.find(source)
    var count = Int(try fields.u16(10))
    var size = Int(try fields.u32(12))
    var offset = Int(try fields.u32(16))
    commentLength = Int(try fields.u16(20))
    hasSecondEnd = try Self.hasEnd(try source.read(at: end + 22, count: commentLength, .endOfDirectory))
    // Both numbers may be 65,535 with zip64.
    let disks = try [fields.u16(4), fields.u16(6)]
    hasOtherDisks = disks.contains { $0 != 0 && $0 != 0xFFFF }
    trailingLength = source.size - end - 22 - commentLength
    // The directory ends where the first record after it begins.
    var limit = end
    if let (at, wide) = try Self.zip64(source, before: end) {
      limit = at
      if count == 0xFFFF { count = try wide.size(wide.u64(32)) }
      if size == 0xFFFF_FFFF { size = try wide.size(wide.u64(40)) }
      if offset == 0xFFFF_FFFF { offset = try wide.size(wide.u64(48)) }
    }
    self.count = count
    self.offset = limit
    guard size <= limit else { throw ZipFormatError(offset: end, field: .directory, reason: .outsideFile) }
    // The directory is where the record says, or further on if bytes were put in front of the archive.
    let isThere = size == 0 ? true : try Self.isHeader(source, at: offset)
    if offset <= limit - size, isThere {
      prefixLength = 0
    } else if offset < limit - size, try Self.isHeader(source, at: limit - size) {
      prefixLength = limit - size - offset
    } else {
      throw ZipFormatError(offset: offset, field: .directory, reason: .badSignature)
    }
    directory = (prefixLength + offset)..<(prefixLength + offset + size)
  }

  private static func isHeader(_ source: ArchiveBytes, at offset: Int) throws(ZipFormatError) -> Bool {
    guard offset + 46 <= source.size else { return false }
    let bytes = try source.read(at: offset, count: 4, .directory)
    return try ZipFields(bytes: bytes, offset: offset, field: .directory).u32(0) == ZipRecords.centralSignature
  }

  private static func hasEnd(_ comment: [UInt8]) throws(ZipFormatError) -> Bool {
    let fields = ZipFields(bytes: comment, offset: 0, field: .endOfDirectory)
    for at in 0..<max(0, comment.count - 21) where try fields.u32(at) == ZipRecords.endSignature { return true }
    return false
  }

  /// The end record: the last one whose comment ends with the file, or else the last one.
  private static func find(_ source: ArchiveBytes) throws(ZipFormatError) -> (Int, ZipFields) {
    let length = min(source.size, 22 + 0xFFFF)
    let base = source.size - length
    let tail = try source.read(at: base, count: length, .endOfDirectory)
    var fallback: (Int, ZipFields)?
    var at = length - 22
    while at >= 0 {
      defer { at -= 1 }
      guard tail[at] == 0x50, tail[at + 1] == 0x4B else { continue }
      let fields = ZipFields(bytes: tail, start: at, offset: base + at, field: .endOfDirectory)
      guard try fields.u32(0) == ZipRecords.endSignature else { continue }
      let end = at + 22 + Int(try fields.u16(20))
      if end == length { return (base + at, fields) }
      if end < length, fallback == nil { fallback = (base + at, fields) }
    }
    guard let fallback else { throw ZipFormatError(offset: base, field: .endOfDirectory, reason: .missing) }
    return fallback
  }

  private static func zip64(_ source: ArchiveBytes, before end: Int) throws(ZipFormatError) -> (Int, ZipFields)? {
    guard end >= 20 else { return nil }
    let bytes = try source.read(at: end - 20, count: 20, .zip64EndOfDirectory)
    let locator = ZipFields(bytes: bytes, offset: end - 20, field: .zip64EndOfDirectory)
    guard try locator.u32(0) == ZipRecords.locator64Signature else { return nil }
    // The record is where the locator says, or right before it if bytes were put in front of the archive.
    for offset in [try locator.size(locator.u64(8)), end - 20 - 56]
    where offset >= 0 && offset <= end - 20 - 56 {
      let bytes = try source.read(at: offset, count: 56, .zip64EndOfDirectory)
      let record = ZipFields(bytes: bytes, offset: offset, field: .zip64EndOfDirectory)
      if try record.u32(0) == ZipRecords.end64Signature { return (offset, record) }
    }
    throw locator.error(.badSignature)
  }
}

/// Little-endian fields of a record, by their offset in it; a field that is not there is an error.
struct ZipFields {
  let bytes: [UInt8]
  /// The record's start in `bytes`; `offset` is its start in the file.
  var start = 0
  var offset: Int
  let field: ZipFormatError.Field

  func error(_ reason: ZipFormatError.Reason) -> ZipFormatError {
    ZipFormatError(offset: offset, field: field, reason: reason)
  }

  func bytes(_ at: Int, _ count: Int) throws(ZipFormatError) -> [UInt8] {
    guard count <= bytes.count - start - at else { throw error(.outsideFile) }
    return Array(bytes[(start + at)..<(start + at + count)])
  }

  func u16(_ at: Int) throws(ZipFormatError) -> UInt16 { UInt16(truncatingIfNeeded: try number(at, 2)) }
  func u32(_ at: Int) throws(ZipFormatError) -> UInt32 { UInt32(truncatingIfNeeded: try number(at, 4)) }
  func u64(_ at: Int) throws(ZipFormatError) -> UInt64 { try number(at, 8) }

  /// A 64-bit size, count or offset. A value beyond any file's end would overflow sums with it.
  func size(_ value: UInt64?) throws(ZipFormatError) -> Int {
    guard let value, value < 1 << 60 else { throw error(.outsideFile) }
    return Int(value)
  }

  /// A value of 32 bits, or zip64's next one in its place. A missing one spoils one entry, not all.
  func size(_ value: Int, or wide: inout IndexingIterator<[UInt64]>) throws(ZipFormatError) -> Int {
    guard value == 0xFFFF_FFFF, let wide = wide.next() else { return value }
    return try size(wide)
  }

  @inline(__always)
  private func number(_ at: Int, _ count: Int) throws(ZipFormatError) -> UInt64 {
    guard count <= bytes.count - start - at else { throw error(.outsideFile) }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[start + at + index]) << UInt64(8 * index) }
    return value
  }
}

/// A header's extra fields (APPNOTE 4.5): pairs of an id and a length, each with its data.
struct ExtraFields {
  private(set) var ids: [UInt16] = []
  /// The 64-bit values of the first zip64 field, in its order.
  private(set) var zip64 = [UInt64]().makeIterator()
  /// Info-ZIP's Unicode path (0x7075) holds version 1, the CRC-32 of the name that it replaces, and the name in UTF-8.
  private(set) var unicodePath: (crc32: UInt32, name: [UInt8])?

  /// An incomplete field ends the list; other readers ignore it as well.
  init(_ bytes: [UInt8]) {
    let fields = ZipFields(bytes: bytes, offset: 0, field: .centralHeader)
    var position = 0
    while let id = try? fields.u16(position), let length = try? fields.u16(position + 2),
      let data = try? fields.bytes(position + 4, Int(length))
    {
      let part = ZipFields(bytes: data, offset: 0, field: .centralHeader)
      if id == 1, !ids.contains(1) {
        zip64 = stride(from: 0, to: data.count, by: 8).compactMap { try? part.u64($0) }.makeIterator()
      }
      if id == 0x7075, data.count > 5, data[0] == 1, let crc = try? part.u32(1) {
        unicodePath = (crc, Array(data[5...]))
      }
      ids.append(id)
      position += 4 + data.count
    }
  }
}
