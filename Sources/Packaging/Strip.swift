import Archives
import Artifacts
package import Findings
import ObjectFiles
import Store
package import SystemPackage

/// Takes Apple's metadata off a tree in place, or re-emits an archive without it.
package enum Strip {
  package struct Result: Sendable {
    /// A line for each thing, and a last one that counts them.
    package internal(set) var lines: [String] = []
    /// How many things were removed or mended, or would be.
    package var count: Int { removed + mended }
    fileprivate var removed = 0
    private var mended = 0
    /// What could not be removed, and why; the rest went on.
    package internal(set) var problems: [String] = []

    mutating func add(_ what: String, dryRun: Bool) {
      lines.append((dryRun ? "would remove " : "removed ") + printable(what))
      removed += 1
    }

    /// `what`: what is wrong, or was.
    mutating func addMended(_ what: String, dryRun: Bool) {
      lines.append((dryRun ? "would mend: " : "mended: ") + printable(what))
      mended += 1
    }

    /// What else is another when an archive is written again: no reason to do so.
    mutating func addChange(_ name: [UInt8], _ what: String, dryRun: Bool) {
      lines.append(
        (dryRun ? "would change " : "changed ") + printable(String(decoding: name, as: UTF8.self)) + ": \(what)")
    }

    /// A file of somebody's own, whatever its name says.
    mutating func addKept(_ name: String) {
      lines.append("kept \(printable(name)): it is called like an AppleDouble file, and is none")
    }

    mutating func add(_ more: Result) {
      lines += more.lines
      removed += more.removed
      mended += more.mended
      problems += more.problems
    }

    mutating func finish(dryRun: Bool) {
      guard count > 0 else { return lines.append("nothing to remove") }
      func said(_ verb: String, _ count: Int) -> String? {
        count == 0 ? nil : "\(verb) \(counted(count, "thing"))"
      }
      let all = [said(dryRun ? "remove" : "removed", removed), said(dryRun ? "mend" : "mended", mended)]
      lines.append((dryRun ? "would " : "") + all.compactMap(\.self).joined(separator: ", "))
    }
  }

  package static func run(_ path: FilePath, output: FilePath?, dryRun: Bool) async throws(Mistakes) -> Result {
    var stripper = TreeStripper(dryRun: dryRun)
    do {
      if let output { try Project.refuseOther(output) }
      guard let status = try FileSystem.status(of: path) else { throw Mistakes("there is no \(path)") }
      guard status.kind != .symbolicLink else {
        throw Mistakes("\(path) is a symbolic link, and links are not followed", hint: "name what it leads to")
      }
      guard !status.kind.isSpecial else { throw Mistakes("\(path) is a pipe, a socket or a device, and no file") }
      let opened = try OpenedArtifact(path)
      if let source = opened.source, try ArchiveStripper.isArchive(opened) {
        // What the file itself carries, unpacking gives to all that is in it.
        if output == nil { stripper.strip(path, .regular) }
        stripper.result.add(try await ArchiveStripper.strip(path, source, output: output ?? path, dryRun: dryRun))
      } else {
        let other = try ArchiveStripper.otherArchive(opened)
        if status.kind == .regular, other == nil, Kinds.artifact(named: path.string)?.isArchive ?? false {
          throw Mistakes("\(path) is called like an archive, and is none: nothing of it was looked at")
        }
        guard output == nil else { throw Mistakes("-o is for archives; a tree is cleaned in place") }
        stripper.strip(path, status.kind)
        if let nature = other {
          stripper.result.problems.append(
            "\(path) is \(nature): what is in it was not looked at; unpack it and strip the folder")
        }
      }
    } catch {
      throw Mistakes(from: error, about: path)
    }
    stripper.result.finish(dryRun: dryRun)
    return stripper.result
  }
}

/// Cleans a tree in place: first the attributes of a thing, then the metadata beside it. Links are never followed.
private struct TreeStripper {
  let dryRun: Bool
  var result = Strip.Result()

  mutating func strip(_ path: FilePath, _ kind: FileType) {
    for name in attempt({ try ExtendedAttributes.unwanted(of: path) }) ?? [] {
      remove("\(ExtendedAttributes.shown(name)) from \(path)") { try ExtendedAttributes.remove(name, from: path) }
    }
    guard kind == .directory else { return }
    for name in attempt({ try FileSystem.list(path) }) ?? [] {
      let child = path.appending(name)
      guard let status = attempt({ try FileSystem.status(of: child) }) ?? nil else { continue }
      if let metadata = AppleMetadata.classify(path: name.nameBytes), metadata.isFolder == (status.kind == .directory) {
        if metadata == .appleDouble, status.kind == .regular,
          let head = attempt({ try PositionalFile(child).bytes(at: 0, count: 4) }), !AppleMetadata.isAppleDouble(head)
        {
          result.addKept(child.string)
        } else {
          remove(child.string) { try FileSystem.remove(child) }
        }
      } else {
        strip(child, status.kind)
      }
    }
  }

  private mutating func remove(_ what: String, _ work: () throws -> Void) {
    if dryRun || attempt(work) != nil { result.add(what, dryRun: dryRun) }
  }

  /// Nil, and a problem, if it fails; the rest goes on.
  private mutating func attempt<T>(_ work: () throws -> T) -> T? {
    do { return try work() } catch {
      result.problems.append("\(error)")
      return nil
    }
  }
}

/// Re-emits a zip by the canonical writer, in its own order, without metadata; never edits one in place.
enum ArchiveStripper {
  /// Whether it is a file of several that this can write again. Bytes may stand in front of a zip.
  fileprivate static func isArchive(_ opened: OpenedArtifact) throws -> Bool {
    if try opened.isZip { return true }
    return opened.directory != nil
  }

  /// What a file of several is that this cannot write; nil if it is none.
  fileprivate static func otherArchive(_ opened: OpenedArtifact) throws(FileError) -> String? {
    let head = try opened.head()
    let nature = FileKind.nature(ByteReader(head.span))
    return nature.hasSuffix(" archive") || nature.hasSuffix(" data") ? nature : nil
  }

  static func strip(
    _ path: FilePath, _ source: ArchiveBytes, output: FilePath, dryRun: Bool
  ) async throws -> Strip.Result {
    var result = Strip.Result()
    var changes = Strip.Result()
    let directory = try audited(path, source)
    let role = Kinds.artifact(named: path.string) ?? .archive
    for what in directory.irregularities() where !what.isRefused && what.isMended(in: role) {
      result.addMended(what.description, dryRun: dryRun)
    }
    let folder = output.removingLastComponent()
    // A dry run writes nothing, not even beside the archive.
    let spool = try Spool(in: OpenFolder(dryRun ? HostProcess.temporaryFolder : folder.isEmpty ? "." : folder))
    var entries: [Entry] = []
    var reader = try ArchiveReader(source)
    var count = 0
    while let header = try reader.next() {
      count += 1
      let name = withoutDots(header.name)
      var known: Spool.Part?
      if let metadata = AppleMetadata.classify(path: name) {
        let isOther = header.kind == .directory && !metadata.isFolder
        var isKept = false
        if metadata == .appleDouble, header.kind == .regular {
          let part = try spool.add(&reader)
          isKept = try !AppleMetadata.isAppleDouble(spool.bytes(part.range).copy(0..<4))
          known = part
        }
        let text = String(decoding: name, as: UTF8.self)
        if isKept {
          result.addKept(text)
        } else if !isOther {
          if header.kind != .directory { result.add(text, dryRun: dryRun) }
          continue
        }
      }
      guard !name.isEmpty else { continue }
      let place = try entryPath(name)
      let own = header.name.last == UInt8(ascii: "/") ? header.name.dropLast() : header.name[...]
      if !own.elementsEqual(name) { changes.addChange(header.name, "it is called \(place) now", dryRun: dryRun) }
      let isProgram = header.mode & 0o100 != 0
      if header.kind == .regular, header.mode & 0o7777 != (isProgram ? 0o755 : 0o644) {
        let old = String(header.mode & 0o7777, radix: 8)
        changes.addChange(header.name, "its mode is \(isProgram ? "755" : "644") now, and was \(old)", dryRun: dryRun)
      }
      if dryRun { continue }
      entries.append(Entry(path: place, kind: try kind(header, known, &reader, spool)))
    }
    guard count == directory.records.count else {
      throw Mistakes(
        "\(path) cannot be written again: \(count) entries were read, and its directory has \(directory.records.count)",
        hint: unpack)
    }
    // Nothing is written again only to look cleaner.
    if result.count == 0 && output == path { return result }
    result.add(changes)
    result.lines.append(
      "\(dryRun ? "would write" : "wrote") the rest again: one date, no owners, no extra fields, no folders with content"
    )
    if dryRun { return result }
    let file = try Store.OutputFile.create(output)
    let summary = try await ZipWriter.write(keepingOrder(entries), to: file.temporaryPath)
    try await PackedArchive.compare(OpenedArtifact(file.temporaryPath), with: summary)
    try file.commit()
    return result
  }

  private static let unpack = "unpack it with a tool that you trust, and pack the folder again"

  /// One is enough to refuse an archive; of a hostile one there may be thousands.
  private static let maxShown = 10

  /// The directory of a zip of which every tool reads the same. What one of them passes over would be gone.
  private static func audited(_ path: FilePath, _ source: ArchiveBytes) throws -> ZipDirectory {
    let directory: ZipDirectory
    do { directory = try source.directory() } catch {
      throw Mistakes("\(path) cannot be written again: \(error)", hint: unpack)
    }
    let found = directory.irregularities().filter(\.isRefused)
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

  /// `part`: its content, if that has been read already.
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

  /// A folder's entry goes if something is in the folder: the canonical zip has none of those.
  private static func keepingOrder(_ entries: [Entry]) -> [Entry] {
    let kept = Set(Entry.canonicalOrder(entries).map(\.path))
    return entries.filter { kept.contains($0.path) }
  }
}

extension ZipIrregularity {
  /// What is not in the new archive anyway: sizes behind contents, times, comments. Names have errors of their own.
  fileprivate var isRefused: Bool {
    switch self {
    // Unpacked, such an entry has another name or is lost.
    case .unsafeName(.nul), .unsafeName(.empty): true
    case .dataDescriptor, .storedDescriptor, .extraFields, .comment, .extremeRatio, .unsafeName, .unsupportedMethod,
      .setUserID, .secondEnd:
      false
    default: true
    }
  }

  /// What is worth a new archive: what `lint` calls a mistake, and a new archive has not.
  fileprivate func isMended(in role: ArtifactKind) -> Bool {
    switch self {
    // The first is refused when its turn comes; the second is so in any zip.
    case .unsafeName, .extremeRatio: false
    default: isHarmful(in: role)
    }
  }
}
