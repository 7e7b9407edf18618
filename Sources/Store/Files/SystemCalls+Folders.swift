import CLibrary
import CPlatform
package import SystemPackage

// Folders and names.
extension SystemCalls {
  /// The working folder of this process, for relative paths where no folder is named.
  static var here: FileDescriptor { FileDescriptor(rawValue: AT_FDCWD) }

  /// The zero-terminated names in a folder without `.` and `..`, in the order of the file system. The folder's own name
  /// is zero-terminated in `names`, and relative to the open folder.
  static func names(
    below folder: FileDescriptor = here, _ names: [UInt8], at offset: Int = 0
  ) throws(Errno) -> [UInt8] {
    let file = try unsafe withName(names, offset) { (name) throws(Errno) in
      try descriptor(unsafe openat(folder.rawValue, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }
    guard let stream = unsafe fdopendir(file.rawValue) else {
      let code = Errno(rawValue: errno)
      try? file.close()
      throw code
    }
    defer { unsafe closedir(stream) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { throw .notSupported }
    var found: [UInt8] = []
    while true {
      // Only `errno` tells the end from a failure.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        return found
      }
      // `pointee` would read too much: the record is as long as its name, the type as long as the longest name.
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
      let name = unsafe UnsafeRawBufferPointer(start: start, count: length)
      if unsafe length <= 2 && name.allSatisfy({ $0 == 0x2E }) { continue }
      unsafe found.append(contentsOf: name)
      found.append(0)
    }
  }

  /// Repeats a call that a signal interrupted; the system itself repeats only some.
  private static func descriptor(_ call: @autoclosure () -> CInt) throws(Errno) -> FileDescriptor {
    while true {
      let file = call()
      if file >= 0 { return FileDescriptor(rawValue: file) }
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
  }

  /// The status of a name below the folder. The name is zero-terminated in the array.
  static func status(
    _ folder: FileDescriptor, _ names: [UInt8], at offset: Int, followingLinks: Bool
  ) throws(Errno) -> FileStamp {
    try unsafe withName(names, offset) { (name) throws(Errno) in
      FileStamp(try unsafe Stat(name, relativeTo: folder, flags: followingLinks ? [] : .symlinkNoFollow))
    }
  }

  /// Checks that the name has a zero byte, because the system reads up to one.
  private static func withName<R>(
    _ names: [UInt8], _ offset: Int, _ body: (UnsafePointer<CChar>) throws(Errno) -> R
  ) throws(Errno) -> R {
    try unsafe names.withUnsafeBufferPointer { (bytes) throws(Errno) in
      guard let start = bytes.baseAddress, offset >= 0, offset < bytes.count else { throw .invalidArgument }
      let name = unsafe UnsafeRawPointer(start).advanced(by: offset)
      guard unsafe memchr(name, 0, bytes.count - offset) != nil else { throw .invalidArgument }
      return try unsafe body(name.assumingMemoryBound(to: CChar.self))
    }
  }

  // Calls below an open folder, which stays the same folder whatever happens to its path.

  static func makeFolder(_ path: FilePath, in folder: FileDescriptor = here, mode: UInt16 = 0o777) throws(Errno) {
    try check(unsafe path.withPlatformString { unsafe mkdirat(folder.rawValue, $0, mode_t(mode)) })
  }

  /// Follows a link in the last name only with `followingLinks`, and never waits for the other end of a pipe.
  static func open(
    _ path: FilePath, in folder: FileDescriptor = here, _ mode: FileDescriptor.AccessMode = .readOnly,
    _ options: FileDescriptor.OpenOptions = [], permissions: UInt16 = 0o666, followingLinks: Bool = false
  ) throws(Errno) -> FileDescriptor {
    let flags = mode.rawValue | options.rawValue | O_NONBLOCK | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    return try descriptor(
      unsafe path.withPlatformString { unsafe openat(folder.rawValue, $0, flags, mode_t(permissions)) })
  }

  static func remove(_ path: FilePath, in folder: FileDescriptor = here, isFolder: Bool = false) throws(Errno) {
    try check(unsafe path.withPlatformString { unsafe unlinkat(folder.rawValue, $0, isFolder ? AT_REMOVEDIR : 0) })
  }

  static func rename(
    _ path: FilePath, in folder: FileDescriptor = here, to new: FilePath, in target: FileDescriptor = here
  ) throws(Errno) {
    try check(
      unsafe path.withPlatformString { from in
        unsafe new.withPlatformString { to in unsafe renameat(folder.rawValue, from, target.rawValue, to) }
      })
  }

  /// Exchanges two names of a folder atomically. Not every file system can do it.
  static func exchange(_ one: FilePath, _ other: FilePath, in folder: FileDescriptor) throws(Errno) {
    try check(
      unsafe one.withPlatformString { one in
        unsafe other.withPlatformString { other in
          #if canImport(Darwin)
            unsafe renameatx_np(folder.rawValue, one, folder.rawValue, other, UInt32(RENAME_SWAP))
          #else
            // RENAME_EXCHANGE of linux/fs.h: a macro that Swift cannot see.
            unsafe renameat2(folder.rawValue, one, folder.rawValue, other, 2)
          #endif
        }
      })
  }

  static func makeLink(_ path: FilePath, in folder: FileDescriptor, to target: FilePath) throws(Errno) {
    try check(
      unsafe target.withPlatformString { to in
        unsafe path.withPlatformString { unsafe symlinkat(to, folder.rawValue, $0) }
      })
  }

  static func setMode(_ path: FilePath, _ mode: UInt16) throws(Errno) {
    try check(unsafe path.withPlatformString { unsafe chmod($0, mode_t(mode)) })
  }

  /// Adds a hard link; nothing may have the new name yet.
  static func addName(_ path: FilePath, _ new: FilePath) throws(Errno) {
    try check(unsafe path.withPlatformString { from in unsafe new.withPlatformString { unsafe link(from, $0) } })
  }

  static func setMode(_ file: FileDescriptor, _ mode: UInt16) throws(Errno) {
    try check(fchmod(file.rawValue, mode_t(mode)))
  }

  /// Whether the user may write to it, and run it: a program, or a folder that can be entered.
  static func canWrite(_ path: FilePath) -> Bool { may(path, W_OK) }
  static func canRun(_ path: FilePath) -> Bool { may(path, X_OK) }

  private static func may(_ path: FilePath, _ what: CInt) -> Bool {
    unsafe path.withPlatformString { unsafe access($0, what) == 0 }
  }

  /// The absolute path without links. It is made of bytes, because a folder's name need not be text.
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

extension FilePath {
  package init(_ name: Component) { self.init(root: nil, [name]) }
}
