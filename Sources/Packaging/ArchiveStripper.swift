import Archives
import Artifacts
import Findings
import ObjectFiles
import Store
import SystemPackage

/// Writes a zip again with the canonical writer, in its own order, without metadata. It never edits one in place.
struct ArchiveStripper {
  private let dryRun: Bool
  private let spool: Spool
  private var result = Strip.Result()
  /// Other differences of the new archive, which are no reason to write it.
  private var changes = Strip.Result()
  private var entries: [Entry] = []

  private init(dryRun: Bool, spool: Spool) { (self.dryRun, self.spool) = (dryRun, spool) }

  /// Whether the file is a zip, which this can write again. Bytes may stand in front of a zip.
  static func isArchive(_ opened: OpenedArtifact) throws -> Bool {
    if try opened.isZip { return true }
    return opened.directory != nil
  }

  /// The kind of an archive that this cannot write; nil if the file is no archive.
  static func otherArchive(_ opened: OpenedArtifact) throws(FileError) -> String? {
    let head = try opened.head()
    let nature = FileKind.nature(ByteReader(head.span))
    return nature.hasSuffix(" archive") || nature.hasSuffix(" data") ? nature : nil
  }

  static func strip(
    _ path: FilePath, _ source: ArchiveBytes, output: FilePath, dryRun: Bool
  ) async throws -> Strip.Result {
    let directory = try audited(path, source)
    let folder = output.removingLastComponent()
    // A dry run writes nothing, not even beside the archive.
    let spool = try Spool(in: OpenFolder(dryRun ? HostProcess.temporaryFolder : folder.isEmpty ? "." : folder))
    var stripper = ArchiveStripper(dryRun: dryRun, spool: spool)
    let role = Kinds.artifact(named: path.string) ?? .archive
    for what in try directory.irregularities() where !what.isRefused && what.isMended(in: role) {
      stripper.result.addMended(what.description, dryRun: dryRun)
    }
    var reader = try ArchiveReader(source)
    var count = 0
    while let header = try reader.next() {
      count += 1
      try stripper.take(header, &reader)
    }
    guard count == directory.records.count else {
      throw Mistakes(
        "\(path) cannot be written again: \(count) entries were read, and its directory has \(directory.records.count)",
        hint: unpack)
    }
    var result = stripper.result
    // An archive without anything to remove or mend stays as it is.
    if result.count == 0 && output == path { return result }
    result.add(stripper.changes)
    result.lines.append(
      "\(dryRun ? "would write" : "wrote") the rest again: one date, no owners, no extra fields, no folders with content"
    )
    if dryRun { return result }
    let file = try Store.OutputFile.create(output)
    let summary = try await ZipWriter.write(keepingOrder(stripper.entries), to: file.temporaryPath)
    try await PackedArchive.compare(OpenedArtifact(file.temporaryPath), with: summary)
    try file.commit()
    return result
  }

  /// Takes an entry into the new archive, or leaves it out.
  private mutating func take(_ header: ArchiveHeader, _ reader: inout ArchiveReader) throws {
    let name = Self.withoutDots(header.name)
    var known: Spool.Part?
    if let metadata = AppleMetadata.classify(path: name) {
      var isKept = false
      if metadata == .appleDouble, header.kind == .regular {
        let part = try spool.add(&reader)
        isKept = try !AppleMetadata.isAppleDouble(spool.bytes(part.range).copy(0..<4))
        known = part
      }
      let text = String(decoding: name, as: UTF8.self)
      if isKept {
        result.addKept(text)
      } else if header.kind != .directory {
        return result.add(text, dryRun: dryRun)
      } else if metadata.isFolder {
        return
      }
    }
    guard !name.isEmpty else { return }
    let place = try Self.entryPath(name)
    let own = header.name.last == UInt8(ascii: "/") ? header.name.dropLast() : header.name[...]
    if !own.elementsEqual(name) { changes.addChange(header.name, "it is called \(place) now", dryRun: dryRun) }
    let isProgram = header.mode & 0o100 != 0
    if header.kind == .regular, header.mode & 0o7777 != (isProgram ? 0o755 : 0o644) {
      let old = String(header.mode & 0o7777, radix: 8)
      changes.addChange(header.name, "its mode is \(isProgram ? "755" : "644") now, and was \(old)", dryRun: dryRun)
    }
    if !dryRun { entries.append(Entry(path: place, kind: try Self.kind(header, known, &reader, spool))) }
  }

  private static let unpack = "unpack it with a tool that you trust, and pack the folder again"

  /// A hostile archive may have thousands of irregularities, and one is enough to refuse it.
  private static let maxShown = 10

  /// The directory of a zip. Throws if tools read different entries from it, because some of them would be lost.
  private static func audited(_ path: FilePath, _ source: ArchiveBytes) throws -> ZipDirectory {
    let directory: ZipDirectory
    do { directory = try source.directory() } catch {
      throw Mistakes("\(path) cannot be written again: \(error)", hint: unpack)
    }
    let found = try directory.irregularities().filter(\.isRefused)
    guard found.isEmpty else {
      let more = found.count > maxShown ? ["and \(found.count - maxShown) more"] : []
      throw Mistakes(
        "\(path) cannot be written again: tools read different entries from it",
        notes: found.prefix(maxShown).map(\.description) + more, hint: unpack)
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

  /// `part` is the content, if that has been read already.
  private static func kind(
    _ header: ArchiveHeader, _ part: Spool.Part?, _ reader: inout ArchiveReader, _ spool: Spool
  ) throws -> Entry.Kind {
    switch header.kind {
    case .directory: return .directory
    case .symbolicLink where !header.isHardLink: return .symbolicLink(target: header.linkTarget ?? [])
    case .regular: return .file(try (part ?? spool.add(&reader)).content, executable: header.mode & 0o100 != 0)
    default:
      throw Mistakes(
        "'\(String(decoding: header.name, as: UTF8.self))' is neither a file, a folder nor a symbolic link")
    }
  }

  private static func entryPath(_ name: [UInt8]) throws(Mistakes) -> EntryPath {
    do throws(EntryPathError) { return try EntryPath(name) } catch {
      throw Mistakes("the archive cannot be written again: \(error)")
    }
  }

  /// The entries without those of folders that are not empty: the canonical zip has none of these.
  private static func keepingOrder(_ entries: [Entry]) -> [Entry] {
    let kept = Set(Entry.canonicalOrder(entries).map(\.path))
    return entries.filter { kept.contains($0.path) }
  }
}

extension ZipIrregularity {
  /// Sizes behind contents, times and comments are not in the new archive anyway. Unsafe names are refused elsewhere.
  fileprivate var isRefused: Bool {
    switch self {
    // When such an entry is unpacked, it gets another name or is lost.
    case .unsafeName(.nul), .unsafeName(.empty): true
    case .dataDescriptor, .storedDescriptor, .extraFields, .comment, .extremeRatio, .unsafeName, .unsupportedMethod,
      .setUserID, .secondEnd:
      false
    default: true
    }
  }

  /// Whether a new archive is worthwhile: `lint` reports the irregularity, and the new archive does not have it.
  fileprivate func isMended(in role: ArtifactKind) -> Bool {
    switch self {
    // An unsafe name is refused when its entry is read. An extreme ratio would be the same in any zip.
    case .unsafeName, .extremeRatio: false
    default: isHarmful(in: role)
    }
  }
}
