package import Store
package import SystemPackage

// Only one build runs in a tree at a time, and none runs beside commands that another npi-pack has left.
//
// A build that is killed (SIGKILL) cannot end its commands: they go on and write outputs. So each command prints into a
// file in `.npi/tmp/` that is locked through the command's own standard output and error (`LockedFile`). The lock is
// free when the command, and all its children that still print there, are gone; the next build waits for that.
//
// These descriptors are used because a daemon gives them up (it redirects them to /dev/null or to a log of its own; a
// further descriptor would be inherited by the Gradle daemon, `adb` or `ccache`'s helpers and never be closed), and
// because the process launcher passes them on; it closes all above 2. When a command has ended normally, its file is
// removed, even if another process still has it open: builds wait only for what a *killed* build left. If a daemon that
// was started just then keeps the output, it is named after some seconds, and the file may be removed to go on.
extension StateFolder {
  /// Waits until no other build runs in this tree, removes what a killed build has left beside these outputs (relative
  /// to the root), and runs the body while other builds are kept out. `waiting` is called when a wait begins and when
  /// it has become long. Cancelling the task ends the wait. For the real disk only.
  package func withTreeLock<R>(
    outputs: [FilePath], waiting: (Wait) -> Void, _ body: () async throws -> R
  ) async throws -> R {
    try check()
    let tree = try OpenFolder(path.removingLastComponent())
    try tree.makeFolders(path)
    return try await FileLock.withLock(lock, below: tree) {
      waiting(.build($0))
    } cleanUp: { killed in
      if let folder = try tree.folder(temporary) { try await waitForCommands(in: folder, waiting) }
      guard let killed else { return }
      let folders = outputs.map { $0.removingLastComponent() }
      for folder in Set(folders + [Graph.stateFolder, Graph.stateFolder.appending("tmp")]) {
        // A folder behind a link is reported as a mistake later.
        if let folder = try? tree.folder(folder) { try OutputFile.removeLeftovers(in: folder, of: killed) }
      }
    } _: {
      try await body()
    }
  }

  private func waitForCommands(in folder: OpenFolder, _ waiting: (Wait) -> Void) async throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var looks = 0
    var explained = false
    while true {
      var running: [(path: FilePath, maker: Int32?)] = []
      for (name, maker) in try LockedFile.all(in: folder) {
        if try LockedFile.isHeld(folder, name) {
          running.append((folder.path.pushing(name), maker))
        } else {
          try folder.remove(name)
        }
      }
      guard let first = running.first else { return }
      looks += 1
      // The first look may find a child of our own, which has our descriptors until its program begins.
      if looks == 2 { waiting(.commands(startedBy: first.maker)) }
      if !explained, begin.duration(to: clock.now) > .seconds(3) {
        let processes = Set(running.flatMap { LockedFile.holders(of: $0.path) }).sorted { $0.number < $1.number }
        waiting(.longRunning(processes, files: running.map(\.path)))
        explained = true
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

package enum Wait: Sendable, Equatable {
  /// Another npi-pack builds in this tree; the value is its process number, if it is known.
  case build(Int32?)
  /// Commands of a killed npi-pack are still running; `startedBy` is its process number.
  case commands(startedBy: Int32?)
  /// The same after a longer wait, with the processes, if the system tells them, and the files that they lock.
  case longRunning([RunningProcess], files: [FilePath])

  package var lines: [String] {
    func process(_ number: Int32?, _ more: String = "") -> String { number.map { " (process \($0)\(more))" } ?? "" }
    switch self {
    case .build(let holder): return ["waiting: another npi-pack\(process(holder)) builds here"]
    case .commands(let maker):
      let gone = process(maker, ", which is gone")
      return ["waiting: commands that an earlier npi-pack\(gone) started are still running"]
    case .longRunning(let processes, let files):
      let names = files.map { "'\($0)'" }.joined(separator: " ")
      let numbers = processes.map { "\($0.number)" }.joined(separator: " ")
      let shown = processes.map { "\($0.program) (process \($0.number))" }.joined(separator: ", ")
      return [
        processes.isEmpty ? "  to see them: lsof \(names)" : "  still running: \(shown)",
        "  hint: let them end, or end them\(processes.isEmpty ? "" : ": kill \(numbers)")",
        "  hint: to go on while they run, if they make no output of a step: rm \(names)",
      ]
    }
  }
}
