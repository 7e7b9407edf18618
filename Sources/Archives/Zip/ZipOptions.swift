/// The options of a zip. The number of workers never changes a byte.
package struct ZipOptions: Sendable {
  /// The date of every entry in seconds since 1970 (UTC), as in `SOURCE_DATE_EPOCH`; nil means 1980-01-01 00:00.
  package var epoch: Int?
  /// The number of blocks that are compressed at once; nil means one for each core.
  package var workers: Int?
  /// Jars are not unpacked and often hold `a.class` and `A.class`, so only equal names are refused in them.
  package var allowsCaseTwins = false
  package var level = Deflate.Level.small

  /// In bytes. Part of the format; smaller in tests only.
  var blockSize = ZipWriter.blockSize
  /// The first size, offset or (less one, in 16 bits) count that needs zip64; smaller in tests only.
  var zip64Limit = 0xFFFF_FFFF

  package init(
    epoch: Int? = nil, workers: Int? = nil, allowsCaseTwins: Bool = false, level: Deflate.Level = .small
  ) {
    self.epoch = epoch
    self.workers = workers
    self.allowsCaseTwins = allowsCaseTwins
    self.level = level
  }
}

/// The entries as they were written, in the archive's order, for comparison with a read-back.
package struct ZipSummary: Sendable, Hashable {
  package var entries: [Item] = []
  /// In bytes, of the whole file.
  package var size = 0

  package struct Item: Sendable, Hashable {
    package var path: EntryPath
    /// File type and permissions as in `st_mode`: 0100644, 0100755, 0120777 or 040755.
    package var mode: UInt16
    package var uncompressedSize: Int
    package var compressedSize: Int
    package var crc32: UInt32
    package var method: ZipMethod
    /// The offset of the entry's local header, in bytes from the file's start.
    package var headerOffset: Int
  }
}

/// An entry's compression method (APPNOTE 4.4.5). Other values exist, and are never written.
package struct ZipMethod: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let stored = ZipMethod(rawValue: 0)
  package static let deflated = ZipMethod(rawValue: 8)
}
