internal import SystemPackage

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// Folders and names.
extension SystemCalls {
  /// The names in a folder without `.` and `..`, in the order of the file system.
  static func names(in folder: FilePath) throws(Errno) -> [[UInt8]] {
    var names: [[UInt8]] = []
    let stream = unsafe folder.withPlatformString { path in
      while true {
        if let stream = unsafe opendir(path) { return unsafe Optional(stream) }
        if errno != EINTR { return nil }
      }
    }
    guard let stream = unsafe stream else { throw Errno(rawValue: errno) }
    try unsafe read(stream) { name in unsafe names.append([UInt8](name)) }
    return names
  }

  /// The same of a folder whose name stands in an array, with a zero byte at its end; so do the names that are given.
  static func names(below folder: FileDescriptor, _ names: [UInt8], at offset: Int) throws(Errno) -> [UInt8] {
    let file = try unsafe withName(names, offset) { unsafe folderFile(folder, $0) }
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

  /// A descriptor, or -1 with `errno`.
  private static func folderFile(_ folder: FileDescriptor, _ name: UnsafePointer<CChar>) -> CInt {
    while true {
      let file = unsafe openat(folder.rawValue, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // Only some calls of the system are begun again by themselves.
      if file >= 0 || errno != EINTR { return file }
    }
  }

  /// Of what has that name below the folder, in an array with a zero byte at its end.
  static func status(
    _ folder: FileDescriptor, _ names: [UInt8], at offset: Int, followingLinks: Bool
  ) throws(Errno) -> FileStamp {
    let found = try unsafe withName(names, offset) { name -> Result<FileStamp, Errno> in
      do throws(Errno) {
        return .success(
          FileStamp(try unsafe Stat(name, relativeTo: folder, flags: followingLinks ? [] : .symlinkNoFollow)))
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
  static func status(_ folder: FileDescriptor, _ name: FilePath.Component) throws(Errno) -> FileStamp? {
    let found = unsafe name.withPlatformString { name -> Result<FileStamp, Errno> in
      do throws(Errno) {
        return .success(FileStamp(try unsafe Stat(name, relativeTo: folder, flags: .symlinkNoFollow)))
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
    let file = unsafe folderFile(folder, ".")
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

  /// Whether the user who runs this may run it: a program, or a folder that can be gone into.
  static func canRun(_ path: FilePath) -> Bool {
    unsafe path.withPlatformString { unsafe access($0, X_OK) == 0 }
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
}
