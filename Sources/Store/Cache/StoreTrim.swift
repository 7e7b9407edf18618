internal import SystemPackage

package struct Trimmed: Hashable, Sendable {
  /// The removed files, and the bytes that they took.
  package var files = 0
  package var bytes: Int64 = 0
  /// The bytes that are left.
  package var remaining: Int64 = 0
  /// Another process is trimming: nothing was done.
  package var isBusy = false
}

extension ContentStore {
  /// The number of the store's files, and the bytes that they take.
  package func contents() throws(FileError) -> (files: Int, bytes: Int64) {
    let items = try items()
    let small = isOurs ? try FileSystem.status(of: folder.appending("small")) : nil
    return (
      items.count + (small == nil ? 0 : 1), items.reduce(StoreUsage.blocks(small?.size ?? 0)) { $0 + $1.bytes }
    )
  }

  /// Removes all blobs and results. Files that other processes are writing stay.
  package func removeAll() throws(FileError) -> Trimmed {
    guard isOurs else { return Trimmed() }
    // Another process may be trimming; there is no reason to wait for it.
    var done = try removeLeastUsed(above: -1, to: -1)
    for area in Area.allCases {
      let top = folder.appending(area.rawValue)
      for name in (try? FileSystem.list(top)) ?? [] { try? SystemCalls.remove(top.appending(name), isFolder: true) }
    }
    try small.removeAll()
    usage.set(done.remaining)
    done.isBusy = false
    return done
  }

  /// Trims well below the limit, so that it is not needed for each file. A failure to trim does not fail the build.
  func trimIfFull() { if (try? trim(above: limit, to: limit / 4 * 3)) == nil { usage.set(nil) } }

  /// If there are more bytes than `above`, removes the least recently used files until no more than `target` are left,
  /// and leftovers of killed processes. Others may read and write meanwhile; a file that they do not find is a miss.
  func trim(above: Int64, to target: Int64) throws(FileError) -> Trimmed {
    guard isOurs else { return Trimmed() }
    let trim = { (_: Int32?) throws(FileError) -> Trimmed in
      let done = try removeLeastUsed(above: above, to: target)
      usage.set(done.remaining)
      return done
    }
    do throws(FileError) {
      if let done = try FileLock.ifFree(lock, below: try OpenFolder(folder), trim) { return done }
    } catch {
      // The lock needs a block that a full disk does not have. Two processes that trim at once only remove too much.
      guard error.code == .noSpace || error.code == .diskQuotaExceeded else { throw error }
      return try trim(nil)
    }
    usage.set(nil)
    var busy = Trimmed()
    busy.isBusy = true
    return busy
  }

  private var lock: FilePath { folder.appending("lock") }

  private struct Item {
    let area: Area
    let digest: Digest
    /// In bytes, whole blocks.
    let bytes: Int64
    let used: Int64
  }

  private func removeLeastUsed(above: Int64, to target: Int64) throws(FileError) -> Trimmed {
    removeLeftovers()
    var items = try items()
    var done = Trimmed()
    done.remaining = items.reduce(0) { $0 + $1.bytes }
    guard done.remaining > above else { return done }
    items.sort { ($0.used, $0.digest) < ($1.used, $1.digest) }
    for item in items {
      if done.remaining <= target { break }
      let path = path(item.area, item.digest)
      // A file that was used meanwhile stays. One that is gone was removed by another process, and no longer counts.
      if let now = try FileSystem.status(of: path) {
        if target >= 0, ContentStore.used(now) > item.used { continue }
        try FileSystem.remove(path)
        done.files += 1
        done.bytes += item.bytes
      }
      done.remaining -= item.bytes
    }
    return done
  }

  private func items() throws(FileError) -> [Item] {
    var items: [Item] = []
    if isOurs { for area in Area.allCases { try collect(area, into: &items) } }
    return items
  }

  /// Files whose names are not ours are left alone.
  private func collect(_ area: Area, into items: inout [Item]) throws(FileError) {
    let top = folder.appending(area.rawValue)
    for shard in try listOrNothing(top) where shard.nameBytes.count == 2 {
      for name in try listOrNothing(top.appending(shard)) {
        guard let digest = Digest(hex: name.string), path(area, digest) == top.appending(shard).appending(name),
          let status = try FileSystem.status(of: top.appending(shard).appending(name)), status.kind == .regular
        else { continue }
        let bytes = StoreUsage.blocks(status.size)
        items.append(Item(area: area, digest: digest, bytes: bytes, used: ContentStore.used(status)))
      }
    }
  }

  /// A time in the future does not tell the last use. Such a file is removed first, or it would stay for ever.
  private static func used(_ status: FileStamp) -> Int64 {
    status.modified &- HostProcess.now > StoredFile.granularity ? .min : status.modified
  }

  /// Removes half-written files of killed processes, which are old enough to have been locked, and are not locked.
  private func removeLeftovers() {
    for name in (try? FileSystem.list(temporary)) ?? [] where name.extension == "npi-tmp" {
      let path = temporary.appending(name)
      guard let left = StoredFile.open(path) else { continue }
      defer { left.close() }
      guard HostProcess.now &- left.status.modified > ContentStore.leftoverAge,
        (try? SystemCalls.tryLock(left.file)) == true
      else { continue }
      try? FileSystem.remove(path)
    }
  }

  /// In nanoseconds.
  private static let leftoverAge: Int64 = 60 * 1_000_000_000

  private func listOrNothing(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
    do { return try FileSystem.list(folder) } catch {
      // Another process removed it, or it is not a folder.
      guard error.code == .noSuchFileOrDirectory || error.code == .notDirectory else { throw error }
      return []
    }
  }
}
