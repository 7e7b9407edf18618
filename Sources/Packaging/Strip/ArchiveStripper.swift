import Archives
import Artifacts
import Findings
import ObjectFiles
import Store
import SystemPackage

/// Re-emits a zip by the canonical writer, in its own order, without metadata; never edits one in place.
enum ArchiveStripper {
  /// Whether it is a file of several that this can write again. Bytes may stand in front of a zip.
  static func isArchive(_ path: FilePath) throws -> Bool {
    let file = try PositionalFile(path)
    let head = try file.bytes(at: 0, count: 4)
    return head == Array("PK\u{3}\u{4}".utf8) || (try? ZipDirectory(ZipSource(file))) != nil
  }

  /// What a file of several is that this cannot write; nil if it is none.
  static func otherArchive(_ path: FilePath) throws -> String? {
    let head = try PositionalFile(path).bytes(at: 0, count: ObjectFiles.FileKind.prefixLength)
    let nature = ObjectFiles.FileKind.nature(ByteReader(head.span))
    return nature.hasSuffix(" archive") || nature.hasSuffix(" data") ? nature : nil
  }

  static func strip(_ path: FilePath, output: FilePath, dryRun: Bool) async throws -> Strip.Result {
    var result = Strip.Result()
    let directory = try audited(path)
    let folder = output.removingLastComponent()
    // A dry run writes nothing, not even beside the archive.
    let spool = dryRun ? nil : try Spool(in: OpenFolder(folder.isEmpty ? "." : folder))
    var entries: [Entry] = []
    var reader = try ArchiveReader(path: path)
    var count = 0
    while let header = try reader.next() {
      count += 1
      let name = withoutDots(header.name)
      if AppleMetadata.classify(path: name) != nil {
        if header.kind != .directory { result.add(String(decoding: name, as: UTF8.self), dryRun: dryRun) }
        continue
      }
      guard !name.isEmpty else { continue }
      let place = try entryPath(name)
      guard let spool else { continue }
      entries.append(Entry(path: place, kind: try kind(header, &reader, spool)))
    }
    guard count == directory.records.count else {
      throw Mistakes(
        "\(path) cannot be written again: \(count) entries were read, and its directory has \(directory.records.count)",
        hint: unpack)
    }
    if dryRun || (result.count == 0 && output == path) { return result }
    try await write(keepingOrder(entries), to: output)
    return result
  }

  private static let unpack = "unpack it with a tool that you trust, and pack the folder again"

  /// One is enough to refuse an archive; of a hostile one there may be thousands.
  private static let mostShown = 10

  /// The directory of a zip of which every tool reads the same. What one of them passes over would be gone.
  private static func audited(_ path: FilePath) throws -> ZipDirectory {
    let directory: ZipDirectory
    do { directory = try ZipDirectory(ZipSource(try PositionalFile(path))) } catch {
      throw Mistakes("\(path) cannot be written again: \(error)", hint: unpack)
    }
    let found = directory.irregularities().filter(\.isRefused)
    guard found.isEmpty else {
      let more = found.count > mostShown ? ["and \(found.count - mostShown) more"] : []
      throw Mistakes(
        "\(path) cannot be written again: tools read different entries from it",
        notes: found.prefix(mostShown).map(\.description) + more, hint: unpack)
    }
    return directory
  }

  /// `./a/` is `a`: bsdtar and find spell names so. `./` itself is the folder that the archive is unpacked in.
  private static func withoutDots(_ name: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    var name = name[...]
    while name.last == slash { name.removeLast() }
    while name.starts(with: "./".utf8) { name = name.dropFirst(2).drop { $0 == slash } }
    return name.elementsEqual(".".utf8) ? [] : Array(name)
  }

  private static func kind(
    _ header: ArchiveHeader, _ reader: inout ArchiveReader, _ spool: Spool
  ) throws -> Entry.Kind {
    switch header.kind {
    case .directory: return .directory
    case .symbolicLink: return .symbolicLink(target: header.linkTarget ?? [])
    case .file: return .file(try spool.add(&reader).content, executable: header.mode & 0o100 != 0)
    case .hardLink, .other:
      throw Mistakes(
        "'\(String(decoding: header.name, as: UTF8.self))' is neither a file, a folder nor a symbolic link")
    }
  }

  private static func entryPath(_ name: [UInt8]) throws(Mistakes) -> EntryPath {
    do throws(EntryPathError) { return try EntryPath(name) } catch {
      throw Mistakes("the archive cannot be written again: \(error)")
    }
  }

  /// A folder's entry goes if something is in the folder: the canonical zip has none of those.
  private static func keepingOrder(_ entries: [Entry]) -> [Entry] {
    let kept = Set(Entry.canonicalOrder(entries).map(\.path))
    return entries.filter { kept.contains($0.path) }
  }

  private static func write(_ entries: [Entry], to path: FilePath) async throws {
    let output = try Store.OutputFile.create(path)
    let summary = try await ZipWriter.write(entries, to: output.temporaryPath)
    _ = try await ReadBack.verify(output.temporaryPath, against: summary) { _ in DigestSink() }
    try output.commit()
  }
}

extension ZipIrregularity {
  /// What is written anew is not in the new archive: sizes behind contents, times, comments. Names have errors of their
  /// own, and contents that cannot be unpacked.
  fileprivate var isRefused: Bool {
    switch self {
    case .dataDescriptor, .extraFields, .comment, .extremeRatio, .unsafeName, .unsupportedMethod: false
    default: true
    }
  }
}
