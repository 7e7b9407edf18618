import Archives
import Artifacts
import BuildEngine
import Findings
import Store
import SystemPackage

/// An entry on its way into an archive.
struct PackedEntry: Sendable {
  var entry: Entry
  /// The digest that its content must have when it is read back; nil if that is not compared, as for links and folders.
  var digest: Digest?
  /// The source of its content.
  let place: Place
}

extension PackedEntry {
  init(_ path: EntryPath, _ content: Entry.Content, digest: Digest?, at place: Place) {
    self.init(entry: Entry(path: path, kind: .file(content, executable: false)), digest: digest, place: place)
  }

  /// A file of the plugin's folder.
  init(_ path: EntryPath, _ file: ResolvedInput, _ context: ActionContext, executable: Bool = false) {
    let kind = Entry.Kind.file(.file(context.absolute(file.path), size: Int(file.size)), executable: executable)
    self.init(entry: Entry(path: path, kind: kind), digest: file.digest, place: Place(file.path.string))
  }
}

enum PackedArchive {
  /// Writes an archive, syncs it, reads it back through libarchive and compares it with the intended content.
  ///
  /// - Parameters:
  ///   - path: overwritten; a temporary file.
  ///   - reading: the facts that are collected while it is read back.
  ///   - span: the parent of its spans in a trace.
  ///   - lasts: whether it is on the disk, and not only in the system's memory, when this ends.
  static func write(
    _ entries: [PackedEntry], to path: FilePath, options: ZipOptions, reading: FileReading? = nil,
    in span: Trace.Span?, lasts: Bool = true,
    advance: @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) async throws -> MadeFile {
    let compressing = span?.begin("compress", "compress")
    let summary = try await ZipWriter.write(entries.map(\.entry), to: path, options: options) { done, total in
      advance(Int64(done), Int64(total))
    }
    compressing?.end()
    let readingBack = span?.begin("read back", "read back")
    defer { readingBack?.end() }
    // The disk works while the processor reads back.
    async let synced: Void = lasts ? FileSystem.sync(file: path) : ()
    let written = try OpenedArtifact(path)
    async let whole = written.digest()
    let wanted = reading?.wanted(size: summary.size)
    let found = try await compare(written, with: summary, wanted)
    try await synced
    for (entry, found) in zip(entries, found) {
      guard entry.digest == nil || entry.digest == found.digest else {
        throw StepFailure(
          "\(entry.place) was changed while it was being packed", hint: "wait until nothing writes to it and run again"
        )
      }
    }
    var made = MadeFile(size: summary.size, digest: try await whole)
    if let reading, let source = written.source {
      made.inventory = try Inventory(
        of: source, place: reading.place, role: reading.role, entries: found.compactMap(\.item))
    }
    made.entries = zip(summary.entries, found).map { item, found in
      DeliverableRecord.Entry(
        path: String(decoding: item.path.bytes, as: UTF8.self), size: item.uncompressedSize, mode: item.octalMode,
        sha256: found.digest.hex)
    }
    return made
  }

  /// Reads an archive that was just written through libarchive. Returns a result for each entry, in its order.
  @discardableResult
  static func compare(
    _ written: OpenedArtifact, with summary: ZipSummary, _ wanted: WantedFacts? = nil
  ) async throws -> [EntrySink.Result] {
    guard let source = written.source else { throw FileError.noFile(written.path) }
    return try await ReadBack.verify(source, against: summary) { record in
      EntrySink(item: wanted.map { ItemReader(record, $0) })
    }
  }
}

extension Store.OutputFile {
  /// Writes the whole of a small file, and reads it back.
  func write(whole bytes: [UInt8]) throws -> MadeFile {
    try write(bytes)
    let digest = try FileSystem.digest(of: temporaryPath)
    guard digest == Digest(of: bytes) else {
      throw FileError(path, doing: "write", reason: "it does not read back as it was written")
    }
    return MadeFile(size: bytes.count, digest: digest)
  }
}

extension Plan {
  /// Encodes the settings that the bytes of every archive depend on.
  func encodeArchive(into encoder: inout some KeyEncoder) {
    encoder.add("compressor", Compressor.fingerprint)
    if let date = sourceDate { encoder.add("date", date) }
  }

  var jarOptions: ZipOptions { ZipOptions(epoch: sourceDate, allowsCaseTwins: true, level: .fast) }
}

extension ZipSummary.Item {
  /// `0644` for a file, `0120777` for a link.
  fileprivate var octalMode: String {
    let isLink = mode & 0o170000 == 0o120000
    return "0" + String(isLink ? mode : mode & 0o7777, radix: 8)
  }
}

/// The compressor, on which the bytes of a zip depend besides its entries.
enum Compressor {
  /// The digest of a fixed buffer, compressed, and the format's version. Each zip's key has it, as compressors differ.
  static let fingerprint: Digest = {
    let bytes = (try? Deflate.fingerprint()) ?? []
    return Digest(of: Array("zip \(ZipWriter.formatVersion)\n".utf8) + bytes)
  }()

  /// The files that the fingerprint comes from, besides the program itself.
  static var libraries: [FilePath] { Deflate.library.map { [$0] } ?? [] }
}

/// The facts that are collected from a file that is made.
struct FileReading: Sendable {
  let place: Place
  let role: ArtifactKind
  let facts: [any Facts.Type]

  fileprivate func wanted(size: Int) -> WantedFacts {
    WantedFacts(facts, of: role, at: place, size: size, temporary: HostProcess.temporaryFolder)
  }
}

/// Collects the SHA-256 and the wanted facts of an entry's content while it is read back.
struct EntrySink: ContentSink {
  private var builder = DigestBuilder()
  private var item: ItemReader?

  init(item: ItemReader? = nil) { self.item = item }

  mutating func update(_ bytes: RawSpan) throws {
    builder.update(bytes)
    try item?.update(bytes)
  }

  struct Result: Sendable {
    let digest: Digest
    let item: ItemReader.Result?
  }

  mutating func finish() throws -> Result { Result(digest: builder.finish(), item: try item?.finish()) }
}
