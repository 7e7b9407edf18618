package import Findings
import Store
package import SystemPackage

package struct BuildResult: Sendable {
  /// Every selected step, in the order of the graph.
  package let steps: [StepResult]
  /// The task was cancelled before everything was done.
  package let wasCancelled: Bool

  package init(steps: [StepResult], wasCancelled: Bool) {
    self.steps = steps
    self.wasCancelled = wasCancelled
  }

  package var ran: [StepResult] { steps.filter { if case .ran = $0.outcome { true } else { false } } }
  package var restored: [StepResult] { steps.filter { if case .restored = $0.outcome { true } else { false } } }
  package var upToDate: [StepResult] { steps.filter { if case .upToDate = $0.outcome { true } else { false } } }
  package var failed: [StepResult] { steps.filter { $0.failure != nil } }
  package var wouldRun: [StepResult] { steps.filter { if case .wouldRun = $0.outcome { true } else { false } } }
  package var notStarted: [StepResult] { steps.filter { if case .notStarted = $0.outcome { true } else { false } } }

  package var nothingToDo: Bool { !wasCancelled && upToDate.count == steps.count }
  package var succeeded: Bool { failed.isEmpty && !wasCancelled }
  package var notes: [String] { steps.flatMap(\.notes) }
  package var findings: [Finding] { steps.flatMap(\.findings) }
  /// The rules that have judged the outputs, now or when they were made.
  package var coverage: Coverage { Coverage(steps.flatMap(\.coverage.parts)) }
  /// The coverage of the steps that were not up to date.
  package var newCoverage: Coverage {
    let done = steps.filter { if case .upToDate = $0.outcome { false } else { true } }
    return Coverage(done.flatMap(\.coverage.parts))
  }
}

package struct StepResult: Sendable {
  package let step: Step
  package let outcome: Outcome
  package internal(set) var notes: [String]
  package let findings: [Finding]
  package let coverage: Coverage
  /// The output of its command, whether it failed or not.
  package let output: [UInt8]
  /// Zero if it did not run.
  package let duration: Duration
  /// Its outputs that are files, as they are now.
  package let files: [MadeOutput]

  package init(
    _ step: Step, _ outcome: Outcome, notes: [String] = [], findings: [Finding] = [], coverage: Coverage = Coverage(),
    output: [UInt8] = [], duration: Duration = .zero, files: [MadeOutput] = []
  ) {
    self.step = step
    self.outcome = outcome
    self.notes = notes
    self.findings = findings
    self.coverage = coverage
    self.output = output
    self.duration = duration
    self.files = files
  }

  package var failure: StepFailure? { if case .failed(let failure) = outcome { failure } else { nil } }
}

package struct MadeOutput: Sendable {
  /// Relative to the root.
  package let path: FilePath
  /// In bytes.
  package let size: Int64
  /// In hexadecimal digits.
  package let sha256: String

  /// Nil for a folder or a link.
  init?(_ output: [ResolvedInput]) {
    guard output.count == 1, output[0].kind == .regular, output[0].linkTarget == nil, let digest = output[0].digest
    else { return nil }
    (path, size, sha256) = (output[0].path, output[0].size, digest.hex)
  }
}

package enum Outcome: Sendable {
  case upToDate
  case ran(Reason)
  /// Out of date for this reason; outputs that were once made from the same inputs were restored.
  case restored(Reason)
  /// The outcome in a dry run or a question.
  case wouldRun(Reason)
  case failed(StepFailure)
  case notStarted(Blocker)
}

/// The reason why a step is out of date.
package enum Reason: Sendable, Equatable, CustomStringConvertible {
  /// Everything was asked to run (`-B`).
  case forced
  /// The log has no record of the step.
  case neverRan
  /// Its inputs, its action, a program or the tool changed; the value is the first difference.
  case changed(KeyChange?)
  case outputMissing(FilePath)
  /// The output is not what the step made.
  case outputChanged(FilePath)
  /// A step that it needs would run, with unknown results (dry runs only).
  case follows(String)
  /// The program that it runs is not on this machine (dry runs only).
  case programMissing(String)

  package var description: String {
    switch self {
    case .forced: "it was asked for"
    case .neverRan: "it has not been built yet"
    case .changed(nil): "what it depends on has changed"
    case .changed(let change?): change.description
    case .outputMissing(let path): "'\(path)' is missing"
    case .outputChanged(let path): "'\(path)' was changed by somebody else"
    case .follows(let step): "it needs '\(step)'"
    case .programMissing(let program): "the program '\(program)' was not found here"
    }
  }
}

/// The reason why a step was not started.
package enum Blocker: Sendable, Equatable {
  /// A step that it needs, directly or not, has failed: its name.
  case failure(of: String)
  /// Another step has failed without `-k`, or the question is answered.
  case stopped
  case cancelled
}

package struct BuildOptions: Sendable {
  package enum Mode: Sendable {
    case build
    /// Say what would run (`-n`); nothing is written.
    case dryRun
    /// Find out whether something is out of date (`-q`): ends at the first step that is; nothing is written.
    case question
  }

  package var mode: Mode
  /// The number of steps that run at once (`-j`); at least 1.
  package var jobs: Int
  /// After a failure, run the steps that do not need the failed one (`-k`).
  package var keepGoing: Bool
  /// Build as if nothing had been built (`-B`).
  package var force: Bool
  /// Use nothing that earlier builds left: no digests, no store, no other machine.
  package var isFresh = false
  /// Nil if no trace is wanted.
  package var trace: Trace?
  /// The sandbox for commands; nil if they see everything.
  package var sandbox: Sandbox?
  /// Reports undeclared files in commands, and the files of steps that are up to date (`-v`, `--explain`).
  package var isVerbose = false

  /// The number of steps that run at once by default.
  package static var processors: Int { HostProcess.processors }

  package init(mode: Mode = .build, jobs: Int = 1, keepGoing: Bool = false, force: Bool = false) {
    self.mode = mode
    self.jobs = max(1, jobs)
    self.keepGoing = keepGoing
    self.force = force
  }

  /// The number of steps that are taken up at once if another machine is asked for their outputs: the answers take their
  /// time, and it is the same for one and for many.
  static let lookUps = 64

  /// The number of steps that are taken up at once, some to compute keys. With one job the order is always the same.
  var takenUp: Int { jobs == 1 || mode != .build ? jobs : 2 * jobs }
}
