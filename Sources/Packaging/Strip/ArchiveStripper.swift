import Archives
import Artifacts
import Findings
import Store
import SystemPackage

/// Re-emits a zip by the canonical writer, in its own order, without metadata; never edits one in place.
enum ArchiveStripper {
  /// Whether it is a file of several that this can write again.
  static func isArchive(_ path: FilePath) throws -> Bool {
    let head = try PositionalFile(path).bytes(at: 0, count: 4)
    return head == Array("PK\u{3}\u{4}".utf8) || head == Array("PK\u{5}\u{6}".utf8)
  }

  static func strip(_ path: FilePath, output: FilePath, dryRun: Bool) async throws -> Strip.Result {
    var result = Strip.Result()
    let folder = output.removingLastComponent()
    // A dry run writes nothing, not even beside the archive.
    let spool = dryRun ? nil : try Spool(in: OpenFolder(folder.isEmpty ? "." : folder))
    var entries: [Entry] = []
    var reader = try ArchiveReader(path: path)
    while let header = try reader.next() {
      let name = withoutDots(header.name)
      if AppleMetadata.classify(path: name) != nil {
        if header.kind != .directory { result.add(String(decoding: name, as: UTF8.self), dryRun: dryRun) }
        continue
      }
      guard let spool, !name.isEmpty else { continue }
      entries.append(Entry(path: try entryPath(name), kind: try kind(header, &reader, spool)))
    }
    if dryRun || (result.count == 0 && output == path) { return result }
    try await write(keepingOrder(entries), to: output)
    return result
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
      throw Mistakes("'\(Archives.printable(header.name))' is neither a file, a folder nor a symbolic link")
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
