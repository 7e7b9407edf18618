package import Store
package import SystemPackage

/// For whom a build waits.
package enum Wait: Sendable, Equatable {
  /// Another npi-pack builds in this tree; its number, if it is known.
  case build(Int32?)
  /// Commands are running that an npi-pack started which was killed; its number.
  case commands(startedBy: Int32?)
  /// The same, when it takes long: the processes, if the system tells them, and the files that say that they run.
  case longRunning([RunningProcess], files: [FilePath])
}

extension Wait {
  /// To be shown, when it begins.
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
