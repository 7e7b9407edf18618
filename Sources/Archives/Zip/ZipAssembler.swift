import SystemPackage

/// Writes packed blocks, in order, into a zip file: headers before content, the central directory after all of it.
struct ZipAssembler {
  private let entries: [Entry]
  private let records: ZipRecords
  private let blockSize: Int
  private var output: OutputFile
  private var summary = ZipSummary()
  private var contentOffset = 0

  init(entries: [Entry], output: OutputFile, options: ZipOptions) {
    self.entries = entries
    self.output = output
    records = ZipRecords(options: options)
    blockSize = options.blockSize
    summary.entries.reserveCapacity(entries.count)
  }

  mutating func add(_ packed: PackedBlock) throws {
    let entry = entries[packed.block.entry]
    if packed.block.offset == 0 {
      let item = ZipSummary.Item(
        path: entry.path, mode: entry.mode, uncompressedSize: entry.size, compressedSize: packed.bytes.count,
        crc32: packed.crc32, method: packed.method, headerOffset: output.position)
      summary.entries.append(item)
      // For an entry of several blocks this is a placeholder; the right one has the same length.
      try output.write(records.localHeader(item))
      contentOffset = output.position
      try output.write(packed.bytes)
      return
    }
    var item = summary.entries.removeLast()
    item.compressedSize += packed.bytes.count
    item.crc32 = Deflate.crc32(item.crc32, followedBy: packed.crc32, length: packed.block.count)
    try output.write(packed.bytes)
    if packed.block.isLast {
      if item.method == .deflated, item.compressedSize >= item.uncompressedSize {
        try store(packed.block.content, &item)
      }
      try packed.block.content.checkUnchanged()
      try output.overwrite(at: item.headerOffset, records.localHeader(item))
    }
    summary.entries.append(item)
  }

  /// Goes back to the start of content that deflate did not shrink, and writes it as it is.
  private mutating func store(_ content: OpenContent, _ item: inout ZipSummary.Item) throws {
    try output.goBack(to: contentOffset)
    item.method = .stored
    item.compressedSize = item.uncompressedSize
    var crc: UInt32 = 0
    var buffer: [UInt8] = []
    for offset in stride(from: 0, to: content.size, by: blockSize) {
      try Task.checkCancellation()
      let count = min(blockSize, content.size - offset)
      let bytes = try content.withBytes(at: offset, count: count, buffer: &buffer) { bytes in
        crc = Deflate.crc32(bytes, continuing: crc)
        return Array(copying: bytes)
      }
      try output.write(bytes)
    }
    guard crc == item.crc32 else { throw ZipError.changed(item.path) }
  }

  mutating func finish() throws(ZipError) -> ZipSummary {
    let directory = output.position
    for item in summary.entries { try output.write(records.centralHeader(item)) }
    try output.write(
      records.end(
        count: summary.entries.count, directoryOffset: directory, directorySize: output.position - directory))
    try output.finish()
    summary.size = output.position
    return summary
  }
}

/// A file that is written from its start through a buffer.
struct OutputFile {
  private let descriptor: FileDescriptor
  private var buffer: [UInt8] = []
  private var flushed = 0

  init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  var position: Int { flushed + buffer.count }

  mutating func write(_ bytes: [UInt8]) throws(ZipError) {
    if bytes.count >= 1 << 16 {
      try flush()
      try put(bytes, at: flushed)
      flushed += bytes.count
    } else {
      buffer += bytes
      if buffer.count >= 1 << 18 { try flush() }
    }
  }

  mutating func overwrite(at offset: Int, _ bytes: [UInt8]) throws(ZipError) {
    try flush()
    try put(bytes, at: offset)
  }

  mutating func goBack(to offset: Int) throws(ZipError) {
    try flush()
    flushed = offset
  }

  /// Writes the buffer, and truncates the file after the last byte: a longer attempt or an older file may leave more.
  mutating func finish() throws(ZipError) {
    try flush()
    do { try descriptor.resize(to: Int64(flushed)) } catch { throw ZipError(unwritable: error) }
  }

  private mutating func flush() throws(ZipError) {
    if buffer.isEmpty { return }
    try put(buffer, at: flushed)
    flushed += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private func put(_ bytes: [UInt8], at offset: Int) throws(ZipError) {
    do { try descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes) } catch { throw ZipError(unwritable: error) }
  }
}
