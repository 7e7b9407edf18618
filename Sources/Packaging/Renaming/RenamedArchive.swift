import Archives
import Artifacts
import Findings
import Rewriting
import Store
import SystemPackage

/// A zip with static libraries or frameworks whose symbols get new names, as the entries of a new one.
struct RenamedArchive {
  private(set) var entries: [PackedEntry] = []
  /// Files that entries are read from; they are removed with this value.
  private(set) var scratch: [any Sendable & AnyObject] = []
  /// One-liners for the user.
  let notes: [String]

  /// It holds the zip's files, unpacked beside the new zip, and removes them with itself.
  private final class Unpacked: Sendable {
    let folder: OutputFolder

    init(in parent: OpenFolder) throws(FileError) { folder = try OutputFolder.create("scratch", below: parent) }
  }

  /// - Parameters:
  ///   - path: opens the zip.
  ///   - name: its name in errors.
  ///   - place: in the manifest, of what names it.
  ///   - folder: for what is unpacked.
  init(
    _ path: FilePath, name: String, at place: Place, _ rewrite: SymbolRewrite, keepsDebug: Bool, in folder: OpenFolder
  ) async throws {
    let unpacked = try Unpacked(in: folder)
    var notes = PackNotes()
    var seen = PathsOnce()
    _ = try VendorArchive(kind: .zip, path: path, name: Place(name), place: place).forEachFile(&notes) {
      path, isExecutable, reader, notes in
      guard seen.add(path, of: Place(name), at: place, &notes) else { return }
      let file = try unpacked.folder.create(FilePath(path.description), executable: isExecutable)
      try reader.forEachChunk { try file.write($0) }
      try file.commitUnsynced()
    }
    try notes.check()
    let renamed = try await RenamedFolder(unpacked.folder.temporaryPath, name: name, rewrite, keepsDebug: keepsDebug)
    self.notes = try PrefixNotes(renamed.files, of: name, at: place).lines + renamed.notes
    (entries, scratch) = try await renamed.entries(named: name, in: folder)
    scratch.append(unpacked)
  }
}

/// The paths of a zip's files, each of which has to be another one on every file system.
private struct PathsOnce {
  private var files: [String: EntryPath] = [:]
  private var folders: Set<String> = []

  /// False, with a mistake, if a file of the path, or a folder, is there already.
  mutating func add(_ path: EntryPath, of zip: Place, at place: Place, _ notes: inout PackNotes) -> Bool {
    var above: [String] = []
    var parent = path.parent
    while let folder = parent {
      above.append(folder.collisionKey)
      parent = folder.parent
    }
    let first = files[path.collisionKey] ?? above.compactMap { files[$0] }.first
    if first == nil, !folders.contains(path.collisionKey) {
      files[path.collisionKey] = path
      folders.formUnion(above)
      return true
    }
    let other = first.map { "'\($0)'" } ?? "a folder"
    notes.refuse(
      "\(zip) has '\(path)' and \(other), which are one on a disk", at: place, hint: "unpack it, and name what is in it"
    )
    return false
  }
}

extension RenamedFolder {
  /// The files as entries of an archive, and temporary files that some of them are read from.
  fileprivate func entries(
    named name: String, in folder: OpenFolder
  ) async throws -> ([PackedEntry], [any Sendable & AnyObject]) {
    var (entries, scratch): ([PackedEntry], [any Sendable & AnyObject]) = ([], [])
    for file in contents {
      let content: Entry.Content
      switch file.content {
      case .text(let bytes): content = .bytes(bytes)
      case .renamed(let index):
        let written = try ScratchFile(in: folder)
        try await files[index].content.write(to: written.file, lasts: false)
        try await files[index].check(written.path, name: "\(name)/\(file.path)")
        content = try .file(written.path)
        scratch.append(written)
      case .copy, .link:
        content = try .file(root.pushing(file.path))
      }
      let kind = Entry.Kind.file(content, executable: file.isExecutable)
      entries.append(
        PackedEntry(
          entry: Entry(path: try EntryPath(file.path.pathBytes), kind: kind), digest: nil,
          place: Place(name).inside(file.path.string)))
    }
    return (entries, scratch)
  }
}

extension Entry.Content {
  fileprivate static func file(_ path: FilePath) throws -> Self {
    .file(path, size: Int(try FileSystem.status(of: path)?.size ?? 0))
  }
}
