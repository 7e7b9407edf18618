internal import Synchronization
package import SystemPackage

/// A temporary file with a name, locked (`flock`) through a descriptor that is handed on to other processes: the system
/// gives the lock back when the last of them has ended or closed it, whatever has become of the one that made the file.
/// Somebody who finds the file later can so tell whether anybody still has it.
package struct LockedFile: ~Copyable {
  package var path: FilePath { folder.path.appending(name) }
  /// Open for reading, and for writing at the end; valid as long as this is kept.
  package private(set) var file: FileDescriptor
  private let folder: OpenFolder
  private let name: FilePath.Component
  private var staysWhileHeld = false

  private init(folder: OpenFolder, name: FilePath.Component, file: FileDescriptor) {
    self.folder = folder
    self.name = name
    self.file = file
  }

  /// Named after this process.
  package static func create(in folder: OpenFolder) throws(FileError) -> LockedFile {
    while true {
      let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
      guard let name = FilePath.Component("\(SystemCalls.processID)-\(number)\(suffix)") else { continue }
      let file: FileDescriptor
      do throws(Errno) {
        file = try open(folder, name, [.create, .exclusiveCreate, .append], mode: 0o600)
      } catch {
        if error == .fileExists { continue }
        throw FileError(folder.path, doing: "make a temporary file in", code: error)
      }
      do throws(Errno) {
        // Nobody else can have it yet. A file system without locks: then nobody can tell, and all else works.
        _ = try SystemCalls.tryLock(file)
      } catch {
        if error != .notSupported && error != .noLocks {
          try? file.close()
          throw FileError(folder.path.appending(name), doing: "lock", code: error)
        }
      }
      return LockedFile(folder: folder, name: name, file: file)
    }
  }

  private static func open(
    _ folder: OpenFolder, _ name: FilePath.Component, _ options: FileDescriptor.OpenOptions, mode: UInt16 = 0
  ) throws(Errno) -> FileDescriptor {
    try SystemCalls.open(
      folder.file, name, FileDescriptor.AccessMode.readWrite.rawValue | options.rawValue, mode: mode)
  }

  package func size() throws(FileError) -> Int64 { try FileSystem.status(file, path).size }

  /// `count` bytes from `offset` on, fewer at the end.
  package func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    try FileSystem.read(file, path, at: offset, count: count)
  }

  /// Why nothing more can be written to it (a full disk, a limit); nil if it can. What is written for that goes again.
  package func obstacle() -> Errno? {
    guard let size = try? size() else { return nil }
    defer { try? SystemCalls.cut(file, to: size) }
    do {
      // A page: a part of one may be there.
      try file.writeAll([UInt8](repeating: 0, count: 4096))
      return nil
    } catch {
      return error as? Errno
    }
  }

  /// Makes it as new, for the next one to hold, if nobody else has it any more; else false. A file that is made again and
  /// again, and removed each time, costs some file systems (ext4) more than many short commands take.
  package mutating func clear() -> Bool {
    guard let new = try? LockedFile.open(folder, name, [.append]) else { return false }
    // The lock is the old descriptor's, and that of all who have got it: if any has, the new one gets none.
    try? file.close()
    file = new
    do {
      guard try SystemCalls.tryLock(new),
        try SystemCalls.status(folder.file, name)?.inode == FileStamp(Stat(new)).inode
      else { return false }
      if try size() > 0 { try SystemCalls.cut(new, to: 0) }
      return true
    } catch {
      return false
    }
  }

  /// When this is dropped, the file is removed only if nobody else holds it then.
  package mutating func stayWhileHeld() { staysWhileHeld = true }

  deinit {
    try? file.close()
    let stays = staysWhileHeld && (try? LockedFile.isHeld(folder, name)) == true
    if !stays { try? SystemCalls.remove(folder.file, name, isFolder: false) }
  }

  private static let suffix = ".held.npi-tmp"
  private static let counter = Atomic<Int>(0)
}

// What others find.
extension LockedFile {
  /// The files of this kind in a folder, and the number of the process that made each.
  package static func all(in folder: OpenFolder) throws(FileError) -> [(name: FilePath.Component, maker: Int32?)] {
    try folder.names().filter { $0.string.hasSuffix(suffix) }.map { name in
      (name, Int32(name.string.prefix { $0 != "-" }))
    }
  }

  /// Whether any process has it still. What is no plain file is none of ours.
  package static func isHeld(_ folder: OpenFolder, _ name: FilePath.Component) throws(FileError) -> Bool {
    let path = folder.path.appending(name)
    let file: FileDescriptor
    do throws(Errno) {
      guard try SystemCalls.status(folder.file, name)?.kind == .file else { return false }
      file = try open(folder, name, [])
    } catch {
      if error == .noSuchFileOrDirectory { return false }
      throw FileError(path, doing: "open", code: error)
    }
    defer { try? file.close() }
    do throws(Errno) { return try !SystemCalls.tryLock(file) } catch {
      if error == .notSupported || error == .noLocks { return false }
      throw FileError(path, doing: "lock", code: error)
    }
  }

  /// The processes that have it open, by number, as far as the system says: Linux does, of one's own processes
  /// (`/proc/N/fd`).
  package static func holders(of path: FilePath) -> [RunningProcess] {
    guard let own = try? FileSystem.status(of: path), let names = try? FileSystem.list("/proc") else { return [] }
    var found: [RunningProcess] = []
    for name in names {
      guard let number = Int32(name.string), number != SystemCalls.processID else { continue }
      let folder = FilePath("/proc").appending(name)
      let files = (try? FileSystem.list(folder.appending("fd"))) ?? []
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

package struct RunningProcess: Sendable, Hashable {
  package let number: Int32
  /// The program's name, cut off by the system; empty if it is not known.
  package let program: String
}
