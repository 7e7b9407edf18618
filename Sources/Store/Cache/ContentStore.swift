package import SystemPackage

/// Contents by their digest, and what actions gave by the action's key, in a folder that several processes share.
///
/// - `cas/ab/<64 hex>`: a blob, named by its SHA-256 (`ab` are the first two digits);
/// - `ac/ab/<64 hex>`: an action's result, named by its key: a checksum (32 bytes), then the record;
/// - `small`: small results, in one file (`SmallResults`);
/// - `tmp/`: what is being written; whoever writes a file holds a lock on it;
/// - `size`: one line for each file that was kept, its bytes: what is there, roughly, without a walk;
/// - `lock`: held by the one process that trims;
/// - `version`: the layout's.
///
/// Nothing in it is precious, and nothing in it is believed: every content is hashed while it is copied out (or
/// bears a sum of its own: `isHashed`), and one that is damaged is removed and counts as not there. So nothing is synced, either. A file gets its name by rename when
/// it is whole; two writers of one blob write the same. The time of last use is the file's modification time.
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

  /// Whether the blob is there, perhaps damaged. What is there now may be gone the next moment.
  package func contains(_ digest: Digest, size: Int64) -> Bool { self.size(of: digest) == size }

  /// Keeps a file's content, which has this digest: it was read just now, and hashing it again would take longer than all
  /// the rest. Should it have been changed in between, then what is kept is found to be damaged when it is wanted.
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

  /// Writes a blob to its place in one go, not synced; false, and no change, if it is missing or damaged.
  package func restore(_ target: RestoredFile, below root: OpenFolder) throws(FileError) -> Bool {
    let digest = target.digest
    guard isOurs, let blob = StoredFile.open(path(.blobs, digest)) else { return false }
    defer { blob.close() }
    // Before anything is read: whatever a file that is not ours claims to hold, it takes no time.
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
      let record = file.read(Digest.byteCount..<Int(file.size)), checksum(record, of: key).bytes == head
    else {
      file.discard()
      return nil
    }
    file.use()
    return record
  }

  /// Keeps a small record for an action in place of the one before.
  package func keep(result record: [UInt8], of key: Digest) throws(FileError) {
    try write(checksum(record, of: key).bytes + record, as: key)
  }

  /// The bytes that `keep(mapped:of:)` kept, unchecked: they bear a sum of their own. Nil if there are none.
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

  /// In bytes. What an action printed and made is blobs.
  private static let maxResultSize = 64 << 20

  /// The key is in it, so that a record that strayed to another name is found out.
  private func checksum(_ bytes: [UInt8], of key: Digest) -> Digest {
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
      // Somebody removed the whole store, or this folder of it.
      guard error.code == .noSuchFileOrDirectory else { throw error }
      usage.forget()
      try makeFolders()
      output = try create()
    }
    // Without the lock, somebody who trims takes the file for a killed process's: then it is not kept.
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
