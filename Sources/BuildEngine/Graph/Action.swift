package import Findings
package import Store
package import SystemPackage

/// The work of a step. It encodes everything that can change its outputs, and reads nothing but its inputs.
package protocol Action: Sendable {
  /// The programs that it runs; their contents are part of the key.
  var programs: [Program] { get }

  /// The names of variables of this process's environment that it gives to a command.
  var secrets: [String] { get }

  /// True if the outputs must not exist when it starts. The old ones are put aside then, and put back if it fails.
  var startsClean: Bool { get }

  /// True if its report may name files that it has read besides its inputs.
  var discovers: Bool { get }

  /// Whether the key has all that the outputs were made from, so that other machines may have them.
  func isShared(_ context: ActionContext) -> Bool

  /// Whether a worker on another machine may carry it out, given the manifest and the inputs.
  var isForWorkers: Bool { get }

  /// Encodes everything that can change the outputs, besides the inputs, the outputs' names and the programs.
  func encode(into encoder: inout some KeyEncoder)

  /// Makes the outputs; their folders are there. Throws `StepFailure`, `FileError`, `Mistakes` or `CancellationError`.
  func run(_ context: ActionContext) async throws -> ActionReport
}

extension Action {
  package var programs: [Program] { [] }
  package var secrets: [String] { [] }
  package var startsClean: Bool { false }
  package var discovers: Bool { false }
  package var isForWorkers: Bool { true }
  package func isShared(_ context: ActionContext) -> Bool { true }
}

package struct ActionContext: Sendable {
  package let disk: any Disk
  /// In the order of the step's inputs; each sorted by bytes of the path.
  package let inputs: [[ResolvedInput]]
  package let outputs: [FilePath]
  /// Absolute paths, in the order of the action's `programs`.
  package let programs: [FilePath]
  package let runner: any CommandRunner
  /// Already begun for an action that runs no programs.
  package let slot: JobSlot
  package let host: HostEnvironment
  /// Reports the progress of long work, in bytes.
  package let advance: @Sendable (_ done: Int64, _ total: Int64) -> Void
  /// The step's span in a trace; nil without a trace, and for an action with programs, which has not begun yet.
  package var span: Trace.Span?
  /// The sandbox for commands, and a folder for it that does not exist yet; nil if commands see everything.
  package var sandbox: (sandbox: Sandbox, folder: FilePath)?

  /// The tree's root; absolute.
  package var root: FilePath { disk.root }

  package func absolute(_ path: FilePath) -> FilePath { root.pushing(path) }

  /// The context of a command that an action runs on what it has made so far. `outputs` may be there already.
  package func part(inputs: [[ResolvedInput]], outputs: [FilePath]) -> ActionContext {
    ActionContext(
      disk: disk, inputs: inputs, outputs: outputs, programs: programs, runner: runner, slot: slot, host: host,
      advance: advance, span: span, sandbox: sandbox)
  }

  /// Creates a file that replaces an output, or lies beside it, on the real disk.
  package func create(_ path: FilePath, executable: Bool = false) throws(FileError) -> OutputFile {
    try OutputFile.create(path, below: try OpenFolder(root), executable: executable)
  }

  /// Opens the folder of an output, for temporary files beside it, on the real disk.
  package func folder(of path: FilePath) throws(FileError) -> OpenFolder {
    let folder = path.removingLastComponent()
    guard let open = try OpenFolder(root).folder(folder, making: true) else {
      throw FileError(absolute(folder), doing: "open", code: .noSuchFileOrDirectory)
    }
    return open
  }
}

/// The report of an action that has succeeded.
package struct ActionReport: Sendable {
  /// Single lines for the user.
  package var notes: [String]
  package var findings: [Finding]
  /// The rules that have judged the outputs.
  package var coverage: Coverage
  /// The command's standard output and error, in the order in which they were printed.
  package var output: [UInt8]
  /// The digests of outputs that it knows already.
  package var digests: [FilePath: Digest]
  /// The files it has read, if it `discovers`; absolute, or relative to the root. Inputs and outputs may be among them.
  package var discovered: [FilePath]

  package init(
    notes: [String] = [], findings: [Finding] = [], coverage: Coverage = Coverage(), output: [UInt8] = [],
    digests: [FilePath: Digest] = [:], discovered: [FilePath] = []
  ) {
    self.notes = notes
    self.findings = findings
    self.coverage = coverage
    self.output = output
    self.digests = digests
    self.discovered = discovered
  }
}

/// The reason why a step failed. Actions throw it; the scheduler converts every other error to one.
package struct StepFailure: Error, Sendable {
  /// One line, lower case, no full stop.
  package var message: String
  package var notes: [String] = []
  package var hint: String?
  /// The user's mistakes (exit code 2), if they are the reason.
  package var mistakes: [Mistake] = []
  package var findings: [Finding] = []
  package var coverage = Coverage()
  /// The complete output of the command.
  package var output: [UInt8] = []
  /// The command, as it can be pasted into a shell to run it again.
  package var command: String?
  /// Rules refused the outputs for these findings, and will refuse them again for the same inputs.
  package var isRefusal = false
  /// The command's first word, if no program of that name is found. A dry run lists such a step as one that would run.
  package var missingProgram: String?
  /// True if the action did not run, because nothing has changed since the outputs were refused.
  package var isRemembered = false

  package init(
    _ message: String, notes: [String] = [], hint: String? = nil, mistakes: [Mistake] = [], findings: [Finding] = [],
    output: [UInt8] = [], command: String? = nil
  ) {
    self.message = message
    self.notes = notes
    self.hint = hint
    self.mistakes = mistakes
    self.findings = findings
    self.output = output
    self.command = command
  }
}
