package import SystemPackage

/// One process at a time: an exclusive lock (`flock`) that the system takes back however the holder ends.
///
/// The file holds the holder's number, and blanks once a holder has ended in order: whoever finds a number there when it
/// gets the lock follows one that was killed.
package struct FileLock: ~Copyable {
  package let path: FilePath
  /// The number of the process that had the lock before and was ended before it could clean up.
  package let abandonedBy: Int32?
  private let file: FileDescriptor
  private var isClean: Bool

  private init(path: FilePath, abandonedBy: Int32?, file: FileDescriptor) {
    self.path = path
    self.abandonedBy = abandonedBy
    self.file = file
    isClean = abandonedBy == nil
  }

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
    let before: Int32?
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
      before = number(try SystemCalls.read(file, at: 0, atMost: 64))
      // So that whoever waits can say for whom.
      try write("\(SystemCalls.processID)", to: file)
    } catch {
      try? file.close()
      throw FileError(path, doing: "lock", code: error)
    }
    return FileLock(path: path, abandonedBy: before, file: file)
  }

  /// What the one before has left behind is cleaned up.
  package mutating func cleanedUp() { isClean = true }

  /// The number of the process that holds the lock, or that held it last and was killed.
  package static func holder(_ path: FilePath) -> Int32? {
    (try? FileSystem.read(path, limit: 64)).flatMap(number)
  }

  /// Padded, because a shorter text must cover a longer one.
  private static func write(_ text: String, to file: FileDescriptor) throws(Errno) {
    let line = Array("\(text)           ".utf8.prefix(11)) + [0x0A]
    try SystemCalls.withSpan(line) { span throws(Errno) in try SystemCalls.write(file, span, at: 0) }
  }

  private static func number(_ bytes: [UInt8]) -> Int32? {
    Int32(String(decoding: bytes.prefix { $0 != 0x20 && $0 != 0x0A }, as: UTF8.self))
  }

  deinit {
    if isClean { try? FileLock.write("", to: file) }
    SystemCalls.unlock(file)
    try? file.close()
  }
}
