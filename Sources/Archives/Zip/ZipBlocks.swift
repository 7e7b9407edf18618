import Synchronization
import SystemPackage

/// Some consecutive blocks of content, to be packed by one worker: one block of a large entry, or many small entries.
struct Job: Sendable {
  let number: Int
  var blocks: [Block] = []
}

/// A piece of an entry's content. Only an entry's last block may be shorter than the block size.
struct Block: Sendable {
  let entry: Int
  let content: OpenContent
  let offset: Int
  let count: Int
  /// Whether the entry has other blocks.
  let isPart: Bool
  let isLast: Bool
  /// True for symbolic links, and for parts of compressed content.
  let isStored: Bool
}

typealias PackedJob = (number: Int, blocks: [PackedBlock])

struct PackedBlock: Sendable {
  let block: Block
  let bytes: [UInt8]
  let crc32: UInt32
  let method: ZipMethod
}

/// An entry's content, open while one of its blocks is processed.
final class OpenContent: Sendable {
  let path: EntryPath
  let size: Int
  private let source: Entry.Content
  private let file: Mutex<PositionalFile?> = Mutex(nil)

  init(_ entry: Entry) {
    path = entry.path
    size = entry.size
    source =
      switch entry.kind {
      case .file(let content, _): content
      case .symbolicLink(let target): .bytes(target)
      case .directory: .bytes([])
      }
  }

  /// Passes exactly `count` bytes from `offset` on to `body`; `buffer` is reused for them.
  func withBytes<Result>(
    at offset: Int, count: Int, buffer: inout [UInt8], _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result {
    if case .bytes(let bytes) = source { return try body(bytes.span.extracting(offset..<(offset + count))) }
    buffer.removeAll(keepingCapacity: true)
    try buffer.append(addingCapacity: count) { (room: inout OutputSpan<UInt8>) in
      switch source {
      case .bytes: break
      case .reader(_, let read): try read(offset, count, &room)
      case .file(let name, _):
        let file = try open(name)
        do throws(Errno) {
          try file.read(at: offset, count: count, into: &room)
        } catch {
          throw ZipError.unreadable(path, name, error)
        }
      }
    }
    guard buffer.count == count else { throw ZipError.changed(path) }
    return try body(buffer.span)
  }

  /// Must be called when everything was read.
  func checkUnchanged() throws(ZipError) {
    guard case .file(let name, _) = source, let file = file.withLock({ $0 }) else { return }
    let isUnchanged: Bool
    do { isUnchanged = try file.isUnchanged() } catch { throw .unreadable(path, name, error) }
    if !isUnchanged { throw .changed(path) }
  }

  private func open(_ name: FilePath) throws -> PositionalFile {
    try file.withLock { file in
      if let file { return file }
      let opened: PositionalFile
      do throws(Errno) {
        opened = try PositionalFile(name)
      } catch {
        throw ZipError.unreadable(path, name, error)
      }
      guard opened.size == size else { throw ZipError.changed(path) }
      file = opened
      return opened
    }
  }
}

/// Cuts entries into blocks and gathers these into jobs of about a block's size.
struct JobIterator {
  private let entries: [Entry]
  private let blockSize: Int
  private var entry = 0
  private var offset = 0
  private var number = 0
  private var content: OpenContent?
  private var isStored = false

  init(entries: [Entry], blockSize: Int) {
    self.entries = entries
    self.blockSize = blockSize
  }

  mutating func next() throws -> Job? {
    guard entry < entries.count else { return nil }
    var job = Job(number: number)
    number += 1
    var total = 0
    while entry < entries.count, total < blockSize, job.blocks.count < 256 {
      let content = try self.content ?? begin()
      let count = min(blockSize, content.size - offset)
      let isLast = offset + count == content.size
      job.blocks.append(
        Block(
          entry: entry, content: content, offset: offset, count: count, isPart: content.size > blockSize,
          isLast: isLast, isStored: isStored))
      total += count
      offset += count
      if isLast {
        self.content = nil
        entry += 1
        offset = 0
      }
    }
    return job
  }

  private mutating func begin() throws -> OpenContent {
    let content = OpenContent(entries[entry])
    self.content = content
    if case .symbolicLink = entries[entry].kind {
      isStored = true
    } else if content.size > blockSize {
      // Its blocks are packed at the same time, so the first one cannot decide for the others.
      var buffer: [UInt8] = []
      let count = min(content.size, CompressedContent.headLength)
      isStored = try content.withBytes(at: 0, count: count, buffer: &buffer) {
        CompressedContent.isCompressed(head: $0)
      }
    } else {
      isStored = false
    }
    return content
  }
}

/// Keeps idle compressors, because they are costly to make and hold a megabyte each.
final class CompressorPool: Sendable {
  private let idle: Mutex<[BlockCompressor]> = Mutex([])
  private let level: Deflate.Level

  init(_ level: Deflate.Level) { self.level = level }

  func pack(_ job: Job) throws -> PackedJob {
    let compressor = try idle.withLock { $0.popLast() } ?? BlockCompressor(level)
    defer { idle.withLock { $0.append(compressor) } }
    let blocks = try job.blocks.map { block in
      try Task.checkCancellation()
      return try compressor.pack(block)
    }
    return (job.number, blocks)
  }
}

/// One worker's compressor and buffer. `@unchecked`: the pool hands it to one task at a time.
final class BlockCompressor: @unchecked Sendable {
  private let deflate: Deflate
  private var buffer: [UInt8] = []

  init(_ level: Deflate.Level) throws {
    deflate = try Deflate(level: level)
  }

  func pack(_ block: Block) throws -> PackedBlock {
    let packed = try block.content.withBytes(at: block.offset, count: block.count, buffer: &buffer) { bytes in
      let crc = Deflate.crc32(bytes)
      if !block.isStored, !bytes.isEmpty, block.isPart || !CompressedContent.isCompressed(head: bytes) {
        var output: [UInt8] = []
        do throws(DeflateError) {
          if CompressedContent.isNoise(bytes) {
            Deflate.store(bytes, final: block.isLast, into: &output)
          } else {
            try deflate.compress(bytes, final: block.isLast, into: &output)
          }
        } catch {
          throw ZipError.compressor(block.content.path, error)
        }
        // A part cannot decide, because its entry's other blocks may gain more than it loses.
        if block.isPart || output.count < bytes.count {
          return PackedBlock(block: block, bytes: output, crc32: crc, method: .deflated)
        }
      }
      return PackedBlock(block: block, bytes: Array(copying: bytes), crc32: crc, method: .stored)
    }
    if !block.isPart { try block.content.checkUnchanged() }
    return packed
  }
}
