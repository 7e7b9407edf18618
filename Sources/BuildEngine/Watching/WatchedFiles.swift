import Findings
package import Store
package import SystemPackage

/// The files that a build depends on, with their current stamps, and the folders in which new ones may appear. Outputs
/// of steps are not among them.
package struct WatchedFiles: Sendable {
  /// By absolute path; nil if the file does not exist.
  package private(set) var files: [FilePath: FileStamp?] = [:]
  /// Absolute.
  package private(set) var folders: Set<FilePath> = []
  private var walk = LinkWalk()

  package init() {}

  /// A file by its absolute path, whether it is there or not.
  package mutating func add(_ path: FilePath) {
    let path = path.lexicallyNormalized()
    files[path] = .some(try? FileSystem.status(of: path, followingLinks: true))
    // The folders of the file, and of the links that lead to it, are watched even if it does not exist yet.
    for place in walk.places(of: path) {
      var folder = place.removingLastComponent()
      while (try? FileSystem.status(of: folder, followingLinks: true))?.kind != .directory, folder.lastComponent != nil
      {
        folder.removeLastComponent()
      }
      folders.insert(folder)
    }
  }

  /// Adds a folder, by its absolute path, with all files below it and those that appear there later.
  package mutating func add(below folder: FilePath) {
    folders.insert(folder)
    for name in (try? FileSystem.list(folder)) ?? [] {
      let path = folder.appending(name)
      if (try? FileSystem.status(of: path))?.kind == .directory { add(below: path) } else { add(path) }
    }
  }

  /// Adds the files that only the others have.
  package mutating func add(_ others: WatchedFiles) {
    files.merge(others.files) { own, _ in own }
    folders.formUnion(others.folders)
  }

  /// Adds the files that were watched before, as they are now, because a manifest with a mistake does not name them.
  package mutating func keep(_ before: WatchedFiles) {
    for path in before.files.keys where files[path] == nil { add(path) }
  }

  /// In the order of their paths.
  package func changes(since before: WatchedFiles) -> [WatchedChange] {
    var now = self
    now.keep(before)
    let files = now.files
    var changes: [WatchedChange] = []
    for path in sortedByBytes(Set(files.keys).union(before.files.keys)) {
      switch (before.files[path] ?? nil, files[path] ?? nil) {
      case (nil, nil): continue
      case (nil, _?): changes.append(WatchedChange(path: path, what: .new))
      case (_?, nil): changes.append(WatchedChange(path: path, what: .gone))
      case (let old?, let new?): if old != new { changes.append(WatchedChange(path: path, what: .changed)) }
      }
    }
    return changes
  }
}

package struct WatchedChange: Sendable, Equatable {
  package enum What: Sendable { case changed, new, gone }

  /// Absolute.
  package let path: FilePath
  package let what: What
}

extension WatchedFiles {
  /// The files that these steps read, with those that they discovered the last time, from the log.
  package init(_ graph: Graph, _ selection: [Int], _ log: BuildLog, _ disk: any Disk) {
    let view = DiskView(disk)
    var resolver = InputResolver(view: view, hidden: graph.hidden)
    resolver.skipsDigests = true
    func isMade(_ path: FilePath) -> Bool { path.andFoldersAbove.contains { graph.outputs.makers[$0] != nil } }
    for step in selection.map({ graph.steps[$0] }) {
      for input in step.inputs {
        // Inputs are resolved one by one, so that a missing one does not hide the others.
        for found in ((try? resolver.resolve(step.with(input))) ?? []).joined()
        where found.kind != .directory && !isMade(found.path) {
          add(view.absolute(found.path))
        }
        if case .path(let path, _) = input, !isMade(path), (try? view.target(path)) == .some(nil) {
          add(view.absolute(path))
        }
      }
      let others = step.action.programs.compactMap(\.pathInTree) + (log[step.name]?.discovered.paths ?? [])
      // Headers of the system are not watched, because they hardly ever change.
      for path in others where path.isRelative && !isMade(path) { add(view.absolute(path)) }
    }
    for observation in view.observations {
      // A glob or a folder's content was looked for in these folders.
      if case .names = observation.what { folders.insert(view.absolute(observation.path)) }
    }
  }
}
