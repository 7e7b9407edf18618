import CLibrary
internal import CPlatform
package import SystemPackage

/// The system calls that SystemPackage does not wrap. A pointer never leaves the function that made it.
enum SystemCalls {
  // MARK: Open files

  /// One read at an offset; an empty result is the end.
  static func read(_ file: FileDescriptor, at offset: Int64, atMost limit: Int) throws(Errno) -> [UInt8] {
    try system {
      try unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        count = try unsafe file.read(fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  /// Hashes an open file from its start (not if it `skips`), copies it block by block, and counts the bytes.
  static func hash(
    _ file: FileDescriptor, blocksOf size: Int, into hash: inout DigestBuilder, skips: Bool = false,
    copy: FileDescriptor? = nil
  ) throws(CopyFailure) -> Int64 {
    var total: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    defer { unsafe buffer.deallocate() }
    while true {
      let count: Int
      do throws(Errno) { count = try system { try unsafe file.read(fromAbsoluteOffset: total, into: buffer) } } catch {
        throw CopyFailure(code: error)
      }
      if count == 0 { return total }
      let block = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if !skips { unsafe hash.update(block) }
      if let copy {
        do throws(Errno) { try unsafe write(copy, block.bytes, at: total) } catch {
          throw CopyFailure(code: error, isReading: false)
        }
      }
      total += Int64(count)
    }
  }

  /// The error of a copy, and the side that failed.
  struct CopyFailure: Error {
    let code: Errno
    var isReading = true
  }

  /// Makes an empty file share another's blocks. False if the system or the file system cannot do that.
  static func clone(_ file: FileDescriptor, to copy: FileDescriptor) -> Bool {
    #if canImport(Glibc)
      // FICLONE of linux/fs.h: a macro that Swift cannot see.
      return ioctl(copy.rawValue, 0x4004_9409, file.rawValue) == 0
    #else
      return false
    #endif
  }

  /// Reserves disk space for the beginning of a file, whatever its size. It does nothing where the system or the file
  /// system cannot do so, or if a limit of the process forbids it; then the first write fails.
  static func reserve(_ file: FileDescriptor, _ count: Int) throws(Errno) {
    #if canImport(Darwin)
    #else
      // FALLOC_FL_KEEP_SIZE
      do throws(Errno) { try check(fallocate(file.rawValue, 1, 0, off_t(count))) } catch {
        if [.noSpace, .diskQuotaExceeded].contains(error) { throw error }
      }
    #endif
  }

  /// Wraps around instead of trapping: a file system may claim any time.
  static func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }

  /// Sets the file's times to now.
  static func touch(_ file: FileDescriptor) { futimens(file.rawValue, nil) }

  /// Writes everything: at the offset, or at the file's own position if that is nil.
  static func write(_ file: FileDescriptor, _ bytes: RawSpan, at offset: Int64?) throws(Errno) {
    try system {
      try unsafe bytes.withUnsafeBytes { bytes in
        if let offset {
          try unsafe file.writeAll(toAbsoluteOffset: offset, bytes)
        } else {
          try unsafe file.writeAll(bytes)
        }
      }
    }
  }

  static func write(_ file: FileDescriptor, _ bytes: [UInt8], at offset: Int64?) throws(Errno) {
    unsafe try write(file, bytes.span.bytes, at: offset)
  }

  static func sync(_ file: FileDescriptor) throws(Errno) { try check(fsync(file.rawValue)) }

  /// Lets the disk begin with a part of the file, so that `sync` waits less. Does nothing where the system cannot.
  static func startSync(_ file: FileDescriptor, at offset: Int64, _ count: Int) throws(Errno) {
    #if canImport(Darwin)
    #else
      // SYNC_FILE_RANGE_WRITE
      do throws(Errno) { try check(sync_file_range(file.rawValue, off_t(offset), off_t(count), 2)) } catch {
        if [.noSpace, .diskQuotaExceeded, .ioError].contains(error) { throw error }
      }
    #endif
  }

  /// False if another process holds the lock.
  static func tryLock(_ file: FileDescriptor) throws(Errno) -> Bool {
    while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
    return true
  }

  /// Closing the descriptor is not enough: a child process has a copy of it until its program begins.
  static func unlock(_ file: FileDescriptor) {
    _ = flock(file.rawValue, LOCK_UN)
  }

  static var processID: Int32 { getpid() }

  /// The time when a file was made, in nanoseconds since 1970; 0 where the system or the file system does not tell.
  static func birth(_ file: FileDescriptor) -> Int64 {
    #if canImport(Darwin)
      var status = stat()
      guard unsafe fstat(file.rawValue, &status) == 0 else { return 0 }
      return nanoseconds(status.st_birthtimespec)
    #else
      // These are macros of fcntl.h and stat.h; the first exists in GNU's dialect only.
      let (emptyPath, birthTime): (Int32, UInt32) = (0x1000, 0x800)
      var status = statx()
      guard unsafe statx(file.rawValue, "", emptyPath, birthTime, &status) == 0, status.stx_mask & birthTime != 0 else {
        return 0
      }
      return status.stx_btime.tv_sec &* 1_000_000_000 &+ Int64(status.stx_btime.tv_nsec)
    #endif
  }

  /// Cryptographically secure bytes.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The effective user's number.
  static var userID: UInt32 { geteuid() }

  /// Whether a process of that number exists, of any user.
  static func isRunning(_ process: Int32) -> Bool { process > 0 && (kill(process, 0) == 0 || errno == EPERM) }

  // MARK: Helpers

  /// SystemPackage throws only the system's numbers, but its functions do not say so.
  @discardableResult
  static func system<R>(_ body: () throws -> R) throws(Errno) -> R {
    do { return try body() } catch { throw (error as? Errno) ?? .ioError }
  }

  /// Repeats a call that a signal interrupted.
  static func check(_ call: @autoclosure () -> CInt) throws(Errno) {
    while call() != 0 { if errno != EINTR { throw Errno(rawValue: errno) } }
  }

  fileprivate static func terminated(_ bytes: some Sequence<UInt8>) -> [CChar]? {
    var text: [CChar] = []
    text.reserveCapacity(bytes.underestimatedCount + 1)
    for byte in bytes {
      if byte == 0 { return nil }
      text.append(CChar(bitPattern: byte))
    }
    text.append(0)
    return text
  }
}

/// File names are bytes, not text: names that are equal as a `String` (é composed and decomposed) are two files.
extension FilePath {
  /// The path as the system gets it, without the final zero.
  package var pathBytes: [UInt8] {
    unsafe withPlatformString { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// Nil if there is a zero byte in it.
  package init?(pathBytes: some Sequence<UInt8>) {
    guard let text = SystemCalls.terminated(pathBytes) else { return nil }
    self.init(platformString: text)
  }

  /// The same without the cost of a generic, for the thousands of paths in logs and caches.
  package init?(pathBytes: ArraySlice<UInt8>) {
    guard let text = SystemCalls.terminated(pathBytes) else { return nil }
    self.init(platformString: text)
  }
}

extension FilePath.Component {
  package var nameBytes: [UInt8] {
    unsafe withPlatformString { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// Nil if it is empty or holds a slash or a zero byte.
  package init?(nameBytes: [UInt8]) {
    guard let text = SystemCalls.terminated(nameBytes) else { return nil }
    self.init(platformString: text)
  }
}
