internal import Synchronization
package import SystemPackage

/// A folder that stays open, for many lookups below it, and for changes below it and nowhere else.
///
/// Changed files are reached name by name from the open folder, and no name on the way may be a link (`openat` with
/// `O_NOFOLLOW`). So a foreign tree cannot direct a write or a removal outside itself, even if names are exchanged
/// meanwhile.
package final class OpenFolder: Sendable {
  package let path: FilePath
  let file: FileDescriptor

  /// Links in the path are followed, because the user gave it.
  package init(_ path: FilePath) throws(FileError) {
    self.path = path
    file = try FileError.wrap(
      path, doing: "open", try SystemCalls.open(path, .readOnly, .directory, followingLinks: true))
    Lookups.found((try? Stat(file)).map(FileStamp.init), at: path, followingLinks: true)
  }

  private init(_ path: FilePath, _ file: FileDescriptor) {
    self.path = path
    self.file = file
  }

  deinit { try? file.close() }

  // MARK: Many lookups

  // Names are relative to the folder or absolute, and zero-terminated in one array.

  /// As `FileSystem.status`.
  package func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStamp? {
    let status = try FileError.wrap(
      path, doing: "look into", unless: .nothingThere,
      try SystemCalls.status(file, names, at: offset, followingLinks: followingLinks))
    Lookups.found(status, at: place(names, at: offset), followingLinks: followingLinks)
    return status
  }

  /// The zero-terminated names in a folder without `.` and `..`, in the order of the file system.
  package func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8] {
    let listed = try FileError.wrap(path, doing: "look into", try SystemCalls.names(below: file, names, at: offset))
    Lookups.found(FileSystem.sorted(listed), in: place(names, at: offset))
    return listed
  }

  private func place(_ names: [UInt8], at offset: Int) -> FilePath {
    FilePath(pathBytes: names[offset...].prefix { $0 != 0 }).map { path.pushing($0) } ?? path
  }
}

extension OpenFolder {
  /// Something below a folder: the open folder that it lies in, and its name there.
  struct Spot {
    let folder: OpenFolder
    /// A path of one name.
    let name: FilePath

    var path: FilePath { folder.path.pushing(name) }
  }

  /// The spot of a path, relative to this folder or absolute and below it. Nil if a folder is missing and not made.
  func spot(_ path: FilePath, making: Bool = false) throws(FileError) -> Spot? {
    var names = Array(try relative(path).components)
    guard let name = names.popLast() else { throw FileError(path, doing: "change", reason: "it is the whole tree") }
    guard let folder = try folder(names[...], making: making) else { return nil }
    return Spot(folder: folder, name: FilePath(name))
  }

  /// The folder at a path; nil if it is not there.
  package func folder(_ path: FilePath, making: Bool = false) throws(FileError) -> OpenFolder? {
    try folder(Array(try relative(path).components)[...], making: making)
  }

  private func relative(_ path: FilePath) throws(FileError) -> FilePath {
    var relative = path
    // A relative path starts at this folder, unless this folder's own path is relative, too.
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
    while true {
      do throws(Errno) {
        let child = OpenFolder(
          path.appending(name), try SystemCalls.open(FilePath(name), in: file, .readOnly, .directory))
        Lookups.found((try? Stat(child.file)).map(FileStamp.init), at: child.path, followingLinks: false)
        return child
      } catch {
        Lookups.failed(at: path.appending(name), error)
        if error != .noSuchFileOrDirectory { throw obstacle(name, error) }
      }
      if !making { return nil }
      // Another process may have made it in between, or may remove it before it is opened.
      try FileError.wrap(
        path.appending(name), doing: "make the folder", unless: [.fileExists],
        try SystemCalls.makeFolder(FilePath(name), in: file))
    }
  }

  /// The error for a name that cannot be opened as a folder.
  private func obstacle(_ name: FilePath.Component, _ code: Errno) -> FileError {
    let path = self.path.appending(name)
    // The error number for a link differs between systems.
    switch (try? status(name))??.kind {
    case .symbolicLink: return FileError.link(path)
    case .directory, nil: return FileError(path, doing: "open", code: code)
    default: return FileError.fileInPlace(path)
    }
  }
}

extension FileError {
  static func fileInPlace(_ path: FilePath) -> FileError {
    FileError(path, doing: "make the folder", reason: "a file is in its place", hint: "move or remove that file")
  }

  /// A link where a folder or a file of a tree must be.
  package static func link(_ path: FilePath) -> FileError {
    let target = (try? FileSystem.linkTarget(path)).map { " to \($0)" } ?? ""
    return FileError(
      path, doing: "write or remove anything through", reason: "it is a link\(target)",
      hint: "put a folder in the link's place, or name another output")
  }
}

extension OpenFolder {
  /// As `FileSystem.makeFolders`.
  package func makeFolders(_ path: FilePath) throws(FileError) { _ = try folder(path, making: true) }

  /// As `FileSystem.remove`.
  package func remove(_ path: FilePath) throws(FileError) {
    if let spot = try spot(path), let name = spot.name.lastComponent { try spot.folder.remove(name) }
  }

  /// Removes a folder if it is empty.
  package func removeEmpty(_ path: FilePath) throws(FileError) {
    guard let spot = try spot(path) else { return }
    try FileError.wrap(
      path, doing: "remove", unless: [.noSuchFileOrDirectory, .directoryNotEmpty, .fileExists],
      try SystemCalls.remove(spot.name, in: spot.folder.file, isFolder: true))
  }

  private func remove(_ name: FilePath.Component) throws(FileError) {
    guard let status = try status(name) else { return }
    if status.kind == .directory, let folder = try child(name, making: false) {
      for name in try folder.names() { try folder.remove(name) }
    }
    try FileError.wrap(
      path.appending(name), doing: "remove", unless: [.noSuchFileOrDirectory],
      try SystemCalls.remove(FilePath(name), in: file, isFolder: status.kind == .directory))
  }

  /// Writes the names in the folder through to the disk.
  func sync() throws(FileError) {
    do throws(Errno) { try SystemCalls.sync(file) } catch {
      // Some file systems refuse to sync a folder; there it is of no use either.
      if error == .ioError || error == .noSpace { throw FileError(path, doing: "sync", code: error) }
    }
  }

  /// As `FileSystem.rename`.
  package func rename(_ path: FilePath, to target: FilePath) throws(FileError) {
    guard let from = try spot(path), let to = try spot(target) else {
      throw FileError(target, doing: "rename \(path) to", code: .noSuchFileOrDirectory)
    }
    try FileError.wrap(
      target, doing: "rename \(path) to",
      try SystemCalls.rename(from.name, in: from.folder.file, to: to.name, in: to.folder.file))
  }

  package func makeLink(_ path: FilePath, to target: FilePath) throws(FileError) {
    guard let spot = try spot(path) else { throw FileError(path, doing: "make the link", code: .noSuchFileOrDirectory) }
    try FileError.wrap(
      path, doing: "make the link", try SystemCalls.makeLink(spot.name, in: spot.folder.file, to: target))
  }

  /// As `FileSystem.write`.
  package func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    let file = try OutputFile.create(path, below: self)
    try file.write(bytes)
    try file.commit()
  }

  /// Appends to a plain file, which is made if it is missing. It is not synced: records must show if they are complete.
  package func append(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    try append(path, bytes, permissions: 0o666)
  }

  func append(_ path: FilePath, _ bytes: [UInt8], permissions: UInt16) throws(FileError) {
    let file = try open(path, .writeOnly, [.append, .create], permissions: permissions)
    defer { try? file.close() }
    try FileError.wrap(path, doing: "write", try SystemCalls.write(file, bytes, at: nil))
  }

  /// Opens a plain file, to be closed by the caller. A link, and a file that has a second name elsewhere, are refused.
  func open(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
    permissions: UInt16 = 0o666
  ) throws(FileError) -> FileDescriptor {
    // The folder is made, too, because another process may just have removed it.
    guard let spot = try spot(path, making: options.contains(.create)) else {
      throw FileError(path, doing: "open", code: .noSuchFileOrDirectory)
    }
    let file: FileDescriptor
    do throws(Errno) {
      file = try SystemCalls.open(spot.name, in: spot.folder.file, mode, options, permissions: permissions)
    } catch {
      if error == .tooManySymbolicLinkLevels { throw FileError.link(spot.path) }
      let isFolderGone = error == .noSuchFileOrDirectory && options.contains(.create) && spot.folder !== self
      if isFolderGone { return try open(path, mode, options, permissions: permissions) }
      Lookups.failed(at: spot.path, error)
      throw FileError(path, doing: "open", code: error)
    }
    Lookups.found((try? Stat(file)).map(FileStamp.init), at: spot.path, followingLinks: false)
    do throws(FileError) {
      _ = try FileSystem.status(file, spot.path)
      let names = try FileError.wrap(spot.path, doing: "look at", FileAccess(try Stat(file))).names
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

  /// The status of a path of one name; a link is not followed.
  func status(_ name: FilePath) throws(FileError) -> FileStamp? {
    try name.lastComponent.flatMap { (name) throws(FileError) in try status(name) }
  }

  private func status(_ name: FilePath.Component) throws(FileError) -> FileStamp? {
    let status = try FileError.wrap(
      path.appending(name), doing: "look at", unless: [.noSuchFileOrDirectory],
      FileStamp(try Stat(FilePath(name), relativeTo: file, flags: .symlinkNoFollow)))
    Lookups.found(status, at: path.appending(name), followingLinks: false)
    return status
  }

  /// Creates a file under a new name, which `name` makes of a number. `path` is for error messages.
  func createNew(
    _ options: FileDescriptor.OpenOptions = [], permissions: UInt16, doing: String, _ path: FilePath,
    name: (Int) -> String
  ) throws(FileError) -> (file: FileDescriptor, name: FilePath) {
    while true {
      let name = FilePath(name(OpenFolder.counter.wrappingAdd(1, ordering: .relaxed).newValue))
      // The name is taken if a killed process with our number left a file.
      if let file = try FileError.wrap(
        path, doing: doing, unless: [.fileExists],
        try SystemCalls.open(
          name, in: self.file, .readWrite, [.create, .exclusiveCreate, options], permissions: permissions))
      {
        return (file, name)
      }
    }
  }

  /// Makes a folder under a new name, as `createNew` does for a file.
  func createNewFolder(doing: String, _ path: FilePath, name: (Int) -> String) throws(FileError) -> FilePath {
    while true {
      let name = FilePath(name(OpenFolder.counter.wrappingAdd(1, ordering: .relaxed).newValue))
      do throws(Errno) {
        try SystemCalls.makeFolder(name, in: file)
        return name
      } catch {
        if error != .fileExists { throw FileError(path, doing: doing, code: error) }
      }
    }
  }

  private static let counter = Atomic<Int>(0)

  /// Sorted by bytes.
  package func names() throws(FileError) -> [FilePath.Component] {
    let names = FileSystem.sorted(
      try FileError.wrap(path, doing: "list", try SystemCalls.names(below: file, [0x2E, 0])))
    Lookups.found(names, in: path)
    return names
  }
}
