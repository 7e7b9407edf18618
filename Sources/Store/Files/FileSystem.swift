package import SystemPackage

/// Access to the file system. Every function throws a `FileError` that can be shown as it is.
package enum FileSystem {
  /// Nil if nothing is there, or if a followed link leads nowhere.
  package static func status(
    of path: FilePath, followingLinks: Bool = false
  ) throws(FileError) -> FileStamp? {
    let status = try FileError.wrap(
      path, doing: "look at", unless: .nothingThere, FileStamp(try Stat(path, followTargetSymlink: followingLinks)))
    Lookups.found(status, at: path, followingLinks: followingLinks)
    return status
  }

  /// Nil if nothing is there, or if a followed link leads nowhere.
  package static func access(
    of path: FilePath, followingLinks: Bool = false
  ) throws(FileError) -> FileAccess? {
    let stat = try FileError.wrap(
      path, doing: "look at", unless: .nothingThere, try Stat(path, followTargetSymlink: followingLinks))
    Lookups.found(stat.map(FileStamp.init), at: path, followingLinks: followingLinks)
    return stat.map(FileAccess.init)
  }

  /// The names in a folder, sorted by bytes. A name need not be UTF-8.
  package static func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
    let names = sorted(try FileError.wrap(folder, doing: "list", try SystemCalls.names(folder.pathBytes + [0])))
    Lookups.found(names, in: folder)
    return names
  }

  /// The names must be zero-terminated.
  static func sorted(_ names: [UInt8]) -> [FilePath.Component] {
    names.split(separator: 0).sorted { $0.lexicographicallyPrecedes($1) }
      .compactMap { FilePath.Component(nameBytes: Array($0)) }
  }

  /// In bytes; the default limit for reading a file into memory.
  package static let maxReadSize = 256 << 20

  /// The whole content. More than `limit` bytes is an error, so that a huge file cannot take all the memory.
  package static func read(_ path: FilePath, limit: Int = maxReadSize) throws(FileError) -> [UInt8] {
    let file = try open(path)
    defer { try? file.close() }
    return try read(file, path, limit: limit)
  }

  /// The whole content of an open file, from its start.
  package static func read(
    _ file: FileDescriptor, _ path: FilePath, limit: Int = maxReadSize
  ) throws(FileError) -> [UInt8] {
    let status = try self.status(file, path)
    guard status.size <= Int64(limit) else { throw tooLarge(path, limit) }
    do throws(Errno) {
      // The size is what the system claims (0 for some files): it sizes the first read only.
      var bytes = try SystemCalls.read(file, at: 0, atMost: Int(status.size) + 1)
      while !bytes.isEmpty {
        let more = try SystemCalls.read(file, at: Int64(bytes.count), atMost: 64 << 10)
        if more.isEmpty { break }
        bytes += more
        if bytes.count > limit { throw Errno.fileTooLarge }
      }
      return bytes
    } catch {
      throw error == .fileTooLarge ? tooLarge(path, limit) : FileError(path, doing: "read", code: error)
    }
  }

  /// The digest of the content. A file that changes meanwhile is an error, because that content may never have existed.
  package static func digest(of path: FilePath) throws(FileError) -> Digest {
    let file = try open(path)
    defer { try? file.close() }
    return try digest(of: file, path)
  }

  /// The same for an open file, from its start. `path` is for error messages.
  package static func digest(of file: FileDescriptor, _ path: FilePath) throws(FileError) -> Digest {
    let before = try status(file, path)
    var hash = DigestBuilder()
    let count: Int64
    do throws(SystemCalls.CopyFailure) {
      let block = Int(min(max(before.size, 1), 256 << 10))
      count = try SystemCalls.hash(file, blocksOf: block, into: &hash)
    } catch {
      throw FileError(path, doing: "read", code: error.code)
    }
    try checkSame(before, file, path, count: count, doing: "read")
    return hash.finish()
  }

  /// Throws if an open file has changed since `before`, or if `count` bytes are not all of it.
  static func checkSame(
    _ before: FileStamp, _ file: FileDescriptor, _ path: FilePath, count: Int64, doing: String
  ) throws(FileError) {
    let after = try status(file, path)
    guard count == before.size, after.size == before.size, after.modified == before.modified else {
      throw FileError(
        path, doing: doing, reason: "it was changed while it was being read",
        hint: "wait until nothing writes to it and run again")
    }
  }

  /// The absolute path of an existing file, without links.
  package static func realPath(_ path: FilePath) throws(FileError) -> FilePath {
    let real = try FileError.wrap(path, doing: "look at", try SystemCalls.realPath(path))
    Lookups.found(realPath: real, of: path)
    return real
  }

  /// Whether it is a program that the user may run.
  package static func isProgram(_ path: FilePath) -> Bool {
    guard let real = try? realPath(path), let status = try? status(of: real) else { return false }
    return status.kind == .regular && SystemCalls.canRun(real)
  }

  /// The first and the last bytes of a file, at most `most` of each.
  package static func ends(of path: FilePath, _ most: Int) throws(FileError) -> (head: [UInt8], tail: [UInt8]) {
    let file = try open(path)
    defer { try? file.close() }
    let size = try status(file, path).size
    let count = min(Int64(most), size)
    return (
      try read(file, path, at: 0, count: Int(count)), try read(file, path, at: size - count, count: Int(count))
    )
  }

  package static func linkTarget(_ path: FilePath) throws(FileError) -> FilePath {
    let target = try FileError.wrap(path, doing: "read the link", try SystemCalls.linkTarget(path))
    if Lookups.isRecorded { _ = try status(of: path) }
    // The system never gives a target with a zero byte.
    return FilePath(pathBytes: target) ?? FilePath()
  }

  /// Opens for reading, without blocking on a pipe.
  static func open(_ path: FilePath) throws(FileError) -> FileDescriptor {
    let file = try FileError.wrap(path, doing: "open", try SystemCalls.open(path, followingLinks: true))
    Lookups.found((try? Stat(file)).map(FileStamp.init), at: path, followingLinks: true)
    return file
  }

  /// The status of an open file, which must be a plain one.
  static func status(_ file: FileDescriptor, _ path: FilePath) throws(FileError) -> FileStamp {
    let status = try FileError.wrap(path, doing: "look at", FileStamp(try Stat(file)))
    guard status.kind == .regular else {
      throw FileError(path, doing: "read", reason: status.kind == .directory ? "it is a folder" : "it is not a file")
    }
    return status
  }

  /// `count` bytes of an open file from `offset` on, fewer at the end.
  static func read(
    _ file: FileDescriptor, _ path: FilePath, at offset: Int64, count: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let (start, most) = (offset + Int64(bytes.count), count - bytes.count)
      let more = try FileError.wrap(path, doing: "read", try SystemCalls.read(file, at: start, atMost: most))
      if more.isEmpty { break }
      if bytes.isEmpty { bytes = more } else { bytes += more }
    }
    return bytes
  }

  private static func tooLarge(_ path: FilePath, _ limit: Int) -> FileError {
    let most = limit % (1 << 20) == 0 ? "\(limit >> 20) MB" : "\(limit) bytes"
    return FileError(path, doing: "read", reason: "it is larger than \(most), which is the most that is expected of it")
  }
}
