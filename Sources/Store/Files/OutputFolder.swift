internal import Synchronization
package import SystemPackage

/// A folder that is filled beside its final place and moved there atomically: the place has the old folder, or the whole
/// new one. Without `commit()` it leaves no trace.
package struct OutputFolder: ~Copyable {
  package let path: FilePath
  /// Its place until then: in the same folder, with a name that begins with a dot and ends in `.npi-tmp`.
  package var temporaryPath: FilePath { folder.path }
  /// The folder that it lies in.
  private let parent: OpenFolder
  private let folder: OpenFolder
  private let temporaryName: FilePath

  /// Nothing else may be at its place but a folder, which it replaces. The folders above it are made.
  package static func create(_ path: FilePath, below root: OpenFolder) throws(FileError) -> OutputFolder {
    guard let spot = try root.spot(path, making: true) else {
      throw FileError(path, doing: "write", code: .noSuchFileOrDirectory)
    }
    let name = try spot.folder.createNewFolder(doing: "write", spot.path) { number in
      ".\(number)-\(SystemCalls.processID).npi-tmp"
    }
    guard let folder = try spot.folder.folder(name) else {
      throw FileError(spot.path, doing: "write", code: .noSuchFileOrDirectory)
    }
    OutputFile.unfinished.withLock { _ = $0.insert(folder.path) }
    return OutputFolder(path: spot.path, parent: spot.folder, folder: folder, temporaryName: name)
  }

  private init(path: FilePath, parent: OpenFolder, folder: OpenFolder, temporaryName: FilePath) {
    (self.path, self.parent, self.folder, self.temporaryName) = (path, parent, folder, temporaryName)
  }

  /// A file in the folder, with the folders above it. It has to be committed before the folder is.
  package func create(_ file: FilePath, executable: Bool = false) throws(FileError) -> OutputFile {
    try OutputFile.create(file, below: folder, executable: executable)
  }

  package func makeLink(_ path: FilePath, to target: FilePath) throws(FileError) {
    try folder.makeLink(path, to: target)
  }

  /// Puts the folder in its place. An older one is removed afterwards.
  package consuming func commit() throws(FileError) {
    guard let last = path.lastComponent else { return }
    let name = FilePath(last)
    if let old = try parent.status(name) {
      guard old.kind == .directory else {
        throw FileError(path, doing: "write", reason: "it is not a folder", hint: "move or remove it")
      }
      try replace(name)
    } else {
      try rename(name)
    }
    try parent.sync()
  }

  private func replace(_ name: FilePath) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.exchange(temporaryName, name, in: parent.file)
    } catch {
      guard [.invalidArgument, .notSupported, .noFunction].contains(error) else {
        throw FileError(path, doing: "write", code: error)
      }
      // This file system cannot exchange names. For a moment nothing is at the place.
      try parent.remove(name)
      try rename(name)
    }
  }

  private func rename(_ name: FilePath) throws(FileError) {
    try FileError.wrap(
      path, doing: "write", try SystemCalls.rename(temporaryName, in: parent.file, to: name, in: parent.file))
  }

  deinit {
    // After `commit` it is the old folder, if there was one.
    try? parent.remove(temporaryName)
    let place = folder.path
    OutputFile.unfinished.withLock { _ = $0.remove(place) }
  }
}
