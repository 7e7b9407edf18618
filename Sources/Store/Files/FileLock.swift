package import SystemPackage

/// An exclusive lock between processes (`flock`), which the system releases however the holder ends.
///
/// The lock is held exactly as long as a closure runs. It is not a value with a `deinit`, because such a value may end
/// after its last use: the optimiser once released a lock before the work that it guarded.
///
/// The file holds the holder's process number, and blanks after a normal end. So a number in a free lock is that of a
/// killed process.
package enum FileLock {
  /// Runs the body while it holds the lock. `waiting` is called once if another process holds it, with that process's
  /// number if it is known. `cleanUp` runs first, with the number of a killed process that had the lock before; if it
  /// fails, the next holder finds that number, too. Cancelling the task ends the wait.
  package static func withLock<R>(
    _ path: FilePath, below root: OpenFolder, waiting: (_ holder: Int32?) -> Void,
    cleanUp: (_ abandonedBy: Int32?) async throws -> Void, _ body: () async throws -> R
  ) async throws -> R {
    var told = false
    while true {
      if let held = try Held(path, root) {
        var isClean = held.abandonedBy == nil
        defer { held.release(isClean: isClean) }
        try await cleanUp(held.abandonedBy)
        isClean = true
        return try await body()
      }
      if !told {
        waiting(holder(path))
        told = true
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Runs the body if the lock is free, else returns nil. `abandonedBy` is as for `cleanUp` above.
  package static func ifFree<R>(
    _ path: FilePath, below root: OpenFolder, _ body: (_ abandonedBy: Int32?) throws(FileError) -> R
  ) throws(FileError) -> R? {
    guard let held = try Held(path, root, permissions: FileSystem.privateFile) else { return nil }
    defer { held.release(isClean: held.abandonedBy == nil) }
    return try body(held.abandonedBy)
  }

  /// The number of the process that holds the lock, or that held it last and was killed.
  package static func holder(_ path: FilePath) -> Int32? {
    (try? FileSystem.read(path, limit: 64)).flatMap(number)
  }

  /// An open and locked file; only `release` unlocks it.
  private struct Held {
    let abandonedBy: Int32?
    private let file: FileDescriptor

    /// Nil if another process holds it.
    init?(_ path: FilePath, _ root: OpenFolder, permissions: UInt16 = 0o666) throws(FileError) {
      file = try root.open(path, .readWrite, [.create], permissions: permissions)
      do throws(Errno) {
        // The last holder may have removed the file, and a lock on a removed file has no effect.
        guard try SystemCalls.tryLock(file), let own = try? FileStamp(Stat(file)),
          let now = try? FileSystem.status(of: path), now.inode == own.inode
        else {
          try? file.close()
          return nil
        }
        let before = FileLock.number(try SystemCalls.read(file, at: 0, atMost: 64))
        abandonedBy = before
        // Processes that wait report this number.
        try FileLock.write("\(SystemCalls.processID)", to: file)
      } catch {
        SystemCalls.unlock(file)
        try? file.close()
        throw FileError(path, doing: "lock", code: error)
      }
    }

    func release(isClean: Bool) {
      if isClean { try? FileLock.write("", to: file) }
      SystemCalls.unlock(file)
      try? file.close()
    }
  }

  /// The text is padded, because it overwrites a longer one.
  private static func write(_ text: String, to file: FileDescriptor) throws(Errno) {
    let line = Array("\(text)           ".utf8.prefix(11)) + [0x0A]
    try SystemCalls.write(file, line, at: 0)
  }

  private static func number(_ bytes: [UInt8]) -> Int32? {
    Int32(String(decoding: bytes.prefix { $0 != 0x20 && $0 != 0x0A }, as: UTF8.self))
  }
}
