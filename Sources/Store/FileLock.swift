package import SystemPackage

/// One process at a time: an exclusive lock (`flock`) that the system takes back however the holder ends.
package struct FileLock: ~Copyable {
  package let path: FilePath
  private let file: FileDescriptor

  /// Waits until the lock is free. `waiting` is called once if it is not, with the number of the process that holds it
  /// (nil if it has not said so yet). The folder must exist. Cancelling the task ends the wait.
  package static func acquire(
    _ path: FilePath, waiting: (_ holder: Int32?) -> Void
  ) async throws -> FileLock {
    var told = false
    while true {
      if let lock = try tryAcquire(path) { return lock }
      if !told {
        waiting(holder(path))
        told = true
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Nil if somebody else holds it.
  package static func tryAcquire(_ path: FilePath) throws(FileError) -> FileLock? {
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec], permissions: FilePermissions(rawValue: 0o666))
    } catch {
      throw FileError(path, doing: "open the lock", code: error as? Errno ?? .ioError)
    }
    do {
      guard try SystemCalls.tryLock(file) else {
        try? file.close()
        return nil
      }
      // Whoever had it may have removed it: then the name is another file's, and this lock keeps nobody out.
      guard let now = try? FileSystem.status(of: path), let own = try? FileStatus(Stat(file)), now.inode == own.inode
      else {
        try? file.close()
        return nil
      }
      // So that whoever waits can say for whom. Padded, because a shorter number must cover a longer one.
      let text = Array("\(SystemCalls.processID)          ".utf8.prefix(11)) + [0x0A]
      try SystemCalls.withSpan(text) { span throws(Errno) in try SystemCalls.write(file, span, at: 0) }
    } catch {
      try? file.close()
      throw FileError(path, doing: "lock", code: error)
    }
    return FileLock(path: path, file: file)
  }

  /// The number of the process that holds the lock, or held it last.
  package static func holder(_ path: FilePath) -> Int32? {
    guard let bytes = try? FileSystem.read(path, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != 0x20 && $0 != 0x0A }, as: UTF8.self))
  }

  deinit { try? file.close() }
}
