internal import Synchronization
package import SystemPackage

/// A file that is written beside its final place and gets there in one go. If it is dropped before `commit()`, it is
/// removed, and what was at its place stays.
package struct OutputFile: ~Copyable {
  /// Where it will be.
  package let path: FilePath
  /// Where it is until then: in the same folder, with a name that begins with a dot and ends in `.npi-tmp`.
  package let temporaryPath: FilePath
  /// How many bytes `write(_:)` has written: the offset of the next one.
  package private(set) var position: Int64 = 0

  let file: FileDescriptor
  private var inPlace = false

  private init(path: FilePath, temporaryPath: FilePath, file: FileDescriptor) {
    self.path = path
    self.temporaryPath = temporaryPath
    self.file = file
  }

  /// The folder must exist. The mode follows the umask.
  package static func create(_ path: FilePath, executable: Bool = false) throws(FileError) -> OutputFile {
    try create(path, in: path.removingLastComponent(), mode: executable ? 0o777 : 0o666)
  }

  /// Written in another folder of the same disk until it is whole.
  static func create(_ path: FilePath, in folder: FilePath, mode: UInt16) throws(FileError) -> OutputFile {
    guard path.lastComponent != nil else {
      throw FileError(path, doing: "write", reason: "the name of a file is missing")
    }
    let permissions = FilePermissions(rawValue: CInterop.Mode(mode))
    while true {
      let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
      let temporary = folder.appending(".\(number)-\(SystemCalls.processID).npi-tmp")
      do {
        let file = try FileDescriptor.open(
          temporary, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: permissions)
        return OutputFile(path: path, temporaryPath: temporary, file: file)
      } catch {
        // Left by a process that was killed and had our number.
        if error as? Errno == .fileExists { continue }
        throw FileError(path, doing: "write", code: error as? Errno ?? .ioError)
      }
    }
  }

  /// Adds to the end.
  package mutating func write(_ bytes: RawSpan) throws(FileError) {
    do throws(Errno) { try SystemCalls.write(file, bytes, at: position) } catch {
      throw FileError(path, doing: "write", code: error)
    }
    position += Int64(bytes.byteCount)
  }

  /// Adds to the end.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.withSpan(bytes) { span throws(Errno) in try SystemCalls.write(file, span, at: position) }
    } catch {
      throw FileError(path, doing: "write", code: error)
    }
    position += Int64(bytes.count)
  }

  /// Writes at an offset; the position stays.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.withSpan(bytes) { span throws(Errno) in try SystemCalls.write(file, span, at: offset) }
    } catch {
      throw FileError(path, doing: "write", code: error)
    }
  }

  /// Writes at an offset; the position stays.
  package func write(_ bytes: RawSpan, at offset: Int64) throws(FileError) {
    do throws(Errno) { try SystemCalls.write(file, bytes, at: offset) } catch {
      throw FileError(path, doing: "write", code: error)
    }
  }

  /// Writes through to the disk. `commit()` does it too.
  package func sync() throws(FileError) {
    do throws(Errno) { try SystemCalls.sync(file) } catch { throw FileError(path, doing: "sync", code: error) }
  }

  /// Puts the file in its place, replacing what was there, and makes that last over a loss of power.
  package consuming func commit() throws(FileError) {
    try sync()
    try FileSystem.rename(temporaryPath, to: path)
    inPlace = true
    let folder = path.removingLastComponent()
    try FileSystem.sync(folder: folder.isEmpty ? "." : folder)
  }

  /// Removes from a folder what killed processes have left of files like this one and of temporary ones: names that end
  /// in `.npi-tmp`, but not those of a process that runs. `gone` is one that has ended, even if another has its number
  /// now. A folder that is not there is no error.
  package static func removeLeftovers(in folder: FilePath, of gone: Int32) throws(FileError) {
    guard try FileSystem.status(of: folder, followingLinks: true)?.kind == .folder else { return }
    for name in try FileSystem.list(folder) {
      guard let maker = maker(of: name) else { continue }
      guard maker == gone || maker == SystemCalls.processID || !SystemCalls.isRunning(maker) else { continue }
      try FileSystem.remove(folder.appending(name))
    }
  }

  /// The number in `.3-1234.npi-tmp`, `1234-3.npi-tmp` (`TemporaryFile`) and `1234-3.held.npi-tmp` (`HeldFile`).
  private static func maker(of name: FilePath.Component) -> Int32? {
    guard name.string.hasSuffix(".npi-tmp") else { return nil }
    let parts = name.string.split(separator: ".")[0].split(separator: "-")
    guard parts.count == 2, parts.allSatisfy({ Int($0) != nil }) else { return nil }
    return Int32(name.string.hasPrefix(".") ? parts[1] : parts[0])
  }

  /// Puts the file in a place on the same disk, whose folder is made if it is missing, without a wait for the disk: for
  /// what can be made again.
  consuming func commitUnsynced(to place: FilePath) throws(FileError) {
    do {
      try FileSystem.rename(temporaryPath, to: place)
    } catch {
      guard error.code == .noSuchFileOrDirectory else { throw error }
      try FileSystem.makeFolders(place.removingLastComponent())
      try FileSystem.rename(temporaryPath, to: place)
    }
    inPlace = true
  }

  deinit {
    try? file.close()
    if !inPlace { try? SystemCalls.removeFile(temporaryPath) }
  }

  private static let counter = Atomic<Int>(0)
}
