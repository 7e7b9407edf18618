import Archives
import ObjectFiles
import Store
import SystemPackage

/// A folder or an archive that a walk is in.
enum WalkLevel {
  case folder(FolderLevel), archive(ArchiveLevel)

  var container: Int {
    switch self {
    case .folder(let folder): folder.container
    case .archive(let archive): archive.container
    }
  }
}

final class FolderLevel {
  let path: FilePath
  /// The beginning of the paths of its entries.
  let prefix: [UInt8]
  let container: Int
  /// The names that are still to be visited.
  var names: ArraySlice<FilePath.Component>

  init(_ path: FilePath, _ prefix: [UInt8], container: Int) throws(FileError) {
    self.path = path
    self.prefix = prefix
    self.container = container
    names = try FileSystem.list(path)[...]
  }
}

final class ArchiveLevel {
  let container: Int
  let allowance: Allowance
  /// Whether containers in it are opened.
  let opensContainers: Bool
  private var reader: EntryReader
  /// The unpacked content that it is read from, if it is not a file on the disk.
  private let held: Unpacked?

  init(
    _ reader: consuming EntryReader, container: Int, _ allowance: Allowance, opensContainers: Bool, held: Unpacked?
  ) {
    self.reader = reader
    self.container = container
    self.allowance = allowance
    self.opensContainers = opensContainers
    self.held = held
  }

  var isZip: Bool { reader.isZip }
  func next() throws -> ArchiveHeader? { try reader.next() }
  func head(_ count: Int) throws -> [UInt8]? { try reader.head(count) }
  func forEachChunk(_ body: (RawSpan) throws -> Void) throws { try reader.forEachChunk(body) }
}

/// An entry that was unpacked: in memory, or, if it is too large for that, on the disk.
final class Unpacked {
  private let allowance: Allowance
  private var memory: [UInt8] = []
  private var file: (spool: Spool, start: Int, count: Int)?
  private var isLent = false

  init(_ allowance: Allowance) { self.allowance = allowance }

  deinit { if !isLent { allowance.release(memory: memory.count) } }

  /// `spool` gives the file for content that does not go into memory.
  func append(_ chunk: RawSpan, _ spool: () throws(FileError) -> Spool) throws(FileError) {
    if file == nil, allowance.reserve(memory: chunk.byteCount) {
      let part = ByteReader(chunk)
      part.append(part.range, to: &memory)
      return
    }
    if file == nil {
      let spool = try spool()
      file = (spool, try spool.size, memory.count)
      try spool.append(memory)
      allowance.release(memory: memory.count)
      memory = []
    }
    try file?.spool.append(chunk)
    file?.count += chunk.byteCount
  }

  /// Call it once.
  func bytes() throws(FileError) -> EntryBytes {
    if let file { return try file.spool.bytes(file.start..<file.start + file.count) }
    isLent = true
    return EntryBytes(memory, allowance)
  }

  /// A reader of its entries, if it is an archive; valid as long as this object is kept.
  func reader() throws -> EntryReader {
    try EntryReader(file.map { $0.spool.source($0.start..<$0.start + $0.count) } ?? ArchiveBytes(memory))
  }
}
