package import SystemPackage

/// Blobs by their digest, and results of actions by the action's key, in a folder that several processes share.
///
/// - `cas/ab/<64 hex>`: a blob, named by its SHA-256 (`ab` are the first two digits);
/// - `ac/ab/<64 hex>`: an action's result, named by its key: a checksum (32 bytes), then the record;
/// - `small`: small results, in one file (`SmallResults`);
/// - `tmp/`: files that are being written, each locked by its writer;
/// - `size`: the bytes of each kept file on a line of its own, which give the rough size without a walk;
/// - `lock`: held by the one process that trims;
/// - `version`: the version of the layout.
///
/// Its contents may be lost, and are not trusted: every content is hashed while it is copied out (or bears a checksum
/// of its own), and a damaged one is removed and counts as missing. So nothing is synced. A file gets its name by
/// rename when it is complete; two writers of one blob write the same. The time of last use is the file's modification
/// time.
package struct ContentStore: Sendable {
  package let folder: FilePath
  /// In bytes; every file counts as the blocks of 4 KB that it takes on a disk.
  package let limit: Int64
  let usage: StoreUsage
  let small: SmallResults

  /// The folder is made when something is kept for the first time.
  package init(_ folder: FilePath, limit: Int64) {
    self.folder = folder
    self.limit = limit
    usage = StoreUsage(folder.appending("size"), limit: limit)
    small = SmallResults(folder.appending("small"))
  }

  // MARK: Blobs

  /// Whether the blob is there, perhaps damaged. It may be removed at any time.
  package func contains(_ digest: Digest, size: Int64) -> Bool { self.size(of: digest) == size }

  /// Keeps a file's content. The digest was computed just now and is not checked, because hashing would take longer
  /// than all the rest. If the file was changed in between, the blob is found to be damaged when it is used.
  package func keep(file path: FilePath, digest: Digest) throws(FileError) {
    let place = self.path(.blobs, digest)
    let size = try FileSystem.status(of: path, followingLinks: true)?.size
    if isOurs, let kept = StoredFile.open(place) {
      defer { kept.close() }
      if kept.size == size { return kept.use() }
    }
    let file = try FileSystem.open(path)
    defer { try? file.close() }
    let before = try FileSystem.status(file, path)
    try checkRoom(for: before.size, path)
    let output = try newFile()
    let count: Int64
    do throws(SystemCalls.CopyFailure) {
      count = try FileCopy.copy(file, size: before.size, hashes: false, to: output.file).count
    } catch {
      throw error.isReading
        ? FileError(path, doing: "read", code: error.code)
        : FileError(folder, doing: "write in the store", code: error.code)
    }
    try FileSystem.checkSame(before, file, path, count: count, doing: "keep")
    try self.place(output, at: place, size: count)
  }

  /// Writes a blob to its place atomically, not synced; false, and no change, if it is missing or damaged.
  package func restore(_ target: RestoredFile, below root: OpenFolder) throws(FileError) -> Bool {
    let digest = target.digest
    guard isOurs, let blob = StoredFile.open(path(.blobs, digest)) else { return false }
    defer { blob.close() }
    // The size is checked before anything is read, so that a foreign file costs no time.
    guard blob.size == target.size else {
      blob.discard()
      return false
    }
    let output = try OutputFile.create(target.path, below: root)
    try output.setMode(target.mode)
    let found: Digest?
    do throws(SystemCalls.CopyFailure) {
      found = try FileCopy.copy(blob.file, size: blob.size, hashes: true, to: output.file).digest
    } catch {
      if !error.isReading { throw FileError(target.path, doing: "write", code: error.code) }
      found = nil
    }
    guard found == digest else {
      blob.discard()
      return false
    }
    blob.use()
    try output.commitUnsynced()
    return true
  }

  // MARK: Results of actions

  /// The result that was kept for an action; nil if there is none, or if it is damaged.
  package func result(of key: Digest) -> [UInt8]? {
    guard isOurs, let file = StoredFile.open(path(.results, key)) else { return nil }
    defer { file.close() }
    let sizes = Int64(Digest.byteCount)...Int64(ContentStore.maxResultSize)
    guard sizes.contains(file.size), let head = file.read(0..<Digest.byteCount),
      let record = file.read(Digest.byteCount..<Int(file.size)), ContentStore.checksum(record, of: key).bytes == head
    else {
      file.discard()
      return nil
    }
    file.use()
    return record
  }

  /// Keeps a small record for an action in place of the one before.
  package func keep(result record: [UInt8], of key: Digest) throws(FileError) {
    try write(ContentStore.sealed(record, of: key), as: key)
  }

  /// The bytes that `keep(mapped:of:)` kept, unchecked: they bear a checksum of their own. Nil if there are none.
  package func mapped(_ key: Digest) -> MappedFile? {
    guard isOurs, let file = StoredFile.open(path(.results, key)) else { return nil }
    defer { file.close() }
    file.use()
    return try? MappedFile.open(path(.results, key))
  }

  /// Like `keep(result:of:)`, for large bytes that would take longer to hash than to use.
  package func keep(mapped bytes: [UInt8], of key: Digest) throws(FileError) { try write(bytes, as: key) }

  private func write(_ content: [UInt8], as key: Digest) throws(FileError) {
    guard content.count <= ContentStore.maxResultSize else {
      throw FileError(folder, doing: "keep a result in", reason: "it has more than \(ContentStore.maxResultSize) bytes")
    }
    let place = path(.results, key)
    try checkRoom(for: Int64(content.count), place)
    let output = try newFile()
    try output.write(content)
    try self.place(output, at: place, size: Int64(content.count))
  }

  /// In bytes. Outputs of actions are blobs, and not part of the result.
  private static let maxResultSize = 64 << 20

  /// A record behind its checksum.
  package static func sealed(_ record: [UInt8], of key: Digest) -> [UInt8] { checksum(record, of: key).bytes + record }

  /// It covers the key, so that a record under a wrong name is detected.
  package static func checksum(_ bytes: [UInt8], of key: Digest) -> Digest {
    var builder = DigestBuilder()
    builder.update(key.bytes)
    builder.update(bytes)
    return builder.finish()
  }

  // MARK: Places

  enum Area: String, CaseIterable {
    case blobs = "cas"
    case results = "ac"
  }

  func path(_ area: Area, _ digest: Digest) -> FilePath {
    let hex = digest.hex
    return folder.appending(area.rawValue).appending(String(hex.prefix(2))).appending(hex)
  }

  var temporary: FilePath { folder.appending("tmp") }

  /// Whether a path is the folder of a store or something of the store in it. Other files may lie there, too.
  package static func isOwn(_ path: FilePath, in folder: FilePath) -> Bool {
    var path = path
    guard path.removePrefix(folder) else { return false }
    return path.components.first.map { names.contains($0.string) } ?? true
  }

  private static let names =
    Set(Area.allCases.map(\.rawValue) + ["small", "tmp", "size", "lock", "version", "CACHEDIR.TAG"])

  /// Nil if the blob is not there.
  func size(of digest: Digest) -> Int64? {
    guard isOurs, let status = try? FileSystem.status(of: path(.blobs, digest)), status.kind == .regular else {
      return nil
    }
    return status.size
  }

  // MARK: Writing

  func newFile() throws(FileError) -> OutputFile {
    if !isOurs { try makeFolders() }
    func create() throws(FileError) -> OutputFile {
      try OutputFile.create(folder, in: try OpenFolder(temporary), mode: FileSystem.privateFile)
    }
    let output: OutputFile
    do { output = try create() } catch {
      // Another process removed the store or this folder.
      guard error.code == .noSuchFileOrDirectory else { throw error }
      usage.forget()
      try makeFolders()
      output = try create()
    }
    // Without the lock, a process that trims may remove the file as a leftover; then it is not kept.
    _ = try? SystemCalls.tryLock(output.file)
    return output
  }

  func place(_ output: consuming OutputFile, at path: FilePath, size: Int64) throws(FileError) {
    try output.commitPrivately(to: path)
    if usage.add(size) { trimIfFull() }
  }

  func checkRoom(for size: Int64, _ path: FilePath) throws(FileError) {
    guard size > limit else { return }
    throw FileError(
      path, doing: "keep", reason: "it is larger than the whole store may be, \(limit) bytes",
      hint: "raise the store's limit")
  }
}
