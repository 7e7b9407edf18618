package import Archives
import ObjectFiles
package import Store

/// Contents of archive entries on their way: kept on the disk, in a file without a name, so that no claim of an archive
/// takes memory.
package final class Spool: Sendable {
  private let file: TemporaryFile

  package init(in folder: OpenFolder) throws(FileError) { file = try TemporaryFile.create(in: folder) }

  /// What was put into a spool, to be read as often as wanted.
  package struct Part: Sendable {
    package let content: Entry.Content
    package let digest: Digest
    let range: Range<Int>
  }

  /// The content of the reader's current entry. Call it from one task at a time.
  package func add(_ reader: inout ArchiveReader) throws -> Part {
    let start = Int(try file.size())
    var digest = DigestBuilder()
    try reader.forEachChunk { chunk in
      try file.append(chunk)
      digest.update(chunk)
    }
    let range = start..<Int(try file.size())
    let content = Entry.Content.reader(size: range.count) { [self] offset, count, output in
      for byte in try file.read(at: Int64(start + offset), count: count) { output.append(byte) }
    }
    return Part(content: content, digest: digest.finish(), range: range)
  }

  package func append(_ chunk: RawSpan) throws(FileError) { try file.append(chunk) }

  func append(_ bytes: [UInt8]) throws(FileError) { try file.append(bytes) }

  /// Where they are in it.
  func add(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    let start = Int(try file.size())
    try file.append(bytes)
    return start..<start + bytes.count
  }

  /// All that was added up to now.
  func mapped() throws(FileError) -> MappedFile { try MappedFile.map(file) }

  /// The bytes of a part that are not more than `limit`; else as many.
  package func bytes(of part: Part, limit: Int) throws(FileError) -> [UInt8] {
    try file.read(at: Int64(part.range.lowerBound), count: min(limit, part.range.count))
  }

  /// What a part is.
  package func facts(of part: Part) throws(FileError) -> Item.Content {
    let mapped = try mapped()
    return mapped.withBytes { bytes in Item.Content(ByteReader(bytes.extracting(part.range))) }
  }

  /// What all that was added is, as one file.
  func content() throws(FileError) -> Item.Content {
    let mapped = try mapped()
    return mapped.withBytes { Item.Content(ByteReader($0)) }
  }

  /// All that was added, as one zip.
  package func zip() throws(FileError) -> ZipSource {
    ZipSource(size: Int(try file.size())) { [self] offset, count in try file.read(at: Int64(offset), count: count) }
  }
}
