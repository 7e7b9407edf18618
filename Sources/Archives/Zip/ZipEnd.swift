/// The records at a zip's end, which say where its directory is (APPNOTE 4.3.14 … 4.3.16).
struct ZipEnd {
  /// From the file's start.
  let directoryOffset: Int
  let directorySize: Int
  let count: Int
  let prefixLength: Int
  let trailingLength: Int
  let commentLength: Int
  let hasSecondEnd: Bool
  /// Where the first of the records at the end begins.
  let offset: Int
  /// Parts are said to be on other disks.
  let hasOtherDisks: Bool

  init(_ source: ZipSource) throws(ZipFormatError) {
    let (end, fields) = try Self.find(source)
    var count = Int(try fields.u16(10))
    var size = Int(try fields.u32(12))
    var offset = Int(try fields.u32(16))
    commentLength = Int(try fields.u16(20))
    hasSecondEnd = try Self.hasEnd(try source.read(at: end + 22, count: commentLength, .endOfDirectory))
    // With zip64 they may be 65,535.
    let disks = try [fields.u16(4), fields.u16(6)]
    hasOtherDisks = disks.contains { $0 != 0 && $0 != 0xFFFF }
    trailingLength = source.size - end - 22 - commentLength
    // What the directory ends at: the first of the records behind it.
    var limit = end
    if let (at, wide) = try Self.zip64(source, before: end) {
      limit = at
      if count == 0xFFFF { count = try wide.size(wide.u64(32)) }
      if size == 0xFFFF_FFFF { size = try wide.size(wide.u64(40)) }
      if offset == 0xFFFF_FFFF { offset = try wide.size(wide.u64(48)) }
    }
    self.count = count
    self.offset = limit
    directorySize = size
    guard size <= limit else { throw ZipFormatError(offset: end, field: .directory, reason: .outsideFile) }
    // Where it says, if a header is there; else where it must be if bytes were put in front of the archive.
    let isThere = size == 0 ? true : try Self.isHeader(source, at: offset)
    if offset <= limit - size, isThere {
      directoryOffset = offset
      prefixLength = 0
    } else if offset < limit - size, try Self.isHeader(source, at: limit - size) {
      directoryOffset = limit - size
      prefixLength = limit - size - offset
    } else {
      throw ZipFormatError(offset: offset, field: .directory, reason: .badSignature)
    }
  }

  private static func isHeader(_ source: ZipSource, at offset: Int) throws(ZipFormatError) -> Bool {
    guard offset + 46 <= source.size else { return false }
    let bytes = try source.read(at: offset, count: 4, .directory)
    return try ZipFields(bytes: bytes, start: 0, offset: offset, field: .directory).u32(0)
      == ZipRecords.centralSignature
  }

  private static func hasEnd(_ comment: [UInt8]) throws(ZipFormatError) -> Bool {
    let fields = ZipFields(bytes: comment, start: 0, offset: 0, field: .endOfDirectory)
    for at in 0..<max(0, comment.count - 21) where try fields.u32(at) == ZipRecords.endSignature { return true }
    return false
  }

  /// The end record: the last one whose comment ends with the file, or else the last one.
  private static func find(_ source: ZipSource) throws(ZipFormatError) -> (Int, ZipFields) {
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

  private static func zip64(_ source: ZipSource, before end: Int) throws(ZipFormatError) -> (Int, ZipFields)? {
    guard end >= 20 else { return nil }
    let bytes = try source.read(at: end - 20, count: 20, .zip64EndOfDirectory)
    let locator = ZipFields(bytes: bytes, start: 0, offset: end - 20, field: .zip64EndOfDirectory)
    guard try locator.u32(0) == ZipRecords.locator64Signature else { return nil }
    // Where it says, or, with bytes in front of the archive, right before its locator.
    for offset in [try locator.size(locator.u64(8)), end - 20 - 56]
    where offset >= 0 && offset <= end - 20 - 56 {
      let record = ZipFields(
        bytes: try source.read(at: offset, count: 56, .zip64EndOfDirectory), start: 0, offset: offset,
        field: .zip64EndOfDirectory)
      if try record.u32(0) == ZipRecords.end64Signature { return (offset, record) }
    }
    throw locator.error(.badSignature)
  }
}

/// Little-endian fields of a record, by their offset in it; a field that is not there is an error.
struct ZipFields {
  let bytes: [UInt8]
  /// Where the record starts in `bytes`, and in the file.
  let start: Int
  let offset: Int
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

  /// A 64-bit size, count or offset: one beyond any file's end would overflow sums with it.
  func size(_ value: UInt64?) throws(ZipFormatError) -> Int {
    guard let value, value < 1 << 60 else { throw error(.outsideFile) }
    return Int(value)
  }

  /// A value of 32 bits, or the next one of zip64's in its place; one that is missing makes one entry wrong, not all.
  func size(_ value: Int, or wide: inout IndexingIterator<[UInt64]>) throws(ZipFormatError) -> Int {
    guard value == 0xFFFF_FFFF, let wide = wide.next() else { return value }
    return try size(wide)
  }

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
  /// Of Info-ZIP's Unicode path (0x7075): version 1, the CRC-32 of the name that it is for, the name in UTF-8.
  private(set) var unicodePath: (crc32: UInt32, name: [UInt8])?

  /// What is not a whole field ends the list: other readers pass over it as well.
  init(_ bytes: [UInt8]) {
    var position = 0
    var hasZip64 = false
    func u16(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    while position + 4 <= bytes.count {
      let id = UInt16(u16(position))
      let length = u16(position + 2)
      guard length <= bytes.count - position - 4 else { return }
      if id == 1, !hasZip64 {
        hasZip64 = true
        zip64 = stride(from: position + 4, through: position + 4 + length - 8, by: 8).map { start in
          (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
        }.makeIterator()
      }
      if id == 0x7075, length > 5, bytes[position + 4] == 1 {
        let crc = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[position + 5 + $1]) << UInt32(8 * $1) }
        unicodePath = (crc, Array(bytes[(position + 9)..<(position + 4 + length)]))
      }
      ids.append(id)
      position += 4 + length
    }
  }
}
