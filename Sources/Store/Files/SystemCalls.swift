import CLibrary
internal import CPlatform
package import SystemPackage

/// The system calls that SystemPackage does not wrap. A pointer that is made here never leaves the function that made it.
enum SystemCalls {
  // MARK: Open files

  /// One read; an empty result is the end.
  static func read(_ file: FileDescriptor, atMost limit: Int) throws(Errno) -> [UInt8] {
    try unsafe fill(limit) { buffer in unsafe read(file, into: buffer) }
  }

  /// The number of bytes, or -1 with `errno`.
  private static func read(_ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.read(file.rawValue, buffer.baseAddress, buffer.count)
    #elseif canImport(Glibc)
      unsafe Glibc.read(file.rawValue, buffer.baseAddress, buffer.count)
    #else
      unsafe Musl.read(file.rawValue, buffer.baseAddress, buffer.count)
    #endif
  }

  /// One read at an offset; an empty result is the end.
  static func read(_ file: FileDescriptor, at offset: Int64, atMost limit: Int) throws(Errno) -> [UInt8] {
    try unsafe fill(limit) { buffer in unsafe pread(file.rawValue, buffer.baseAddress, limit, off_t(offset)) }
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
      let count = unsafe pread(file.rawValue, buffer.baseAddress, buffer.count, off_t(total))
      if count < 0 {
        if errno == EINTR { continue }
        throw CopyFailure(code: Errno(rawValue: errno))
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

  /// Which side of a copy the system refused.
  struct CopyFailure: Error {
    let code: Errno
    var isReading = true
  }

  /// Makes an empty file share another's blocks. False where the system or the file system cannot: then it is copied.
  static func clone(_ file: FileDescriptor, to copy: FileDescriptor) -> Bool {
    #if canImport(Glibc)
      // FICLONE of linux/fs.h: a macro that Swift cannot see.
      return ioctl(copy.rawValue, 0x4004_9409, file.rawValue) == 0
    #else
      return false
    #endif
  }

  /// Gives the beginning of a file its place on the disk, whatever its size. Nothing happens where the system or the file
  /// system cannot do so, and if a limit of the process forbids it: that is for the first write to say.
  static func reserve(_ file: FileDescriptor, _ count: Int) throws(Errno) {
    #if canImport(Darwin)
    #else
      // FALLOC_FL_KEEP_SIZE
      do throws(Errno) { try check(fallocate(file.rawValue, 1, 0, off_t(count))) } catch {
        if [.noSpace, .diskQuotaExceeded].contains(error) { throw error }
      }
    #endif
  }

  /// Nanoseconds since 1970.
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Wraps around instead of trapping: a file system may claim any time.
  static func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }

  /// Says that the file was used just now.
  static func touch(_ file: FileDescriptor) { futimens(file.rawValue, nil) }

  /// Writes everything: at the offset, or at the file's own position if that is nil.
  static func write(_ file: FileDescriptor, _ bytes: RawSpan, at offset: Int64?) throws(Errno) {
    var done = 0
    while done < bytes.byteCount {
      let rest = bytes.extracting(droppingFirst: done)
      let count = unsafe rest.withUnsafeBytes { buffer in
        if let offset {
          return unsafe pwrite(file.rawValue, buffer.baseAddress, buffer.count, off_t(offset) + off_t(done))
        }
        #if canImport(Darwin)
          return unsafe Darwin.write(file.rawValue, buffer.baseAddress, buffer.count)
        #elseif canImport(Glibc)
          return unsafe Glibc.write(file.rawValue, buffer.baseAddress, buffer.count)
        #else
          return unsafe Musl.write(file.rawValue, buffer.baseAddress, buffer.count)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Errno(rawValue: errno)
      }
      done += count
    }
  }

  static func write(_ file: FileDescriptor, _ bytes: [UInt8], at offset: Int64?) throws(Errno) {
    unsafe try write(file, bytes.span.bytes, at: offset)
  }

  static func cut(_ file: FileDescriptor, to size: Int64) throws(Errno) {
    try check(ftruncate(file.rawValue, off_t(size)))
  }

  static func sync(_ file: FileDescriptor) throws(Errno) {
    while fsync(file.rawValue) != 0 {
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
  }

  /// False if somebody else holds the lock.
  static func tryLock(_ file: FileDescriptor) throws(Errno) -> Bool {
    while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
    return true
  }

  /// The descriptor alone is not enough: a process that is just being started has a copy of it until it has begun.
  static func unlock(_ file: FileDescriptor) {
    _ = flock(file.rawValue, LOCK_UN)
  }

  /// The program that this process runs, as the system says; nil if it does not.
  static var executable: FilePath? {
    #if canImport(Darwin)
      var size: UInt32 = 4096
      let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        count =
          unsafe _NSGetExecutablePath(buffer.baseAddress, &size) == 0 ? Int(strnlen(buffer.baseAddress ?? "", 4096)) : 0
      }
      return bytes.isEmpty ? nil : FilePath(pathBytes: bytes.map { UInt8(bitPattern: $0) })
    #else
      return (try? linkTarget("/proc/self/exe")).flatMap { FilePath(pathBytes: $0) }
    #endif
  }

  static var processID: Int32 { getpid() }

  static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// When a thing was made, in nanoseconds since 1970; 0 where the system or the file system does not say.
  static func birth(_ file: FileDescriptor) -> Int64 {
    #if canImport(Darwin)
      var status = stat()
      guard unsafe fstat(file.rawValue, &status) == 0 else { return 0 }
      return nanoseconds(status.st_birthtimespec)
    #else
      // Two macros of fcntl.h and stat.h, of which the first is for GNU's dialect only.
      let (emptyPath, birthTime): (Int32, UInt32) = (0x1000, 0x800)
      var status = statx()
      guard unsafe statx(file.rawValue, "", emptyPath, birthTime, &status) == 0, status.stx_mask & birthTime != 0 else {
        return 0
      }
      return status.stx_btime.tv_sec &* 1_000_000_000 &+ Int64(status.stx_btime.tv_nsec)
    #endif
  }

  /// Bytes that nobody can guess.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Of the user as whom this process acts.
  static var userID: UInt32 { geteuid() }

  /// Whether there is a process of that number, anybody's.
  static func isRunning(_ process: Int32) -> Bool { process > 0 && (kill(process, 0) == 0 || errno == EPERM) }

  static func isTerminal(_ file: Int32) -> Bool { isatty(file) == 1 }

  /// Nil if it is not the terminal of this session.
  static func isInForeground(_ file: Int32) -> Bool? {
    let group = tcgetpgrp(file)
    return group < 0 ? nil : group == getpgrp()
  }

  /// Nil if it is no terminal, or one that does not know.
  static func terminalColumns(_ file: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  static func variable(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  // MARK: Helpers

  private static func fill(
    _ limit: Int, _ call: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var length = unsafe call(UnsafeMutableRawBufferPointer(buffer))
      while length < 0 && errno == EINTR { length = unsafe call(UnsafeMutableRawBufferPointer(buffer)) }
      if length < 0 { failure = Errno(rawValue: errno) }
      count = max(0, length)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Calls again if a signal came between.
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

/// File names are bytes, not text: two names that Swift's `String` holds equal (é composed and decomposed) are two files.
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

  /// The same without a generic's cost: logs and caches hold thousands of them.
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
