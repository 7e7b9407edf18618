package import Archives
import ObjectFiles
package import Store
import Synchronization
import SystemPackage

/// Contents of archive entries in a nameless file on the disk, so that no claim of an archive takes memory.
package final class Spool: Sendable {
  private let file: TemporaryFile
  /// The last part of it that was mapped.
  private let window = Mutex<(window: EntryBytes.Window, range: Range<Int>)?>(nil)
  /// In bytes, a multiple of the page size of every system; address space is plentiful.
  private static let windowSize = 1 << 30

  package init(in folder: OpenFolder) throws(FileError) { file = try TemporaryFile(in: folder) }

  /// Content that was added to a spool, which can be read any number of times.
  package struct Part: Sendable {
    package let content: Entry.Content
    package let digest: Digest
    package let range: Range<Int>
  }

  /// Adds the content of the reader's current entry. Call it from one task at a time.
  package func add(_ reader: inout ArchiveReader) throws -> Part {
    let start = Int(try file.size())
    var digest = DigestBuilder()
    try reader.forEachChunk { chunk in
      try file.append(chunk)
      digest.update(chunk)
    }
    return part(start..<Int(try file.size()), digest.finish())
  }

  /// Adds bytes. Call it from one task at a time.
  package func add(_ bytes: [UInt8]) throws(FileError) -> Part {
    let start = Int(try file.size())
    try file.append(bytes)
    return part(start..<start + bytes.count, Digest(of: bytes))
  }

  private func part(_ range: Range<Int>, _ digest: Digest) -> Part {
    let start = range.lowerBound
    let content = Entry.Content.reader(size: range.count) { [self] offset, count, output in
      let bytes = try file.read(at: Int64(start + offset), count: count)
      ByteReader(bytes.span).append(0..<bytes.count, to: &output)
    }
    return Part(content: content, digest: digest, range: range)
  }

  package func append(_ chunk: RawSpan) throws(FileError) { try file.append(chunk) }

  func append(_ bytes: [UInt8]) throws(FileError) { try file.append(bytes) }

  var size: Int { get throws(FileError) { Int(try file.size()) } }

  /// An added range, to be read as an archive.
  func source(_ range: Range<Int>) -> ArchiveBytes {
    ArchiveBytes(size: range.count) { [self] offset, count in
      try file.read(at: Int64(range.lowerBound + offset), count: count)
    }
  }

  /// An added range, mapped as long as the result is kept.
  package func bytes(_ range: Range<Int>) throws(FileError) -> EntryBytes {
    try window.withLock { (window) throws(FileError) -> EntryBytes in
      if let known = window, known.range.lowerBound <= range.lowerBound, range.upperBound <= known.range.upperBound {
        return EntryBytes(known.window, range.shifted(by: -known.range.lowerBound))
      }
      // The number of mappings of a process is limited: this one covers the parts that are written later, too.
      let start = range.lowerBound & ~(Spool.windowSize - 1)
      let end = max(range.upperBound, start + Spool.windowSize)
      let mapped = EntryBytes.Window(try MappedFile.map(file, start..<end), isUnpacked: true)
      window = (mapped, start..<end)
      return EntryBytes(mapped, range.shifted(by: -start))
    }
  }

  package func bytes(of part: Part) throws(FileError) -> EntryBytes { try bytes(part.range) }

  /// The first `limit` bytes of a part, or all if it has fewer.
  package func bytes(of part: Part, limit: Int) throws(FileError) -> [UInt8] {
    try file.read(at: Int64(part.range.lowerBound), count: min(limit, part.range.count))
  }
}
