internal import Synchronization
package import SystemPackage

/// A file that is written beside its final place and moved there atomically. Without `commit()` it leaves no trace.
package struct OutputFile: ~Copyable {
  package let path: FilePath
  /// Its place until then: in the same folder, with a name that begins with a dot and ends in `.npi-tmp`.
  package var temporaryPath: FilePath { folder.path.pushing(temporaryName) }

  let file: FileDescriptor
  /// It stays open, so that the rename happens in the folder where the file was made.
  private let folder: OpenFolder
  private let temporaryName: FilePath
  private var inPlace = false

  private init(path: FilePath, folder: OpenFolder, temporaryName: FilePath, file: FileDescriptor) {
    self.path = path
    self.folder = folder
    self.temporaryName = temporaryName
    self.file = file
    OutputFile.unfinished.withLock { _ = $0.insert(temporaryPath) }
  }

  /// Files and folders that are being written; a signal's handler removes them.
  static let unfinished = Mutex<Set<FilePath>>([])

  /// Removes all incomplete files and folders. Until the body has ended, no other one is begun or finished.
  package static func abandonAll(_ body: () -> Void) {
    unfinished.withLock { files in
      for file in files { try? FileSystem.remove(file) }
      body()
    }
  }

  /// The folder must exist. The mode follows the umask.
  package static func create(_ path: FilePath, executable: Bool = false) throws(FileError) -> OutputFile {
    let folder = path.removingLastComponent()
    return try create(path, in: try OpenFolder(folder.isEmpty ? "." : folder), mode: executable ? 0o777 : 0o666)
  }

  /// Creates a file below a folder without following links on the way. The folders above it are made.
  package static func create(
    _ path: FilePath, below root: OpenFolder, executable: Bool = false
  ) throws(FileError) -> OutputFile {
    guard let spot = try root.spot(path, making: true) else {
      throw FileError(path, doing: "write", code: .noSuchFileOrDirectory)
    }
    return try create(spot.path, in: spot.folder, mode: executable ? 0o777 : 0o666)
  }

  /// The file is in `folder`, on the same disk, until it is complete.
  static func create(_ path: FilePath, in folder: OpenFolder, mode: UInt16) throws(FileError) -> OutputFile {
    guard path.lastComponent != nil else {
      throw FileError(path, doing: "write", reason: "the name of a file is missing")
    }
    let (file, name) = try folder.createNew(permissions: mode, doing: "write", path) { number in
      ".\(number)-\(SystemCalls.processID).npi-tmp"
    }
    return OutputFile(path: path, folder: folder, temporaryName: name, file: file)
  }

  /// Appends.
  package func write(_ bytes: RawSpan) throws(FileError) {
    try FileError.wrap(path, doing: "write", try SystemCalls.write(file, bytes, at: nil))
  }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    try FileError.wrap(path, doing: "write", try SystemCalls.write(file, bytes, at: nil))
  }

  /// Parts of a file that several tasks write. They are valid as long as the file is kept.
  package struct Parts: Sendable {
    fileprivate let file: FileDescriptor
    fileprivate let path: FilePath

    /// Writes at an offset, and lets the disk begin with it if the file is to be synced.
    package func write(_ bytes: [UInt8], at offset: Int, lasts: Bool) throws(FileError) {
      try FileError.wrap(path, doing: "write", try SystemCalls.write(file, bytes, at: Int64(offset)))
      if lasts {
        try FileError.wrap(
          path, doing: "write", try SystemCalls.startSync(file, at: Int64(offset), bytes.count))
      }
    }
  }

  package var parts: Parts { Parts(file: file, path: path) }

  /// Writes through to the disk. `commit()` does it too.
  package func sync() throws(FileError) {
    try FileError.wrap(path, doing: "sync", try SystemCalls.sync(file))
  }

  /// Sets the permission bits, whatever the umask says.
  func setMode(_ mode: UInt16) throws(FileError) {
    try FileError.wrap(path, doing: "change the permissions of", try SystemCalls.setMode(file, mode))
  }

  /// Puts the file in its place, replacing an older one, and syncs it, so that it survives a loss of power.
  package consuming func commit() throws(FileError) {
    try sync()
    try rename()
    inPlace = true
    try folder.sync()
  }

  /// Like `commit`, but unsynced: for files that can be made again.
  package consuming func commitUnsynced() throws(FileError) {
    try rename()
    inPlace = true
  }

  private func rename() throws(FileError) {
    guard let name = path.lastComponent else { return }
    try FileError.wrap(
      path, doing: "write", try SystemCalls.rename(temporaryName, in: folder.file, to: FilePath(name), in: folder.file))
  }

  /// Removes leftovers of killed processes (`.npi-tmp`). The process `gone` has ended, even if its number is reused; 0 if
  /// none is known.
  package static func removeLeftovers(in folder: OpenFolder, of gone: Int32) throws(FileError) {
    for name in try folder.names() {
      guard let maker = maker(of: name) else { continue }
      guard maker == gone || maker == SystemCalls.processID || !SystemCalls.isRunning(maker) else { continue }
      try folder.remove(FilePath(name))
    }
  }

  /// The process number in `.3-1234.npi-tmp`, `1234-3.npi-tmp` (`TemporaryFile`), `1234-3.held.npi-tmp` (`LockedFile`).
  private static func maker(of name: FilePath.Component) -> Int32? {
    guard name.string.hasSuffix(".npi-tmp") else { return nil }
    let parts = name.string.split(separator: ".")[0].split(separator: "-")
    guard parts.count == 2, parts.allSatisfy({ Int($0) != nil }) else { return nil }
    return Int32(name.string.hasPrefix(".") ? parts[1] : parts[0])
  }

  /// Puts the file in a place on the same disk, unsynced. The folder is made if it is missing, for this user alone.
  consuming func commitPrivately(to place: FilePath) throws(FileError) {
    do {
      try FileSystem.rename(temporaryPath, to: place)
    } catch {
      guard error.code == .noSuchFileOrDirectory else { throw error }
      try FileSystem.makeFolders(place.removingLastComponent(), mode: FileSystem.privateFolder)
      try FileSystem.rename(temporaryPath, to: place)
    }
    inPlace = true
  }

  deinit {
    try? file.close()
    if !inPlace { try? SystemCalls.remove(temporaryName, in: folder.file) }
    let path = temporaryPath
    OutputFile.unfinished.withLock { _ = $0.remove(path) }
  }
}
