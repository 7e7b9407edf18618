package import SystemPackage

extension FileSystem {
  /// Makes the folder and those above it that are missing, with these permission bits as far as the umask allows.
  package static func makeFolders(_ path: FilePath, mode: UInt16 = 0o777) throws(FileError) {
    do throws(Errno) { try SystemCalls.makeFolder(path, mode: mode) } catch {
      switch error {
      case .noSuchFileOrDirectory where !path.removingLastComponent().isEmpty && path.lastComponent != nil:
        try makeFolders(path.removingLastComponent(), mode: mode)
        // Another process may have made it in between.
        try FileError.wrap(
          path, doing: "make the folder", unless: [.fileExists], try SystemCalls.makeFolder(path, mode: mode))
      case .fileExists:
        guard try status(of: path, followingLinks: true)?.kind == .directory else { throw FileError.fileInPlace(path) }
      default: throw FileError(path, doing: "make the folder", code: error)
      }
    }
  }

  /// Removes a file, a link (never its target) or a folder with its contents. A missing path is no error.
  package static func remove(_ path: FilePath) throws(FileError) {
    guard let isFolder = try status(of: path).map({ $0.kind == .directory }) else { return }
    if isFolder { for name in try list(path) { try remove(path.appending(name)) } }
    try FileError.wrap(
      path, doing: "remove", unless: [.noSuchFileOrDirectory], try SystemCalls.remove(path, isFolder: isFolder))
  }

  package static func setMode(_ path: FilePath, _ mode: UInt16) throws(FileError) {
    try FileError.wrap(path, doing: "change the permissions of", try SystemCalls.setMode(path, mode))
  }

  /// Renames on the same disk; an existing file of that name is replaced atomically.
  package static func rename(_ path: FilePath, to target: FilePath) throws(FileError) {
    try FileError.wrap(target, doing: "rename \(path) to", try SystemCalls.rename(path, to: target))
  }

  /// Replaces a file's whole content atomically.
  package static func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    let file = try OutputFile.create(path)
    try file.write(bytes)
    try file.commit()
  }

  /// Like `write`, but unsynced and readable for this user alone.
  static func writePrivately(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    let file = try OutputFile.create(path, in: try OpenFolder(path.removingLastComponent()), mode: privateFile)
    try file.write(bytes)
    try file.commitUnsynced()
  }

  /// Appends to a plain file, which is made if it is missing. It is not synced: records must show if they are complete.
  static func appendPrivately(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    try OpenFolder(path.removingLastComponent()).append(path, bytes, permissions: privateFile)
  }

  static let (privateFolder, privateFile) = (UInt16(0o700), UInt16(0o600))

  package static func sync(file path: FilePath) throws(FileError) {
    let file = try open(path)
    defer { try? file.close() }
    try FileError.wrap(path, doing: "sync", try SystemCalls.sync(file))
  }
}
