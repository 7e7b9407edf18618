import Store
import Synchronization
import SystemPackage

/// Finds files that commands leave in folders of outputs and that no step declares, to name them in a note.
///
/// Folders are not reported, because make, Gradle and Xcode keep their caches in folders there.
///
/// A folder is listed when the first step with an output in it begins, and when no such step runs any more. A large
/// folder is listed again only at the end, because many steps may have outputs there. No folder is listed while
/// commands run in it, because the system blocks a listing while a file is made.
final class UndeclaredOutputs: Sendable {
  private let graph: Graph
  private let disk: any Disk
  private let state = Mutex(State())

  private struct State {
    var folders: [FilePath: Listing] = [:]
    /// The number of running steps that have an output there.
    var busy: [FilePath: Int] = [:]
    /// Folders in which something was made since they were listed.
    var open: Set<FilePath> = []
    /// Paths that were reported; each is reported once.
    var told: Set<FilePath> = []
    var running = 0
    var starts = 0
  }

  private struct Listing {
    /// Without stamps if the folder is large.
    var names: [FilePath.Component: FileStamp?] = [:]
    var isLarge: Bool { names.count > UndeclaredOutputs.limit }
  }

  /// The state when a command began.
  struct Beginning {
    fileprivate let folders: [FilePath]
    fileprivate let isAlone: Bool
    fileprivate let start: Int
  }

  /// The most names of a folder that is listed after each step.
  private static let limit = 32
  private static let buildFolder: FilePath = "build"

  init(graph: Graph, disk: any Disk) {
    self.graph = graph
    self.disk = disk
  }

  /// Nil if the step runs no command, since the tool itself makes only declared outputs. The outputs' folders exist.
  func begin(_ step: Step) -> Beginning? {
    guard !step.action.programs.isEmpty else { return nil }
    var folders = Set(step.outputs.map { $0.removingLastComponent() })
    folders.insert(UndeclaredOutputs.buildFolder)
    let watched = sortedByBytes(folders)
    return state.withLock { state in
      for folder in watched {
        if state.folders[folder] == nil { state.folders[folder] = listing(of: folder) }
        state.busy[folder, default: 0] += 1
      }
      state.running += 1
      state.starts += 1
      return Beginning(folders: watched, isAlone: state.running == 1, start: state.starts)
    }
  }

  /// A note if the ended command has left undeclared files. Those of a failed command are reported later.
  func end(_ step: Step, _ beginning: Beginning, inputs: [[ResolvedInput]], failed: Bool) -> String? {
    let found = state.withLock { state in
      state.running -= 1
      var found: [FilePath] = []
      var isOwn = true
      for folder in beginning.folders {
        let isBusy = state.busy[folder].map { $0 > 1 } ?? false
        state.busy[folder] = isBusy ? state.busy[folder].map { $0 - 1 } : nil
        if state.folders[folder]?.isLarge ?? false || isBusy || failed {
          state.open.insert(folder)
          continue
        }
        let more = differences(folder, &state)
        if state.open.remove(folder) != nil, !more.isEmpty { isOwn = false }
        found += more
      }
      let isAlone = beginning.isAlone && state.starts == beginning.start
      return (paths: found.filter { state.told.insert($0).inserted }, isAlone: isAlone, isOwn: isOwn)
    }
    let read = Set(found.paths.isEmpty ? [] : inputs.joined().map(\.path))
    let paths = found.paths.filter { !read.contains($0) }
    guard !paths.isEmpty else { return nil }
    guard found.isOwn else { return inThisBuild(paths) }
    return found.isAlone
      ? "made \(named(paths, atMost: 5)) too, \(hint(paths))"
      : "\(named(paths, atMost: 5)) \(wasMade(paths)) while '\(step.name)' ran, \(hint(paths))"
  }

  /// To be called when no step runs any more: a note on files in folders that were not listed since.
  func rest() -> String? {
    let paths = state.withLock { state in
      defer { state.open = [] }
      let found = sortedByBytes(state.open).flatMap { differences($0, &state) }
      return found.filter { state.told.insert($0).inserted }
    }
    return paths.isEmpty ? nil : inThisBuild(paths)
  }

  private func inThisBuild(_ paths: [FilePath]) -> String {
    "\(named(paths, atMost: 5)) \(wasMade(paths)) in this build, \(hint(paths))"
  }

  private func wasMade(_ paths: [FilePath]) -> String { paths.count == 1 ? "was made" : "were made" }

  private func hint(_ paths: [FilePath]) -> String {
    let (it, output) = paths.count == 1 ? ("it", "an output") : ("them", "outputs")
    return "which no step declares: declare \(it) as \(output) or remove \(it)"
  }

  /// A folder that is not there, or cannot be listed, holds nothing.
  private func listing(of folder: FilePath) -> Listing {
    let place = disk.root.pushing(folder)
    var listing = Listing()
    guard let names = try? disk.list(place) else { return listing }
    for name in names { listing.names[name] = .some(nil) }
    if !listing.isLarge {
      for name in names { listing.names[name] = try? disk.status(place.appending(name), followingLinks: false) }
    }
    return listing
  }

  /// The undeclared files that are new or changed since the folder was listed the last time, sorted by bytes.
  private func differences(_ folder: FilePath, _ state: inout State) -> [FilePath] {
    guard let old = state.folders[folder] else { return [] }
    let new = listing(of: folder)
    state.folders[folder] = new
    var found: [FilePath] = []
    for (name, status) in new.names where !Glob.isHidden(name.nameBytes) {
      let before = old.names[name]
      if let before { guard let before, let status, status != before else { continue } }
      let path = folder.appending(name)
      if graph.outputs.makers[path] != nil { continue }
      if before != nil, isInput(path) { continue }
      if let status, HostProcess.isOutput(status) { continue }
      let kind = status?.kind ?? (try? disk.status(disk.root.pushing(path), followingLinks: false))?.kind
      if kind == .regular || kind == .symbolicLink { found.append(path) }
    }
    return sortedByBytes(found)
  }

  /// Sources may be edited while a build runs, and are not reported.
  private func isInput(_ path: FilePath) -> Bool {
    graph.steps.contains { step in step.inputs.contains { $0.covers(path) } }
  }
}
