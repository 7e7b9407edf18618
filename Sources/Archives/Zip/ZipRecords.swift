/// The records of a zip (PKWARE APPNOTE 6.3.9), as the canonical zip has them. All numbers are little-endian.
///
/// ```
/// local file header        30 bytes + name [+ zip64: 20]     4.3.7    one before each entry's content
/// central file header      46 bytes + name [+ zip64: 4 … 28] 4.3.12   all together at the end
/// zip64 end of directory   56 bytes, and its locator, 20     4.3.14, 4.3.15
/// end of directory         22 bytes                          4.3.16
/// ```
///
/// There are no data descriptors (flag bit 3), because Java's `ZipInputStream`, which extracts AARs in Android's build,
/// refuses them on stored entries. Other extra fields than zip64's are left out, because they usually hold times, user
/// and group of the machine.
struct ZipRecords {
  static let localSignature: UInt32 = 0x0403_4B50
  static let centralSignature: UInt32 = 0x0201_4B50
  static let endSignature: UInt32 = 0x0605_4B50
  static let end64Signature: UInt32 = 0x0606_4B50
  static let locator64Signature: UInt32 = 0x0706_4B50

  /// Made by 2.0 on Unix (3): the upper half of the external attributes is `st_mode`.
  private static let versionMadeBy: UInt16 = 0x0314

  let time: UInt16
  let date: UInt16
  let limit: Int

  init(options: ZipOptions) {
    (time, date) = Self.dosTime(epoch: options.epoch)
    limit = options.zip64Limit
  }

  /// Whether the local header has 64-bit sizes. Content that deflate does not shrink is stored, so this size decides.
  private func isLarge(_ item: ZipSummary.Item) -> Bool { item.uncompressedSize >= limit }

  func localHeader(_ item: ZipSummary.Item) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.put(Self.localSignature)
    common(item, needsZip64: isLarge(item), sizesIn64: isLarge(item), to: &bytes)
    bytes.put(UInt16(truncatingIfNeeded: item.storedName.count), UInt16(isLarge(item) ? 20 : 0))
    bytes.bytes += item.storedName
    if isLarge(item) {
      // 4.5.3: a local header has both sizes.
      bytes.put(UInt16(1), UInt16(16), UInt64(item.uncompressedSize), UInt64(item.compressedSize))
    }
    return bytes.bytes
  }

  func centralHeader(_ item: ZipSummary.Item) -> [UInt8] {
    // 4.5.3: only the fields that do not fit are there, in this order.
    var wide: [UInt64] = []
    if isLarge(item) { wide += [UInt64(item.uncompressedSize), UInt64(item.compressedSize)] }
    let isFar = item.headerOffset >= limit
    if isFar { wide.append(UInt64(item.headerOffset)) }
    var bytes = ByteWriter()
    bytes.put(Self.centralSignature, Self.versionMadeBy)
    common(item, needsZip64: !wide.isEmpty, sizesIn64: isLarge(item), to: &bytes)
    bytes.put(UInt16(truncatingIfNeeded: item.storedName.count), UInt16(wide.isEmpty ? 0 : 4 + 8 * wide.count))
    bytes.put(UInt16(0), UInt16(0), UInt16(0))  // comment, disk, internal attributes
    bytes.put(UInt32(item.mode) << 16 | (item.isDirectory ? 0x10 : 0))
    bytes.put(isFar ? UInt32.max : UInt32(item.headerOffset))
    bytes.bytes += item.storedName
    if !wide.isEmpty {
      bytes.put(UInt16(1), UInt16(8 * wide.count))
      for field in wide { bytes.put(field) }
    }
    return bytes.bytes
  }

  /// The fields that both headers share: from "version needed" to the sizes.
  private func common(_ item: ZipSummary.Item, needsZip64: Bool, sizesIn64: Bool, to bytes: inout ByteWriter) {
    bytes.put(UInt16(needsZip64 ? 45 : item.method == .deflated || item.isDirectory ? 20 : 10))
    bytes.put(UInt16(item.storedName.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11))
    bytes.put(item.method.rawValue, time, date, item.crc32)
    for size in [item.compressedSize, item.uncompressedSize] { bytes.put(sizesIn64 ? UInt32.max : UInt32(size)) }
  }

  /// A zip with this entry alone.
  static func archive(of item: ZipSummary.Item, _ packed: [UInt8]) -> [UInt8] {
    let records = ZipRecords(options: ZipOptions())
    let front = records.localHeader(item) + packed
    let directory = records.centralHeader(item)
    return front + directory + records.end(count: 1, directoryOffset: front.count, directorySize: directory.count)
  }

  /// The records after the central directory.
  func end(count: Int, directoryOffset: Int, directorySize: Int) -> [UInt8] {
    var bytes = ByteWriter()
    if count >= min(0xFFFF, limit) || directoryOffset >= limit || directorySize >= limit {
      // The 44 is the record's length without the signature and this field.
      bytes.put(Self.end64Signature, UInt64(44), Self.versionMadeBy, UInt16(45), UInt32(0), UInt32(0))
      for number in [count, count, directorySize, directoryOffset] { bytes.put(UInt64(number)) }
      // The 1 is the number of disks.
      bytes.put(Self.locator64Signature, UInt32(0), UInt64(directoryOffset + directorySize), UInt32(1))
    }
    let shown = count >= min(0xFFFF, limit) ? UInt16.max : UInt16(count)
    bytes.put(Self.endSignature, UInt16(0), UInt16(0), shown, shown)
    for number in [directorySize, directoryOffset] { bytes.put(number >= limit ? UInt32.max : UInt32(number)) }
    bytes.put(UInt16(0))
    return bytes.bytes
  }

  /// MS-DOS time and date (UTC): two-second steps, 1980-01-01 to 2107-12-31.
  static func dosTime(epoch: Int?) -> (time: UInt16, date: UInt16) {
    let first = 315_532_800  // 1980-01-01 00:00:00
    let last = 4_354_819_198  // 2107-12-31 23:59:58
    let seconds = min(max(epoch ?? first, first), last)
    let time = seconds % 86400
    // Days to a civil date, with years that start in March, so that a leap day is a year's last.
    let days = seconds / 86400 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    // Swift's shifts bind tighter than its divisions.
    return (
      UInt16((time / 3600) << 11 | (time / 60 % 60) << 5 | time % 60 / 2),
      UInt16((year - 1980) << 9 | month << 5 | day)
    )
  }
}

extension ZipSummary.Item {
  var isDirectory: Bool { mode & 0o170000 == 0o040000 }
  var storedName: [UInt8] { isDirectory ? path.bytes + [UInt8(ascii: "/")] : path.bytes }
}

/// Little-endian numbers, one after the other.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func put<each Number: FixedWidthInteger & UnsignedInteger>(_ numbers: repeat each Number) {
    repeat append(each numbers)
  }

  private mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
