internal import SystemPackage

struct StoredFile {
  let file: FileDescriptor
  let status: FileStamp
  private let path: FilePath

  /// Nil if the file cannot be opened, for whatever reason.
  static func open(_ path: FilePath) -> StoredFile? {
    guard let file = try? FileSystem.open(path) else { return nil }
    guard let status = try? FileSystem.status(file, path) else {
      try? file.close()
      return nil
    }
    return StoredFile(file: file, status: status, path: path)
  }

  var size: Int64 { status.size }

  func close() { try? file.close() }

  /// Nil if the file has no such part or cannot be read.
  func read(_ part: Range<Int>) -> [UInt8]? {
    let bytes = try? FileSystem.read(file, path, at: Int64(part.lowerBound), count: part.count)
    return bytes?.count == part.count ? bytes : nil
  }

  /// Removes a damaged file. A good one that another process has just put there is lost, and made again later.
  func discard() { try? FileSystem.remove(path) }

  /// Records the last use to the hour, so that reading seldom writes. Without write access it does nothing.
  func use() {
    let age = HostProcess.now &- status.modified
    if age > StoredFile.granularity || age < -StoredFile.granularity { SystemCalls.touch(file) }
  }

  /// In nanoseconds.
  static let granularity: Int64 = 3600 * 1_000_000_000
}

/// Copies and hashes in one pass.
enum FileCopy {
  /// Copies an open file from its start to an empty one. Without `hashes`, for a known digest, the result has none.
  static func copy(
    _ file: FileDescriptor, size: Int64, hashes: Bool, to output: FileDescriptor
  ) throws(SystemCalls.CopyFailure) -> (digest: Digest?, count: Int64) {
    var hash = DigestBuilder()
    let block = Int(min(max(size, 1), blockSize))
    // A clone costs nothing, but a small file is copied faster than its blocks are shared.
    if size >= blockSize, SystemCalls.clone(file, to: output) {
      if !hashes { return (nil, size) }
      // The original is hashed, because it may be in memory; the clone never is.
      let count = try SystemCalls.hash(file, blocksOf: block, into: &hash)
      return (hash.finish(), count)
    }
    let count = try SystemCalls.hash(file, blocksOf: block, into: &hash, skips: !hashes, copy: output)
    return (hashes ? hash.finish() : nil, count)
  }

  /// A block stays in the processor's cache from the read over the hash to the write.
  private static let blockSize: Int64 = 256 << 10
}
