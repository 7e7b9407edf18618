internal import Synchronization
package import SystemPackage

/// A named temporary file, locked (`flock`) through a descriptor that is passed on to other processes. The system
/// releases the lock when the last of them has ended or closed it, whatever has become of the process that made the
/// file. So a process that finds the file later can tell whether it is still in use.
package final class LockedFile: Sendable {
  package var path: FilePath { folder.path.pushing(name) }
  /// Open for reading, and for writing at the end; valid as long as this is kept.
  package var file: FileDescriptor { state.withLock { $0.file } }
  private let folder: OpenFolder
  private let name: FilePath
  private let state: Mutex<(file: FileDescriptor, staysWhileHeld: Bool)>

  /// In bytes; reserved so that a command can report a full disk.
  private static let reserve = 4096

  /// Named after this process. Throws, if the disk is full.
  package init(in folder: OpenFolder) throws(FileError) {
    let (file, name) = try folder.createNew(
      .append, permissions: FileSystem.privateFile, doing: "make a temporary file in", folder.path
    ) { "\(SystemCalls.processID)-\($0)\(LockedFile.suffix)" }
    (self.folder, self.name) = (folder, name)
    state = Mutex((file, false))
    try FileError.wrap(path, doing: "write", try SystemCalls.reserve(file, LockedFile.reserve))
    // The lock is free, because the file is new.
    try FileError.wrap(path, doing: "lock", unless: LockedFile.lockless, try SystemCalls.tryLock(file))
  }

  /// All of it, or, if that is more than `limit` bytes, half of that from its beginning and half from its end.
  package func kept(limit: Int) throws(FileError) -> [UInt8] {
    let size = try FileSystem.status(file, path).size
    guard size > Int64(limit) else { return try FileSystem.read(file, path, at: 0, count: Int(size)) }
    let half = limit / 2
    let head = try FileSystem.read(file, path, at: 0, count: half)
    let tail = try FileSystem.read(file, path, at: size - Int64(half), count: half)
    return head + Array("\n… \(size - 2 * Int64(half)) bytes are left out here …\n".utf8) + tail
  }

  /// The reason why no more can be written (a full disk, a limit), so that output may be missing; nil if there is none.
  package func obstacle() -> Errno? {
    guard let size = try? FileSystem.status(file, path).size else { return nil }
    defer { try? file.resize(to: size) }
    do throws(Errno) {
      // It writes a whole page, since a part of one may still fit.
      try SystemCalls.write(file, [UInt8](repeating: 0, count: 4096), at: nil)
      return nil
    } catch {
      return error
    }
  }

  /// Empties it for the next use if no other process still has it; else false. Making and removing a file each time
  /// would cost some file systems (ext4) more time than many short commands take.
  package func clear() -> Bool {
    guard let new = try? SystemCalls.open(name, in: folder.file, .readWrite, .append) else { return false }
    // The lock belongs to the old descriptor and all its copies; while any is open, the new one gets no lock.
    try? file.close()
    state.withLock { $0.file = new }
    guard (try? SystemCalls.tryLock(new)) == true, let own = try? Stat(new),
      let named = try? Stat(name, relativeTo: folder.file, flags: .symlinkNoFollow), named.inode == own.inode
    else { return false }
    return (own.size == 0 || (try? new.resize(to: 0)) != nil)
      && (try? SystemCalls.reserve(new, LockedFile.reserve)) != nil
  }

  /// When this object is released, the file is removed only if no other process holds it.
  package func stayWhileHeld() { state.withLock { $0.staysWhileHeld = true } }

  deinit {
    let (file, staysWhileHeld) = state.withLock { $0 }
    try? file.close()
    var stays = staysWhileHeld && (try? LockedFile.isHeld(folder, name)) == true
    // A child that another thread starts holds all files until its program begins.
    for _ in 0..<LockedFile.attempts where stays {
      ChildProcess.pause(milliseconds: 2)
      stays = (try? LockedFile.isHeld(folder, name)) == true
    }
    if !stays { try? SystemCalls.remove(name, in: folder.file) }
  }

  private static let attempts = 30
  private static let suffix = ".held.npi-tmp"
  /// The errors of a file system without locks, where holders are unknown and all else works.
  private static var lockless: [Errno] { [.notSupported, .noLocks] }
}

extension LockedFile {
  /// The files of this kind in a folder, and the number of the process that made each.
  package static func all(in folder: OpenFolder) throws(FileError) -> [(name: FilePath, maker: Int32?)] {
    try folder.names().filter { $0.string.hasSuffix(suffix) }.map { name in
      (FilePath(name), Int32(name.string.prefix { $0 != "-" }))
    }
  }

  /// Whether any process still holds it; false for anything but a plain file.
  package static func isHeld(_ folder: OpenFolder, _ name: FilePath) throws(FileError) -> Bool {
    let path = folder.path.pushing(name)
    let found = try FileError.wrap(
      path, doing: "open", unless: [.noSuchFileOrDirectory],
      try Stat(name, relativeTo: folder.file, flags: .symlinkNoFollow).type == .regular
        ? SystemCalls.open(name, in: folder.file, .readWrite) : nil)
    guard let file = found ?? nil else { return false }
    defer { try? file.close() }
    return try FileError.wrap(path, doing: "lock", unless: lockless, try !SystemCalls.tryLock(file)) ?? false
  }

  /// The processes that have it open, by number; Linux lists them among the user's own processes (`/proc/N/fd`). With
  /// `printing`, only those whose standard output or error it is; others may only read it.
  package static func holders(of path: FilePath, printing: Bool = false) -> [RunningProcess] {
    guard let own = try? FileSystem.status(of: path), let names = try? FileSystem.list("/proc") else { return [] }
    var found: [RunningProcess] = []
    for name in names {
      guard let number = Int32(name.string), number != SystemCalls.processID else { continue }
      let folder = FilePath("/proc").appending(name)
      let files = printing ? ["1", "2"] : (try? FileSystem.list(folder.appending("fd"))) ?? []
      let holds = files.contains { file in
        let status = try? FileSystem.status(of: folder.appending("fd").appending(file), followingLinks: true)
        return status?.inode == own.inode && status?.device == own.device
      }
      guard holds else { continue }
      let program = (try? FileSystem.read(folder.appending("comm"), limit: 64)) ?? []
      let text = String(decoding: program.prefix { $0 != 0x0A }, as: UTF8.self)
      found.append(RunningProcess(number: number, program: text))
    }
    return found.sorted { $0.number < $1.number }
  }
}
