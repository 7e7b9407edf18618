import Artifacts
package import BuildEngine
package import Findings
import Rules
import Store
package import SystemPackage

/// The paths that `clean` has removed, or would remove, and those that it leaves; relative to the plugin's folder.
package struct Cleaned: Sendable {
  package fileprivate(set) var removed: [FilePath] = []
  package fileprivate(set) var left: [(path: FilePath, reason: String)] = []
}

extension Project {
  /// Removes unchanged outputs of this user's builds here, the engine's state, and the folder of the deliverables if
  /// npi-pack made it and nothing else is in it. Any other output of a manifest may be a file of the user's.
  package func clean(
    dryRun: Bool, waiting: (Wait) -> Void = { _ in }
  ) async throws(Mistakes) -> Cleaned {
    do {
      let disk = try RealDisk(root)
      let state = StateFolder(disk)
      try state.check()
      if dryRun { return try clean(disk, dryRun: true) }
      // Taking the lock creates the folder.
      let isNew = try disk.status(state.path, followingLinks: false) == nil
      var cleaned = try await state.withTreeLock(outputs: [], waiting: waiting) {
        try clean(disk, dryRun: false)
      }
      if isNew { cleaned.removed.removeAll { $0 == Graph.stateFolder } }
      return cleaned
    } catch {
      throw Mistakes(from: error)
    }
  }

  /// Empties the user's store, which all trees share. Nil if there was nothing to remove.
  package static func emptyStore(dryRun: Bool) throws(Mistakes) -> (folder: FilePath, files: Int, bytes: Int64)? {
    try explained { try UserStore.clean(dryRun: dryRun) }
  }

  private func clean(_ disk: RealDisk, dryRun: Bool) throws -> Cleaned {
    let log = try log(disk)
    var cleaner = Cleaner(root: root, disk: disk, dryRun: dryRun, outputs: OutputsOnDisk(disk))
    for output in log.all.flatMap(\.outputs).sorted(by: { $0.path.string < $1.path.string }) {
      try cleaner.clean(output.path, output.digest)
    }
    // These are outputs in the manifest that no build is known to have made.
    let steps = try? Plan(manifest: manifest, out: outFolder, policy: try FindingPolicy()).steps()
    for path in (steps ?? []).flatMap(\.outputs) { try cleaner.clean(path, nil) }
    try cleaner.clean(outFolder: outFolder)
    try cleaner.clean(stateFolder: Graph.stateFolder, isForeign: log.isForeign)
    return cleaner.cleaned
  }
}

private struct Cleaner {
  let root: FilePath
  let disk: RealDisk
  let dryRun: Bool
  var cleaned = Cleaned()
  var known: Set<FilePath> = []
  let outputs: OutputsOnDisk

  private mutating func remove(_ path: FilePath) throws(FileError) {
    if !dryRun { try disk.remove(root.pushing(path)) }
    cleaned.removed.append(path)
  }

  private mutating func leave(_ path: FilePath, _ reason: String) { cleaned.left.append((path, reason)) }

  /// `digest` is that of the output when it was made, if known. The engine's own files are removed with their folder.
  mutating func clean(_ path: FilePath, _ digest: Digest?) throws(FileError) {
    guard !path.starts(with: Graph.stateFolder), known.insert(path).inserted else { return }
    switch try outputs.state(of: path, digest) {
    case .missing: break
    case .same: try remove(path)
    case .changed where digest == nil: leave(path, "not known to be made by this user in this folder")
    case .changed: leave(path, "changed since it was built")
    case .behindLink(let link): leave(path, "'\(link)' on the way to it is a link")
    }
  }

  /// Removes the folder if only the `.gitignore` of npi-pack is left in it.
  mutating func clean(outFolder: FilePath) throws(FileError) {
    let folder = root.pushing(outFolder)
    guard try outputs.link(above: outFolder) == nil, try disk.status(folder, followingLinks: false)?.kind == .directory,
      try StateFolder.isKeptOutOfGit(folder, disk: disk)
    else { return }
    let gone = Set(cleaned.removed)
    let rest = try disk.list(folder).filter { $0.string != ".gitignore" && !gone.contains(outFolder.appending($0)) }
    guard let first = rest.first else {
      cleaned.removed.removeAll { $0.starts(with: outFolder) }
      return try remove(outFolder)
    }
    if !cleaned.left.contains(where: { $0.path.starts(with: outFolder) }) {
      leave(outFolder, "'\(first)'\(andMore(rest.count - 1)) in it is not of npi-pack's making")
    }
  }

  mutating func clean(stateFolder: FilePath, isForeign: Bool) throws(FileError) {
    guard try disk.status(root.pushing(stateFolder), followingLinks: false) != nil else { return }
    if isForeign { return leave(stateFolder, "it was not written by this user in this folder") }
    let folder = root.pushing(stateFolder)
    let names = try disk.list(folder)
    if let other = names.first(where: { !StateFolder.names.contains($0.string) }) {
      return leave(stateFolder, "'\(other)' in it is not of npi-pack's making")
    }
    cleaned.removed.append(stateFolder)
    if dryRun { return }
    let lock = StateFolder(disk).lock
    for name in names where folder.appending(name) != lock { try disk.remove(folder.appending(name)) }
    // From here on another build may begin. Then its new lock keeps the folder.
    try disk.remove(lock)
    try disk.removeEmpty(folder)
  }
}
