internal import Crypto
internal import CPlatform
internal import SystemPackage

#if canImport(Darwin)
  internal import Darwin
  internal import MachO
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The system calls that SystemPackage does not wrap, and the hash's pointer. With `MappedFile` the only unsafe code of
/// this module: a pointer that is made here never leaves the function that made it.
enum SystemCalls {
  // MARK: Folders

  /// The names in a folder without `.` and `..`, in the order of the file system.
  static func names(in folder: FilePath) throws(Errno) -> [[UInt8]] {
    var names: [[UInt8]] = []
    guard let stream = unsafe folder.withPlatformString({ unsafe opendir($0) }) else { throw Errno(rawValue: errno) }
    try unsafe read(stream) { name in unsafe names.append([UInt8](name)) }
    return names
  }

  /// The same of a folder whose name stands in an array, with a zero byte at its end; so do the names that are given.
  static func names(below folder: FileDescriptor, _ names: [UInt8], at offset: Int) throws(Errno) -> [UInt8] {
    let file = try unsafe withName(names, offset) { name in
      var file: CInt
      repeat {
        file = unsafe openat(folder.rawValue, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      } while file < 0 && errno == EINTR
      return file
    }
    guard file >= 0 else { throw Errno(rawValue: errno) }
    guard let stream = unsafe fdopendir(file) else {
      let code = Errno(rawValue: errno)
      close(file)
      throw code
    }
    var found: [UInt8] = []
    try unsafe read(stream) { name in
      unsafe found.append(contentsOf: name)
      found.append(0)
    }
    return found
  }

  /// Of what has that name below the folder, in an array with a zero byte at its end.
  static func status(
    _ folder: FileDescriptor, _ names: [UInt8], at offset: Int, followingLinks: Bool
  ) throws(Errno) -> FileStatus {
    let found = try unsafe withName(names, offset) { name -> Result<FileStatus, Errno> in
      do throws(Errno) {
        return .success(
          FileStatus(try unsafe Stat(name, relativeTo: folder, flags: followingLinks ? [] : .symlinkNoFollow)))
      } catch {
        return .failure(error)
      }
    }
    return try found.get()
  }

  /// The system reads up to a zero byte: there must be one.
  private static func withName<R>(
    _ names: [UInt8], _ offset: Int, _ body: (UnsafePointer<CChar>) -> R
  ) throws(Errno) -> R {
    let result = unsafe names.withUnsafeBytes { bytes -> R? in
      guard let start = bytes.baseAddress, offset >= 0, offset < bytes.count else { return nil }
      let name = unsafe start.advanced(by: offset)
      guard unsafe memchr(name, 0, bytes.count - offset) != nil else { return nil }
      return unsafe body(name.assumingMemoryBound(to: CChar.self))
    }
    guard let result else { throw .invalidArgument }
    return result
  }

  #if canImport(Darwin)
    private typealias FolderStream = UnsafeMutablePointer<DIR>
  #else
    private typealias FolderStream = OpaquePointer
  #endif

  /// Gives each name to the body; closes the folder.
  private static func read(
    _ stream: FolderStream, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(Errno) {
    defer { unsafe closedir(stream) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { throw .notSupported }
    while true {
      // The only way to tell the end from a failure.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        return
      }
      // Not through `pointee`: the record is as long as the name, the type is as long as the longest one.
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
      let name = unsafe UnsafeRawBufferPointer(start: start, count: length)
      let isDots = unsafe length <= 2 && name.allSatisfy { $0 == 0x2E }
      if !isDots { unsafe body(name) }
    }
  }

  static func makeFolder(_ path: FilePath, mode: UInt16 = 0o777) throws(Errno) {
    try check(unsafe path.withPlatformString { unsafe mkdir($0, mode_t(mode)) })
  }

  // Below a folder that is open: whatever becomes of its path meanwhile, it is that folder.

  static func makeFolder(_ folder: FileDescriptor, _ name: FilePath.Component) throws(Errno) {
    try check(unsafe name.withPlatformString { unsafe mkdirat(folder.rawValue, $0, 0o777) })
  }

  /// Never follows a link.
  static func openFolder(_ folder: FileDescriptor, _ name: FilePath.Component) throws(Errno) -> FileDescriptor {
    try open(folder, name, O_RDONLY | O_DIRECTORY)
  }

  /// Never follows a link, and never waits for whoever is at the other end of a pipe.
  static func open(
    _ folder: FileDescriptor, _ name: FilePath.Component, _ flags: Int32, mode: UInt16 = 0o666
  ) throws(Errno) -> FileDescriptor {
    while true {
      let file = unsafe name.withPlatformString {
        unsafe openat(folder.rawValue, $0, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode_t(mode))
      }
      if file >= 0 { return FileDescriptor(rawValue: file) }
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
  }

  /// Of the thing itself: a link is not followed. Nil if nothing is there.
  static func status(_ folder: FileDescriptor, _ name: FilePath.Component) throws(Errno) -> FileStatus? {
    let found = unsafe name.withPlatformString { name -> Result<FileStatus, Errno> in
      do throws(Errno) {
        return .success(FileStatus(try unsafe Stat(name, relativeTo: folder, flags: .symlinkNoFollow)))
      } catch {
        return .failure(error)
      }
    }
    do throws(Errno) { return try found.get() } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }

  static func remove(_ folder: FileDescriptor, _ name: FilePath.Component, isFolder: Bool) throws(Errno) {
    try check(
      unsafe name.withPlatformString { unsafe unlinkat(folder.rawValue, $0, isFolder ? AT_REMOVEDIR : 0) })
  }

  static func rename(
    _ folder: FileDescriptor, _ name: FilePath.Component, to target: FileDescriptor, _ new: FilePath.Component
  ) throws(Errno) {
    try check(
      unsafe name.withPlatformString { from in
        unsafe new.withPlatformString { to in unsafe renameat(folder.rawValue, from, target.rawValue, to) }
      })
  }

  static func makeLink(_ folder: FileDescriptor, _ name: FilePath.Component, to target: FilePath) throws(Errno) {
    try check(
      unsafe target.withPlatformString { to in
        unsafe name.withPlatformString { unsafe symlinkat(to, folder.rawValue, $0) }
      })
  }

  /// The names in an open folder without `.` and `..`, in the order of the file system.
  static func names(in folder: FileDescriptor) throws(Errno) -> [[UInt8]] {
    // A descriptor of its own: the stream closes it.
    let file = unsafe openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw Errno(rawValue: errno) }
    guard let stream = unsafe fdopendir(file) else {
      let code = Errno(rawValue: errno)
      close(file)
      throw code
    }
    var names: [[UInt8]] = []
    try unsafe read(stream) { name in unsafe names.append([UInt8](name)) }
    return names
  }

  static func removeFolder(_ path: FilePath) throws(Errno) {
    try check(unsafe path.withPlatformString { unsafe rmdir($0) })
  }

  static func removeFile(_ path: FilePath) throws(Errno) {
    try check(unsafe path.withPlatformString { unsafe unlink($0) })
  }

  static func rename(_ source: FilePath, to target: FilePath) throws(Errno) {
    try check(
      unsafe source.withPlatformString { from in
        unsafe target.withPlatformString { to in
          #if canImport(Darwin)
            unsafe Darwin.rename(from, to)
          #elseif canImport(Glibc)
            unsafe Glibc.rename(from, to)
          #else
            unsafe Musl.rename(from, to)
          #endif
        }
      })
  }

  static func setMode(_ path: FilePath, _ mode: UInt16) throws(Errno) {
    try check(unsafe path.withPlatformString { unsafe chmod($0, mode_t(mode)) })
  }

  /// Gives a file another name, which nothing may have yet.
  static func addName(_ path: FilePath, _ new: FilePath) throws(Errno) {
    try check(unsafe path.withPlatformString { from in unsafe new.withPlatformString { unsafe link(from, $0) } })
  }

  static func setMode(_ file: FileDescriptor, _ mode: UInt16) throws(Errno) {
    try check(fchmod(file.rawValue, mode_t(mode)))
  }

  /// Whether the user who runs this may.
  static func canWrite(_ path: FilePath) -> Bool {
    unsafe path.withPlatformString { unsafe access($0, W_OK) == 0 }
  }

  static func makeLink(_ path: FilePath, to target: FilePath) throws(Errno) {
    try check(
      unsafe target.withPlatformString { to in unsafe path.withPlatformString { from in unsafe symlink(to, from) } })
  }

  /// The absolute path without links. By bytes: a folder's name need not be text.
  static func realPath(_ path: FilePath) throws(Errno) -> FilePath {
    guard let real = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else { throw Errno(rawValue: errno) }
    defer { unsafe free(real) }
    return unsafe FilePath(platformString: real)
  }

  static func linkTarget(_ path: FilePath) throws(Errno) -> [UInt8] {
    var room = 256
    while true {
      var failure: Errno?
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        let length = unsafe path.withPlatformString { name in
          unsafe buffer.withMemoryRebound(to: CChar.self) { room in
            guard let start = room.baseAddress else { return 0 }
            return unsafe readlink(name, start, room.count)
          }
        }
        if length < 0 { failure = Errno(rawValue: errno) }
        count = max(0, length)
      }
      if let failure { throw failure }
      // A target that fills the room may have been cut off.
      if bytes.count < room { return bytes }
      room *= 2
    }
  }

  // MARK: Open files

  /// One read; an empty result is the end.
  static func read(_ file: FileDescriptor, atMost limit: Int) throws(Errno) -> [UInt8] {
    try unsafe fill(limit) { buffer in
      #if canImport(Darwin)
        unsafe Darwin.read(file.rawValue, buffer.baseAddress, limit)
      #elseif canImport(Glibc)
        unsafe Glibc.read(file.rawValue, buffer.baseAddress, limit)
      #else
        unsafe Musl.read(file.rawValue, buffer.baseAddress, limit)
      #endif
    }
  }

  /// One read at an offset; an empty result is the end.
  static func read(_ file: FileDescriptor, at offset: Int64, atMost limit: Int) throws(Errno) -> [UInt8] {
    try unsafe fill(limit) { buffer in unsafe pread(file.rawValue, buffer.baseAddress, limit, off_t(offset)) }
  }

  /// Hashes what is left of an open file, in blocks, and writes each to the copy while the processor still has it at
  /// hand; returns how many bytes that were. `skips`: they are copied only.
  static func hash(
    _ file: FileDescriptor, blocksOf size: Int, into hash: inout SHA256, skips: Bool = false,
    copy: FileDescriptor? = nil
  ) throws(CopyFailure) -> Int64 {
    var total: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    defer { unsafe buffer.deallocate() }
    while true {
      #if canImport(Darwin)
        let count = unsafe Darwin.read(file.rawValue, buffer.baseAddress, size)
      #elseif canImport(Glibc)
        let count = unsafe Glibc.read(file.rawValue, buffer.baseAddress, size)
      #else
        let count = unsafe Musl.read(file.rawValue, buffer.baseAddress, size)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        throw .reading(Errno(rawValue: errno))
      }
      if count == 0 { return total }
      let block = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if !skips { unsafe hash.update(bufferPointer: block) }
      if let copy {
        do throws(Errno) { try unsafe write(copy, block.bytes, at: total) } catch { throw .writing(error) }
      }
      total += Int64(count)
    }
  }

  /// Which side of a copy the system refused.
  enum CopyFailure: Error {
    case reading(Errno)
    case writing(Errno)
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

  /// Nanoseconds since 1970.
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

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

  /// The bytes of an array as a span, for the length of a call.
  static func withSpan<R, E: Error>(_ bytes: [UInt8], _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    unsafe try body(bytes.span.bytes)
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
      return bytes.isEmpty ? nil : path(bytes.map { UInt8(bitPattern: $0) })
    #else
      return (try? linkTarget("/proc/self/exe")).flatMap { path($0) }
    #endif
  }

  static var processID: Int32 { getpid() }

  /// When a thing was made, in nanoseconds since 1970; 0 where the system or the file system does not say.
  static func birth(_ file: FileDescriptor) -> Int64 {
    #if canImport(Darwin)
      var status = stat()
      guard unsafe fstat(file.rawValue, &status) == 0 else { return 0 }
      return Int64(status.st_birthtimespec.tv_sec) &* 1_000_000_000 &+ Int64(status.st_birthtimespec.tv_nsec)
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

  /// The home of the user as the system's list has it; nil if it has none.
  static var home: FilePath? {
    guard let user = unsafe getpwuid(geteuid()), let folder = unsafe user.pointee.pw_dir else { return nil }
    return unsafe FilePath(platformString: folder)
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

  /// Nil if it is no terminal, or one that does not know.
  static func terminalColumns(_ file: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  // MARK: Names and variables

  static func bytes(of path: FilePath) -> [UInt8] {
    unsafe path.withPlatformString { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  static func bytes(of component: FilePath.Component) -> [UInt8] {
    unsafe component.withPlatformString { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// Nil if there is a zero byte among them.
  static func path(_ bytes: some Sequence<UInt8>) -> FilePath? {
    terminated(bytes).map { FilePath(platformString: $0) }
  }

  /// Nil if it is empty or holds a slash or a zero byte.
  static func component(_ bytes: [UInt8]) -> FilePath.Component? {
    terminated(bytes).flatMap { FilePath.Component(platformString: $0) }
  }

  static func variable(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  // MARK: Hashing

  static func update(_ hash: inout SHA256, with bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  static func update(_ hash: inout SHA256, with bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
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
  private static func check(_ call: @autoclosure () -> CInt) throws(Errno) {
    while call() != 0 { if errno != EINTR { throw Errno(rawValue: errno) } }
  }

  private static func terminated(_ bytes: some Sequence<UInt8>) -> [CChar]? {
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
