import Archives
import BuildEngine
import Findings
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// A file that is put together from bytes and from parts of other files. They are read when it is written or packed, so
/// that they take no memory before.
struct AssembledFile: Sendable {
  private enum Piece: Sendable {
    case bytes([UInt8])
    case part(SourceFile, Range<Int>)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .part(_, let range): range.count
      }
    }
  }

  private var pieces: [Piece] = []
  /// The offset of each piece.
  private var starts: [Int] = []
  private(set) var size = 0

  mutating func add(_ bytes: [UInt8]) { add(.bytes(bytes)) }

  /// Adds a part of an open file.
  mutating func add(_ file: SourceFile, _ range: Range<Int>) { add(.part(file, range)) }

  mutating func add(_ other: AssembledFile) { other.pieces.forEach { add($0) } }

  /// A whole file.
  init(_ file: SourceFile) { add(file, 0..<file.size) }

  /// A file with edits.
  init(_ file: SourceFile, _ edits: ByteEdits) throws(FileError) {
    guard file.isMapped else {
      try add(file.read { edits.applied(to: $0) }.get())
      return
    }
    edits.forEachPiece(of: 0..<file.size) { piece in
      switch piece {
      case .bytes(let bytes): add(bytes)
      case .range(let range): add(file, range)
      }
    }
  }

  init() {}

  private mutating func add(_ piece: Piece) {
    guard piece.count > 0 else { return }
    pieces.append(piece)
    starts.append(size)
    size += piece.count
  }

  /// Writes it, several blocks at once. `lasts` says whether the file is to be synced.
  func write(to output: borrowing OutputFile, lasts: Bool = true) async throws {
    let parts = output.parts
    try await forEachBlock { start, bytes in
      try parts.write(bytes, at: start, lasts: lasts)
    } _: { (_: Void) in
    }
  }

  /// Writes it, and digests what was written.
  func writeAndDigest(to output: borrowing OutputFile) async throws -> Digest {
    let parts = output.parts
    var digest = DigestBuilder()
    try await forEachBlock { start, bytes in
      try parts.write(bytes, at: start, lasts: true)
      return bytes
    } _: {
      digest.update($0)
    }
    return digest.finish()
  }

  /// Calls `work` with each block and its offset, several at once, and passes the results on in their order.
  private func forEachBlock<Result: Sendable>(
    _ work: @escaping @Sendable (_ start: Int, consuming [UInt8]) throws -> Result, _ take: (Result) -> Void
  ) async throws {
    try await inOrder((size + Self.blockSize - 1) / Self.blockSize, atOnce: Self.blocksAtOnce, ahead: 1) { index in
      let start = index * Self.blockSize
      let count = min(Self.blockSize, size - start)
      return try work(start, try [UInt8](capacity: count) { room in try append(start, count, &room) })
    } _: {
      take($0)
    }
  }

  /// They are all that is in memory.
  private static let blocksAtOnce = 4
  /// In bytes.
  private static let blockSize = 1 << 19

  var content: Entry.Content {
    .reader(size: size) { offset, count, output in try append(offset, count, &output) }
  }

  /// Appends `count` bytes from an offset on.
  private func append(_ offset: Int, _ count: Int, _ output: inout OutputSpan<UInt8>) throws {
    var (offset, rest) = (offset, count)
    var index = sortedIndex(below: starts.count) { starts[$0] > offset } - 1
    while rest > 0, index >= 0, index < pieces.count {
      let start = offset - starts[index]
      let taken = min(rest, pieces[index].count - start)
      switch pieces[index] {
      case .bytes(let bytes): ByteReader(bytes.span).append(start..<start + taken, to: &output)
      case .part(let file, let range):
        let first = range.lowerBound + start
        try file.append(first..<first + taken, to: &output)
      }
      offset += taken
      rest -= taken
      index += 1
    }
  }
}

extension AssembledFile {
  /// A static library of parts of files.
  init(_ library: StaticLibrary, of files: [SourceFile]) {
    for piece in library.pieces {
      add(piece.header)
      add(files[piece.input], piece.source)
      add([UInt8](repeating: UInt8(ascii: "\n"), count: piece.padding))
    }
  }

  /// A universal file. `add` adds the content of one of its slices.
  init(_ library: UniversalLibrary, _ add: (inout AssembledFile, UniversalLibrary.Slice) -> Void) {
    self.add(library.header)
    for slice in library.slices {
      self.add([UInt8](repeating: 0, count: slice.padding))
      add(&self, slice)
    }
  }

  /// A universal file of parts of files.
  init(_ library: UniversalLibrary, of files: [SourceFile]) {
    self.init(library) { $0.add(files[$1.input], $1.source) }
  }

  /// Static libraries of several architectures in one universal file; a single one as it is.
  init(_ libraries: [StaticLibrary], of files: [SourceFile]) throws(LibraryError) {
    if let library = libraries.first, libraries.count == 1 {
      self.init(library, of: files)
    } else {
      self.init(try StaticLibrary.universal(libraries)) { $0.add(AssembledFile(libraries[$1.input], of: files)) }
    }
  }
}

/// A file that several pieces are parts of. A large one stays mapped; a small one is read again for each piece, so that
/// thousands of them neither fill the memory nor use up the system's mappings.
final class SourceFile: Sendable {
  private let path: FilePath
  private let mapped: MappedFile?
  let size: Int
  var isMapped: Bool { mapped != nil }

  init(_ path: FilePath) throws(FileError) {
    self.path = path
    let file = try MappedFile.open(path)
    size = file.count
    if file.count < MappedFile.minMappedSize { mapped = nil } else { mapped = consume file }
  }

  func append(_ part: Range<Int>, to output: inout OutputSpan<UInt8>) throws {
    try withBytes {
      try check(part, of: $0)
      ByteReader($0).append(part, to: &output)
    }
  }

  /// A small file may have grown since it was opened.
  private func check(_ part: Range<Int>, of bytes: RawSpan) throws(StepFailure) {
    if part.upperBound <= size, bytes.byteCount == size { return }
    throw StepFailure("\(path) was changed while it was being read", hint: "run again")
  }

  /// Writes a copy.
  func write(to output: borrowing OutputFile, lasts: Bool = true) async throws {
    try await AssembledFile(self).write(to: output, lasts: lasts)
  }

  /// Reads the file as a whole.
  func read<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(FileError) -> Result<R, E> {
    func result(_ bytes: RawSpan) -> Result<R, E> { Result { () throws(E) in try body(ByteReader(bytes)) } }
    if let result = mapped?.withBytes(result) { return result }
    return try MappedFile.open(path).withBytes(result)
  }

  private func withBytes(_ body: (RawSpan) throws -> Void) throws {
    if let result = try mapped?.withBytes(body) { return result }
    try MappedFile.open(path).withBytes(body)
  }
}
