package import Store
package import SystemPackage

/// The folder `.npi/`.
///
/// - `log`: the last results of each step;
/// - `state`: digests of files, and the decision of a build that had nothing to do (`TreeState`);
/// - `lock`: the lock of the build that runs here;
/// - `aside/`: old outputs of running commands, trees on their way back from the store, trees that commands work in
///   while they run in a sandbox;
/// - `tmp/`: the output of running commands, in files whose locks show that they run (`LockedFile`);
/// - `records/`: descriptions of outputs by built-in steps, for other steps.
///
/// A tree may come from another user, with its `.npi`. So links in it are refused, and files without this user's seal
/// for this very folder (`Seal`) count as absent.
package struct StateFolder: Sendable {
  package let path: FilePath
  private let disk: any Disk

  package init(_ disk: any Disk) {
    path = disk.root.pushing(Graph.stateFolder)
    self.disk = disk
  }

  /// The names of all files and folders that this or an earlier version puts there.
  package static let names: Set<String> = [
    ".gitignore", "aside", "clock", "lock", "log", "records", "settled", "state", "stats", "store", "tmp",
  ]

  package var log: FilePath { path.appending("log") }
  package var lock: FilePath { path.appending("lock") }
  package var temporary: FilePath { path.appending("tmp") }
  var aside: FilePath { path.appending("aside") }

  /// Refuses anything but files and folders: a link would lead elsewhere, and opening a pipe would block.
  package func check() throws(FileError) {
    guard let status = try disk.status(path, followingLinks: false) else { return }
    if status.kind == .symbolicLink { throw FileError.link(path) }
    guard status.kind == .directory else {
      throw FileError(path, doing: "use", reason: "it is not a folder", hint: "move or remove that file")
    }
    for name in try disk.list(path) {
      let entry = path.appending(name)
      switch try disk.status(entry, followingLinks: false)?.kind {
      case .symbolicLink: throw FileError.link(entry)
      case .regular, .directory, nil: continue
      default: throw FileError(entry, doing: "use", reason: "it is neither a file nor a folder", hint: "remove it")
      }
    }
  }

  /// Makes the folder, keeps it out of git, and removes what a killed run has left. The caller holds the lock.
  package func prepare() throws(FileError) {
    try check()
    try disk.makeFolders(temporary)
    try disk.remove(aside)
    try StateFolder.keepOutOfGit(path, disk: disk)
  }

  private static let gitignore = (name: FilePath.Component(".gitignore"), text: Array("*\n".utf8))

  /// Writes a `.gitignore` into a folder of ours, unless there is one. The folder must be there.
  package static func keepOutOfGit(_ folder: FilePath, disk: any Disk) throws(FileError) {
    let file = folder.appending(gitignore.name)
    if try disk.status(file, followingLinks: false) == nil { try disk.write(file, gitignore.text) }
  }

  /// Whether a folder has the `.gitignore` that `keepOutOfGit` writes, and so holds nothing of the user's.
  package static func isKeptOutOfGit(_ folder: FilePath, disk: any Disk) throws(FileError) -> Bool {
    let file = folder.appending(gitignore.name)
    guard try disk.status(file, followingLinks: false)?.kind == .regular else { return false }
    return try disk.read(file) == gitignore.text
  }
}

/// The old outputs of a step, put aside while it makes new ones.
struct AsideOutputs {
  private let disk: any Disk
  private let pairs: [(place: FilePath, aside: FilePath)]

  /// `name` is unique in the run.
  init(_ outputs: [FilePath], in folder: FilePath, name: String, disk: any Disk) throws(FileError) {
    self.disk = disk
    var pairs: [(place: FilePath, aside: FilePath)] = []
    for (index, output) in outputs.enumerated() where try disk.status(output, followingLinks: false) != nil {
      if pairs.isEmpty { try disk.makeFolders(folder) }
      let aside = folder.appending("\(name)-\(index)")
      do {
        try disk.rename(output, to: aside)
        pairs.append((output, aside))
      } catch  where error.code == .improperLink {
        // The output is on another disk, so it cannot be put back and is removed.
        try disk.remove(output)
      } catch {
        for pair in pairs { try? disk.rename(pair.aside, to: pair.place) }
        throw error
      }
    }
    self.pairs = pairs
  }

  /// Removes the old outputs when the new ones are there.
  func drop() throws(FileError) {
    for pair in pairs { try disk.remove(pair.aside) }
  }

  /// Puts the old outputs back after a failure, once the step's own leftovers are removed.
  func putBack() throws(FileError) {
    for pair in pairs { try disk.rename(pair.aside, to: pair.place) }
  }
}
