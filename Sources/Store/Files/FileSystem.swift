package import SystemPackage

/// The file system, as this tool uses it. Everything throws a `FileError` that can be shown as it is.
package enum FileSystem {
  /// What is at the path, or nil if nothing is. A link is not followed unless that is asked for; one that leads
  /// nowhere is then nothing.
  package static func status(
    of path: FilePath, followingLinks: Bool = false
  ) throws(FileError) -> FileStamp? {
    do throws(Errno) {
      return FileStamp(try Stat(path, followTargetSymlink: followingLinks))
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw FileError(path, doing: "look at", code: error)
    }
  }

  /// The names in a folder, sorted by bytes. A name need not be UTF-8.
  package static func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
    var names = try FileError.wrap(folder, doing: "list", try SystemCalls.names(in: folder))
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names.compactMap { FilePath.Component(nameBytes: $0) }
  }

  /// The whole content. More than `limit` bytes is an error, so that a huge file cannot take all the memory.
  package static func read(_ path: FilePath, limit: Int = 256 << 20) throws(FileError) -> [UInt8] {
    let file = try open(path)
    defer { try? file.close() }
    let status = try self.status(file, path)
    guard status.size <= Int64(limit) else { throw tooLarge(path, limit) }
    do throws(Errno) {
      // The size is what the system claims (0 for some files): it sizes the first read only.
      var bytes = try SystemCalls.read(file, atMost: Int(status.size) + 1)
      while !bytes.isEmpty {
        let more = try SystemCalls.read(file, atMost: 64 << 10)
        if more.isEmpty { break }
        bytes += more
        if bytes.count > limit { throw Errno.fileTooLarge }
      }
      return bytes
    } catch {
      throw error == .fileTooLarge ? tooLarge(path, limit) : FileError(path, doing: "read", code: error)
    }
  }

  /// The digest of the content, read in blocks. A file that changes meanwhile is an error: its digest would name a
  /// content that never was.
  package static func digest(of path: FilePath) throws(FileError) -> Digest {
    let file = try open(path)
    defer { try? file.close() }
    let before = try status(file, path)
    var hash = DigestBuilder()
    let count: Int64
    do throws(SystemCalls.CopyFailure) {
      let block = Int(min(max(before.size, 1), 256 << 10))
      count = try SystemCalls.hash(file, blocksOf: block, into: &hash)
    } catch {
      switch error {
      case .reading(let code), .writing(let code): throw FileError(path, doing: "read", code: code)
      }
    }
    let after = try status(file, path)
    guard count == before.size, after.size == before.size, after.modified == before.modified else {
      throw FileError(
        path, doing: "read", reason: "it was changed while it was being read",
        hint: "wait until nothing writes to it and run again")
    }
    return hash.finish()
  }

  /// The absolute path of something that is there, without links.
  package static func realPath(_ path: FilePath) throws(FileError) -> FilePath {
    return try FileError.wrap(path, doing: "look at", try SystemCalls.realPath(path))
  }

  /// Whether it is a program that the user may run.
  package static func isProgram(_ path: FilePath) -> Bool {
    guard let real = try? realPath(path), let status = try? status(of: real) else { return false }
    return status.kind == .file && SystemCalls.canRun(real)
  }

  /// The text of a symbolic link.
  package static func linkTarget(_ path: FilePath) throws(FileError) -> FilePath {
    do throws(Errno) {
      // The system never gives a target with a zero byte.
      return FilePath(pathBytes: try SystemCalls.linkTarget(path)) ?? FilePath()
    } catch {
      throw FileError(path, doing: "read the link", code: error)
    }
  }

  /// Opens for reading. Not blocking: a pipe in the tree must not stop a build.
  static func open(_ path: FilePath) throws(FileError) -> FileDescriptor {
    do {
      return try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw FileError(path, doing: "open", code: error as? Errno ?? .ioError)
    }
  }

  /// The status of an open file, which must be a plain one.
  static func status(_ file: FileDescriptor, _ path: FilePath) throws(FileError) -> FileStamp {
    let status: FileStamp
    do throws(Errno) { status = FileStamp(try Stat(file)) } catch {
      throw FileError(path, doing: "look at", code: error)
    }
    guard status.kind == .file else {
      throw FileError(path, doing: "read", reason: status.kind == .folder ? "it is a folder" : "it is not a file")
    }
    return status
  }

  /// `count` bytes of an open file from `offset` on, fewer at the end.
  static func read(
    _ file: FileDescriptor, _ path: FilePath, at offset: Int64, count: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(Errno) {
      while bytes.count < count {
        let more = try SystemCalls.read(file, at: offset + Int64(bytes.count), atMost: count - bytes.count)
        if more.isEmpty { break }
        bytes += more
      }
    } catch {
      throw FileError(path, doing: "read", code: error)
    }
    return bytes
  }

  private static func tooLarge(_ path: FilePath, _ limit: Int) -> FileError {
    let most = limit % (1 << 20) == 0 ? "\(limit >> 20) MB" : "\(limit) bytes"
    return FileError(path, doing: "read", reason: "it is larger than \(most), which is the most that is expected of it")
  }
}
