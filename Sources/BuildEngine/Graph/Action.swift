package import Findings
package import Store
package import SystemPackage

/// What a step does. It encodes everything that can change its outputs, and reads nothing but its inputs.
package protocol Action: Sendable {
  /// The programs that it runs; their contents are part of the key.
  var programs: [Program] { get }

  /// True if the outputs must not be there when it starts: then the old ones are put aside, and back if it fails.
  var startsClean: Bool { get }

  /// True if its report may name what it has read besides its inputs.
  var discovers: Bool { get }

  /// Everything besides the inputs, the outputs' names and the programs that can change the outputs.
  func encode(into encoder: inout some KeyEncoder)

  /// Makes the outputs; their folders are there. Throws `StepFailure`, `FileError`, `Mistakes` or `CancellationError`.
  func run(_ context: ActionContext) async throws -> ActionReport
}

extension Action {
  package var programs: [Program] { [] }
  package var startsClean: Bool { false }
  package var discovers: Bool { false }
}

/// What an action works with.
package struct ActionContext: Sendable {
  package let disk: any Disk
  /// In the order of the step's inputs; each sorted by bytes of the path.
  package let inputs: [[ResolvedInput]]
  package let outputs: [FilePath]
  /// Absolute paths, in the order of the action's `programs`.
  package let programs: [FilePath]
  package let runner: any CommandRunner
  /// An action that runs no programs has it already.
  package let slot: JobSlot
  package let host: HostEnvironment
  /// Says how far long work is, in bytes.
  package let advance: @Sendable (_ done: Int64, _ total: Int64) -> Void
  /// The step in a trace, if there is one and it runs already: an action that runs no programs has begun.
  package var span: Trace.Span?
  /// The sandbox for commands, and a folder for it that does not exist yet; nil if commands see everything.
  package var sandbox: (sandbox: Sandbox, folder: FilePath)?

  /// Of the tree; absolute.
  package var root: FilePath { disk.root }

  package func absolute(_ path: FilePath) -> FilePath { root.pushing(path) }

  /// A file that takes the place of an output, or lies beside it. On the real disk.
  package func create(_ path: FilePath, executable: Bool = false) throws(FileError) -> OutputFile {
    try OutputFile.create(path, below: try OpenFolder(root), executable: executable)
  }

  /// The folder that an output lies in, for temporary files beside it. On the real disk.
  package func folder(of path: FilePath) throws(FileError) -> OpenFolder {
    let folder = path.removingLastComponent()
    guard let open = try OpenFolder(root).folder(folder, making: true) else {
      throw FileError(absolute(folder), doing: "open", code: .noSuchFileOrDirectory)
    }
    return open
  }
}

/// What an action has to say when it has succeeded.
package struct ActionReport: Sendable {
  /// One-liners for the user.
  package var notes: [String]
  package var findings: [Finding]
  /// Which rules have judged what it made.
  package var coverage: Coverage
  /// What its command printed, standard output and error in their order.
  package var output: [UInt8]
  /// The digests of outputs that it has read back already.
  package var digests: [FilePath: Digest]
  /// What it has read, if it `discovers`: absolute, or relative to the root; its inputs and outputs may be among it.
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

/// Why a step failed. Actions throw it; the scheduler makes one of every other error.
package struct StepFailure: Error, Sendable {
  /// One line, lower case, no full stop.
  package var message: String
  package var notes: [String] = []
  package var hint: String?
  /// What the user wrote or named that cannot be used (exit code 2), if that is the reason.
  package var mistakes: [Mistake] = []
  package var findings: [Finding] = []
  package var coverage = Coverage()
  /// What the command printed, whole.
  package var output: [UInt8] = []
  /// The command, as it can be pasted into a shell to run it again.
  package var command: String?
  /// Rules refused the outputs for these findings, and will refuse them again for the same inputs.
  package var isRefusal = false
  /// The command's first word, if nothing of that name can be run: of such a step it can still be said what it would do.
  package var missingProgram: String?
  /// Nothing was made this time: nothing has changed since it was refused.
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
