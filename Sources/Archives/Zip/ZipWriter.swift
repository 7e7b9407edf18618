package import SystemPackage

/// Writes the canonical zip: the same entries give the same bytes on every machine, with any number of workers.
///
/// Content is cut in blocks of `blockSize`, which are read, checksummed and compressed several at a time, and written
/// in order; the deflate streams of an entry's blocks join into one (see `Deflate`), and so do their checksums. A block
/// cannot refer to bytes of the one before it, which costs 0.1 % of size and makes memory independent of sizes.
package enum ZipWriter {
  /// In bytes of content. Part of the format: another size gives other bytes.
  package static let blockSize = 1 << 20

  /// Raise this when the same entries would give other bytes than before.
  package static let formatVersion = 2

  /// Reports the written bytes of content.
  package typealias Advance = (_ done: Int, _ total: Int) -> Void

  /// Writes `entries`, in the order given, to a new file; an existing one is overwritten.
  ///
  /// - Throws: `ZipError`, `CancellationError`, and what a reader of a `Content` throws. The file is then incomplete.
  package static func write(
    _ entries: [Entry], to path: FilePath, options: ZipOptions = ZipOptions(), advance: Advance = { _, _ in }
  ) async throws -> ZipSummary {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(
        path, .readWrite, options: [.create, .truncate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      throw ZipError(unwritable: error)
    }
    var isOpen = true
    defer { if isOpen { try? descriptor.close() } }
    try check(entries, allowsCaseTwins: options.allowsCaseTwins)
    let workers = max(1, options.workers ?? availableCores())
    // The number of jobs that are running or wait to be written, so that no worker waits for the slowest one.
    let window = 2 * workers + 2
    // One job more than workers, so that none is idle while this task writes.
    let atOnce = workers == 1 ? 1 : workers + 1
    let pool = CompressorPool(options.level)
    let summary = try await withThrowingTaskGroup(of: PackedJob.self) { group in
      var jobs = JobIterator(entries: entries, blockSize: options.blockSize)
      var assembler = ZipAssembler(entries: entries, output: OutputFile(descriptor), options: options)
      var waiting: [Int: PackedJob] = [:]
      var running = 0
      var started = 0
      var written = 0
      var done = 0
      let total = entries.reduce(0) { $0 + $1.size }
      while true {
        while running < atOnce, started < written + window, let job = try jobs.next() {
          group.addTask { try pool.pack(job) }
          running += 1
          started += 1
        }
        guard running > 0, let packed = try await group.next() else { break }
        running -= 1
        waiting[packed.number] = packed
        while let next = waiting.removeValue(forKey: written) {
          for block in next.blocks {
            try assembler.add(block)
            done += block.block.count
          }
          written += 1
          advance(done, total)
        }
      }
      try Task.checkCancellation()
      return try assembler.finish()
    }
    isOpen = false
    do { try descriptor.close() } catch { throw ZipError(unwritable: error) }
    return summary
  }

  /// Refuses entries that cannot be in one archive, or cannot be unpacked on every file system.
  package static func check(_ entries: [Entry], allowsCaseTwins: Bool = false) throws(ZipError) {
    var files: [EntryPath: Bool] = [:]
    files.reserveCapacity(entries.count)
    for entry in entries {
      var isFile = true
      switch entry.kind {
      case .directory: isFile = false
      case .symbolicLink(let target):
        if target.isEmpty || target.contains(0) { throw .badLinkTarget(entry.path) }
      case .file: break
      }
      if files.updateValue(isFile, forKey: entry.path) != nil { throw .duplicate(entry.path) }
    }
    // Implied folders count too: `Res/a` and `res/b` would meet in one folder.
    var keys: [String: EntryPath] = [:]
    var folders: Set<EntryPath> = []
    for entry in entries {
      var child = entry.path
      while let parent = child.parent, !folders.contains(parent) {
        if files[parent] == true { throw .fileIsParent(parent, of: entry.path) }
        folders.insert(parent)
        child = parent
      }
    }
    if allowsCaseTwins { return }
    for path in entries.map(\.path) + folders.sorted() {
      if let other = keys.updateValue(path, forKey: path.collisionKey), other != path {
        throw .twins(min(other, path), max(other, path))
      }
    }
  }
}
