package import SystemPackage

/// A folder that stays open: for looking at many things below it, and for changing what is below it and nothing else.
///
/// What is changed is reached name by name from the open folder, and no name on the way may be a link (`openat` with
/// `O_NOFOLLOW`). So a tree that somebody else made cannot lead a write or a removal out of itself, whatever it holds and
/// whatever is exchanged meanwhile.
package final class OpenFolder: Sendable {
  package let path: FilePath
  let file: FileDescriptor

  /// Links in the path are followed: it is the user's own word.
  package init(_ path: FilePath) throws(FileError) {
    self.path = path
    do { file = try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec]) } catch {
      throw FileError(path, doing: "open", code: error as? Errno ?? .ioError)
    }
  }

  private init(_ path: FilePath, _ file: FileDescriptor) {
    self.path = path
    self.file = file
  }

  deinit { try? file.close() }

  // MARK: Looking at many things

  // Names are relative to the folder or absolute; they stand in an array, each with a zero byte at its end.

  /// As `FileSystem.status`.
  package func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStamp? {
    do throws(Errno) {
      return try SystemCalls.status(file, names, at: offset, followingLinks: followingLinks)
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw FileError(path, doing: "look into", code: error)
    }
  }

  /// The names in a folder without `.` and `..`, in the order of the file system, each with a zero byte at its end.
  package func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8] {
    return try FileError.wrap(path, doing: "look into", try SystemCalls.names(below: file, names, at: offset))
  }
}

// Ways to what is below.
extension OpenFolder {
  /// Something below a folder: the open folder that it lies in, and its name there.
  struct Spot {
    let folder: OpenFolder
    let name: FilePath.Component

    var path: FilePath { folder.path.appending(name) }
  }

  /// Where a path leads: relative to this folder, or absolute and below it. `making`: the folders above it, too. Nil if
  /// one of these is not there.
  func spot(_ path: FilePath, making: Bool = false) throws(FileError) -> Spot? {
    var names = Array(try relative(path).components)
    guard let name = names.popLast() else {
      throw FileError(path, doing: "change", reason: "it is the whole tree")
    }
    guard let folder = try folder(names[...], making: making) else { return nil }
    return Spot(folder: folder, name: name)
  }

  /// The folder at a path; nil if it is not there.
  package func folder(_ path: FilePath, making: Bool = false) throws(FileError) -> OpenFolder? {
    try folder(Array(try relative(path).components)[...], making: making)
  }

  private func relative(_ path: FilePath) throws(FileError) -> FilePath {
    var relative = path
    // A relative path is one from here, unless this folder's own is one, too.
    if path.isAbsolute || self.path.isRelative, !relative.removePrefix(self.path) || relative.isAbsolute {
      throw FileError(path, doing: "change", reason: "it lies outside of \(self.path)")
    }
    guard relative.components.allSatisfy({ $0.kind == .regular }) else {
      throw FileError(path, doing: "change", reason: "there is '..' in its path")
    }
    return relative
  }

  private func folder(_ names: ArraySlice<FilePath.Component>, making: Bool) throws(FileError) -> OpenFolder? {
    var folder = self
    for name in names {
      guard let next = try folder.child(name, making: making) else { return nil }
      folder = next
    }
    return folder
  }

  private func child(_ name: FilePath.Component, making: Bool) throws(FileError) -> OpenFolder? {
    let path = self.path.appending(name)
    do throws(Errno) {
      return OpenFolder(path, try SystemCalls.openFolder(file, name))
    } catch {
      guard error == .noSuchFileOrDirectory, making else {
        if error == .noSuchFileOrDirectory { return nil }
        throw obstacle(name, error)
      }
    }
    do throws(Errno) { try SystemCalls.makeFolder(file, name) } catch {
      // Somebody else may have made it in between.
      if error != .fileExists { throw FileError(path, doing: "make the folder", code: error) }
    }
    do throws(Errno) { return OpenFolder(path, try SystemCalls.openFolder(file, name)) } catch {
      throw obstacle(name, error)
    }
  }

  /// Why there is no way through a name.
  private func obstacle(_ name: FilePath.Component, _ code: Errno) -> FileError {
    let path = self.path.appending(name)
    // The systems do not agree on the number for a link.
    switch (try? SystemCalls.status(file, name))??.kind {
    case .symlink: return FileError.link(path)
    case .file, .other:
      return FileError(
        path, doing: "make the folder", reason: "a file is in its place", hint: "move or remove that file")
    case .folder, nil: return FileError(path, doing: "open", code: code)
    }
  }
}

extension FileError {
  /// A link where a folder or a file of a tree must be.
  package static func link(_ path: FilePath) -> FileError {
    let target = (try? FileSystem.linkTarget(path)).map { " to \($0)" } ?? ""
    return FileError(
      path, doing: "write or remove anything through", reason: "it is a link\(target)",
      hint: "put a folder in the link's place, or name another output")
  }
}

// What is changed below.
extension OpenFolder {
  /// As `FileSystem.makeFolders`.
  package func makeFolders(_ path: FilePath) throws(FileError) { _ = try folder(path, making: true) }

  /// As `FileSystem.remove`.
  package func remove(_ path: FilePath) throws(FileError) {
    if let spot = try spot(path) { try spot.folder.remove(spot.name) }
  }

  /// Removes a folder in which nothing is; one that has something in it stays.
  package func removeEmpty(_ path: FilePath) throws(FileError) {
    guard let spot = try spot(path) else { return }
    do throws(Errno) { try SystemCalls.remove(spot.folder.file, spot.name, isFolder: true) } catch {
      guard [.noSuchFileOrDirectory, .directoryNotEmpty, .fileExists].contains(error) else {
        throw FileError(path, doing: "remove", code: error)
      }
    }
  }

  private func remove(_ name: FilePath.Component) throws(FileError) {
    guard let status = try status(name) else { return }
    if status.kind == .folder, let folder = try child(name, making: false) {
      for name in try folder.names() { try folder.remove(name) }
    }
    do throws(Errno) { try SystemCalls.remove(file, name, isFolder: status.kind == .folder) } catch {
      if error != .noSuchFileOrDirectory { throw FileError(path.appending(name), doing: "remove", code: error) }
    }
  }

  /// As `FileSystem.rename`.
  package func rename(_ path: FilePath, to target: FilePath) throws(FileError) {
    guard let from = try spot(path), let to = try spot(target) else {
      throw FileError(target, doing: "rename \(path) to", code: .noSuchFileOrDirectory)
    }
    try FileError.wrap(
      target, doing: "rename \(path) to",
      try SystemCalls.rename(from.folder.file, from.name, to: to.folder.file, to.name))
  }

  /// As `FileSystem.makeLink`.
  package func makeLink(_ path: FilePath, to target: FilePath) throws(FileError) {
    guard let spot = try spot(path) else {
      throw FileError(path, doing: "make the link", code: .noSuchFileOrDirectory)
    }
    try FileError.wrap(path, doing: "make the link", try SystemCalls.makeLink(spot.folder.file, spot.name, to: target))
  }

  /// As `FileSystem.write`.
  package func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    var file = try OutputFile.create(path, below: self)
    try file.write(bytes)
    try file.commit()
  }

  /// Adds to the end of a plain file, which is made if it is not there. Not synced: what matters must say when it is whole.
  package func append(_ path: FilePath, _ bytes: [UInt8], permissions: UInt16 = 0o666) throws(FileError) {
    let file = try open(path, .writeOnly, [.append, .create], permissions: permissions)
    defer { try? file.close() }
    try FileError.wrap(path, doing: "write", try SystemCalls.write(file, bytes, at: nil))
  }

  /// Opens a plain file that has no other name: a link, and a second name of some file elsewhere, are refused. The caller
  /// closes it.
  func open(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
    permissions: UInt16 = 0o666
  ) throws(FileError) -> FileDescriptor {
    // Whoever makes a file makes its folder, too: somebody may just have removed it.
    guard let spot = try spot(path, making: options.contains(.create)) else {
      throw FileError(path, doing: "open", code: .noSuchFileOrDirectory)
    }
    let file: FileDescriptor
    do throws(Errno) {
      file = try SystemCalls.open(spot.folder.file, spot.name, mode.rawValue | options.rawValue, mode: permissions)
    } catch {
      if error == .tooManySymbolicLinkLevels { throw FileError.link(spot.path) }
      throw FileError(path, doing: "open", code: error)
    }
    do throws(FileError) {
      _ = try FileSystem.status(file, spot.path)
      let names = try FileSystem.access(file, spot.path).names
      guard names <= 1 else {
        throw FileError(
          path, doing: "write", reason: "it has \(names) names, of which others may lie elsewhere",
          hint: "remove that file")
      }
      return file
    } catch {
      try? file.close()
      throw error
    }
  }

  private func status(_ name: FilePath.Component) throws(FileError) -> FileStamp? {
    return try FileError.wrap(path.appending(name), doing: "look at", try SystemCalls.status(file, name))
  }

  /// Sorted by bytes.
  package func names() throws(FileError) -> [FilePath.Component] {
    do throws(Errno) {
      return try SystemCalls.names(in: file).sorted { $0.lexicographicallyPrecedes($1) }
        .compactMap { FilePath.Component(nameBytes: $0) }
    } catch {
      throw FileError(path, doing: "list", code: error)
    }
  }
}
