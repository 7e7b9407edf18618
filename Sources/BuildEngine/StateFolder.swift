package import Store
package import SystemPackage

/// `.npi/`: the log, and room for what must not be lost or seen.
///
/// - `log`: what is known of each step;
/// - `stats`: what is known of files (`StatCache`);
/// - `settled`: that nothing was to be done, and what that followed from (`NothingToDo`);
/// - `lock`: who builds here;
/// - `aside/`: old outputs of commands that are running, trees on their way back from the store;
/// - `tmp/`: what commands print, while they run: also the sign that they do (`HeldFile`);
/// - `store/`: what was made, where the user has no store of their own.
package struct StateFolder: Sendable {
  package let path: FilePath
  private let disk: any Disk

  package init(root: FilePath, disk: any Disk) {
    path = root.pushing(Graph.stateFolder)
    self.disk = disk
  }

  package var log: FilePath { path.appending("log") }
  package var lock: FilePath { path.appending("lock") }
  package var stats: FilePath { path.appending("stats") }
  package var store: FilePath { path.appending("store") }
  package var temporary: FilePath { path.appending("tmp") }
  var aside: FilePath { path.appending("aside") }

  /// Makes the folder, keeps it out of git, and takes away what a killed run has left. Whoever builds holds the lock.
  package func prepare() throws(FileError) {
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

  /// Whether a folder has the `.gitignore` that `keepOutOfGit` writes: nothing of the user's is in it.
  package static func isKeptOutOfGit(_ folder: FilePath, disk: any Disk) throws(FileError) -> Bool {
    let file = folder.appending(gitignore.name)
    guard try disk.status(file, followingLinks: false)?.kind == .file else { return false }
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
        // Another disk. Then there is no way back, and the old output goes.
        try disk.remove(output)
      } catch {
        for pair in pairs { try? disk.rename(pair.aside, to: pair.place) }
        throw error
      }
    }
    self.pairs = pairs
  }

  /// The new ones are there.
  func drop() throws(FileError) {
    for pair in pairs { try disk.remove(pair.aside) }
  }

  /// The step failed: what it left was taken away already.
  func putBack() throws(FileError) {
    for pair in pairs { try disk.rename(pair.aside, to: pair.place) }
  }
}
