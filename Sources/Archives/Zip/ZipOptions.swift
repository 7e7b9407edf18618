/// What a caller may choose about a zip. The number of workers never changes a byte.
package struct ZipOptions: Sendable {
  /// Seconds since 1970 (UTC) that every entry is dated with, as in `SOURCE_DATE_EPOCH`; nil: 1980-01-01 00:00.
  package var epoch: Int?
  /// How many blocks are compressed at the same time; nil: one a core.
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

/// The entries as they were written, in the archive's order. A read-back is compared with it.
package struct ZipSummary: Sendable, Hashable {
  package var entries: [Item] = []
  /// The size of the whole file, in bytes.
  package var size = 0

  package struct Item: Sendable, Hashable {
    package var path: EntryPath
    /// File type and permissions as `st_mode` has them: 0100644, 0100755, 0120777 or 040755.
    package var mode: UInt16
    package var uncompressedSize: Int
    package var compressedSize: Int
    package var crc32: UInt32
    package var method: ZipMethod
    /// Where the entry's local header starts, in bytes from the file's start.
    package var headerOffset: Int
  }
}

/// How an entry's content is kept (APPNOTE 4.4.5); other values exist and are not ours.
package struct ZipMethod: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let stored = ZipMethod(rawValue: 0)
  package static let deflated = ZipMethod(rawValue: 8)
}
