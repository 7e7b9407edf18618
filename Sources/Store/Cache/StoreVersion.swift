internal import SystemPackage

/// A file of its own holds the layout's version, so that a later version does not use files of an older one.
extension ContentStore {
  private static let text = Array("npi-pack store 1\n".utf8)
  /// Tells backup programs to leave the folder out (Cache Directory Tagging Specification).
  private static let tag = Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)

  private var version: FilePath { folder.appending("version") }

  /// Whether there is a store of this layout that no other user may write to. Only a yes is remembered.
  var isOurs: Bool {
    usage.isOurs { (try? checkAccess()) != nil && (try? FileSystem.read(version, limit: 64)) == ContentStore.text }
  }

  /// Write access to a store controls the results of builds. So it must be this user's own, and is closed to others.
  package func checkAccess() throws(FileError) {
    guard let access = try FileSystem.access(of: folder, followingLinks: true), !access.isPrivate else { return }
    guard access.owner == SystemCalls.userID else {
      throw FileError(
        folder, doing: "use the store", reason: "it belongs to another user",
        hint: "set NPI_PACK_STORE to a folder of your own")
    }
    guard access.isOwn else {
      throw FileError(
        folder, doing: "use the store", reason: "others may write to it",
        hint: "if you trust what is in it: chmod -R go-rwx '\(folder)'; else remove it")
    }
    try FileSystem.setMode(folder, FileSystem.privateFolder)
  }

  /// Makes missing folders, and checks that the store can be written to.
  package func prepare() throws(FileError) {
    try makeFolders()
    guard SystemCalls.canWrite(temporary) else {
      throw FileError(folder, doing: "write to the store", code: .permissionDenied)
    }
  }

  /// Makes the store's folder with its initial files.
  func makeFolders() throws(FileError) {
    if isOurs { return try FileSystem.makeFolders(temporary, mode: FileSystem.privateFolder) }
    try checkAccess()
    if try FileSystem.status(of: version) != nil {
      // Another process may have made it between the two checks.
      if isOurs { return }
      throw FileError(
        folder, doing: "use the store", reason: "another version of npi-pack made it",
        hint: "remove that folder, or set NPI_PACK_STORE to another one")
    }
    try FileSystem.makeFolders(temporary, mode: FileSystem.privateFolder)
    try FileSystem.writePrivately(folder.appending("CACHEDIR.TAG"), ContentStore.tag)
    try FileSystem.writePrivately(version, ContentStore.text)
  }
}
