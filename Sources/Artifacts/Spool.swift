package import Archives
import ObjectFiles
package import Store
package import SystemPackage

/// Contents of archive entries on their way: kept on the disk, in a file without a name, so that no claim of an archive
/// takes memory.
package final class Spool: Sendable {
  private let file: TemporaryFile

  package init(in folder: FilePath) throws(FileError) { file = try TemporaryFile.create(in: folder) }

  /// The content of the reader's current entry, to be read as often as wanted. Call it from one task at a time.
  package func add(_ reader: inout ArchiveReader) throws -> Entry.Content {
    let start = Int(try file.size())
    try reader.forEachChunk { chunk in try file.append(chunk) }
    let size = Int(try file.size()) - start
    return .reader(size: size) { [self] offset, count, output in
      for byte in try file.read(at: Int64(start + offset), count: count) { output.append(byte) }
    }
  }

  func append(_ chunk: RawSpan) throws(FileError) { try file.append(chunk) }

  func append(_ bytes: [UInt8]) throws(FileError) { try file.append(bytes) }

  /// What all that was added is, as one file.
  func content() throws(FileError) -> Item.Content {
    let mapped = try MappedFile.map(file)
    return mapped.withBytes { Item.Content(ByteReader($0)) }
  }
}
