import Artifacts
import Findings
import Store
import SystemPackage

/// The files of a release: those of its record, the record itself, and their checksums as `sha256sum -c` reads them.
struct ReleaseSet {
  private let from: FilePath
  /// By path in the folder, with the SHA-256 of files that the record lists.
  private let files: [(path: String, digest: String?)]

  init(_ record: ReleaseRecord, from: FilePath, recordName: String) {
    self.from = from
    var files: [(path: String, digest: String?)] = [(recordName, nil)]
    for deliverable in record.deliverables {
      if ArtifactKind.deliverables.contains(where: { $0.name == deliverable.kind && $0.folder != nil }) {
        files += deliverable.entries.map { ("\(deliverable.path)/\($0.path)", $0.sha256) }
      } else {
        files.append((deliverable.path, deliverable.sha256))
      }
    }
    self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The list of checksums, as `sha256sum -c` reads it.
  func checksums(ofRecord digest: String) -> String { files.map { "\($0.digest ?? digest)  \($0.path)\n" }.joined() }

  /// Writes the whole folder, or nothing. True if it was there already with the same files. Another folder is an error,
  /// unless it is to be replaced.
  func write(to folder: FilePath, replaces: Bool) async throws -> Bool {
    try FileSystem.makeFolders(folder.removingLastComponent())
    let parent = try OpenFolder(folder.removingLastComponent())
    try OutputFile.removeLeftovers(in: parent, of: 0)
    let output = try OutputFolder.create(folder.lastComponent.map { FilePath($0) } ?? "release", below: parent)
    var ofRecord = ""
    for (path, digest) in files {
      let source = try SourceFile(from.pushing(FilePath(path)))
      let file = try output.create(FilePath(path))
      try await source.write(to: file)
      try file.sync()
      let copied = try FileSystem.digest(of: file.temporaryPath).hex
      guard digest == nil || digest == copied else {
        throw Mistakes(
          "\(from.pushing(FilePath(path))) was changed since it was built",
          hint: "wait until nothing writes to it and run again"
        )
      }
      if digest == nil { ofRecord = copied }
      try file.commitUnsynced()
    }
    let sums = checksums(ofRecord: ofRecord)
    if try FileSystem.status(of: folder) != nil {
      let known = try? FileSystem.read(folder.appending(ReleaseRecord.checksumsName), limit: 64 << 20)
      let damaged = known == Array(sums.utf8) ? try ReleaseSet.damaged(in: folder, sums) : nil
      if damaged == [] { return true }
      guard replaces else {
        let place = Project.shortened(folder)
        if let damaged {
          throw Mistakes(
            "\(place) is there already, but not all of its files are as they were released", notes: damaged,
            hint: "--replace writes them again")
        }
        throw Mistakes(
          "\(place) is there already, with other files",
          notes: ReleaseSet.differences(sums, String(decoding: known ?? [], as: UTF8.self)),
          hint: "a version that was released never changes: raise it; --replace if it went nowhere yet")
      }
    }
    let file = try output.create(FilePath(ReleaseRecord.checksumsName))
    try file.write(Array(sums.utf8))
    try file.sync()
    try file.commitUnsynced()
    try output.commit()
    return false
  }

  /// The first files of a list of checksums that are missing, or have another content.
  private static func damaged(in folder: FilePath, _ sums: String) throws -> [String] {
    var damaged: [String] = []
    for line in sums.lines {
      let (digest, path) = (line.prefix(Digest.byteCount * 2), String(line.dropFirst(Digest.byteCount * 2 + 2)))
      let file = folder.pushing(FilePath(path))
      let isThere = try FileSystem.status(of: file, followingLinks: true)?.kind == .regular
      if isThere, try FileSystem.digest(of: file).hex == digest { continue }
      damaged.append("\(path) \(isThere ? "has another content" : "is missing")")
    }
    return Array(damaged.prefix(10))
  }

  /// The files that differ between two lists of checksums.
  private static func differences(_ new: String, _ old: String) -> [String] {
    let (new, old) = (Set(new.lines.map(String.init)), Set(old.lines.map(String.init)))
    let paths = Set(new.symmetricDifference(old).filter { !$0.isEmpty }.map { $0.utf8.dropFirst(66).map(\.self) })
    return paths.sorted { $0.lexicographicallyPrecedes($1) }.prefix(10).map { String(decoding: $0, as: UTF8.self) }
  }
}
