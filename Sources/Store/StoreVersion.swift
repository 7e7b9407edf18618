internal import SystemPackage

/// The layout's version, in a file of its own: a later one must not take an older one's files for its own.
extension ContentStore {
  private static let text = Array("npi-pack store 1\n".utf8)
  /// Tells backup programs to leave the folder out (Cache Directory Tagging Specification).
  private static let tag = Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)

  private var version: FilePath { folder.appending("version") }

  /// Whether there is a store of this layout. Only a yes is remembered.
  var isOurs: Bool {
    usage.isOurs { (try? FileSystem.read(version, limit: 64)) == ContentStore.text }
  }

  /// Whether something can be kept here; the folder is made if it is not there.
  package var canKeep: Bool {
    (try? prepare()) != nil && (try? FileSystem.makeFolders(temporary)) != nil && SystemCalls.canWrite(temporary)
  }

  /// Makes the folder and what is in it from the start.
  func prepare() throws(FileError) {
    if isOurs { return }
    if try FileSystem.status(of: version) != nil {
      // Somebody else may have made it between the two looks.
      if isOurs { return }
      throw FileError(
        folder, doing: "use the store", reason: "another version of npi-pack made it",
        hint: "remove that folder, or set NPI_PACK_STORE to another one")
    }
    try FileSystem.makeFolders(temporary)
    try FileSystem.writeUnsynced(folder.appending("CACHEDIR.TAG"), ContentStore.tag)
    try FileSystem.writeUnsynced(version, ContentStore.text)
  }
}
