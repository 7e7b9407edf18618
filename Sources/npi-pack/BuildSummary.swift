import BuildEngine
import Findings
import SystemPackage

/// What a build says at its end, on standard output.
struct BuildSummary {
  private(set) var text = ""

  /// Only deliverables are named: what was made in `out`.
  init(_ result: BuildResult, out: FilePath, quiet: Bool) {
    guard !quiet else { return }
    for step in result.steps {
      switch step.outcome {
      case .wouldRun(let reason):
        text += "out of date: \(printable(step.step.summary)): \(printable(reason.description))\n"
      case .ran: text += lines("made", step)
      case .restored: text += lines("restored", step)
      case .upToDate, .failed, .notStarted: break
      }
    }
    func lines(_ verb: String, _ step: StepResult) -> String {
      step.step.outputs.filter { $0.starts(with: out) }.map { "\(verb) \(printable($0.string))\n" }.joined()
    }
    if result.nothingToDo { text += BuildSummary.nothingToDo }
  }

  static let nothingToDo = "npi-pack: nothing to do\n"
}

extension BuildResult {
  /// Whether there is something to be said of steps that have not failed.
  var hasFindingsOfOthers: Bool { steps.contains { $0.failure == nil && !$0.findings.isEmpty } }

  func exitStatus(isQuestion: Bool) -> Int32 {
    if failed.contains(where: { !($0.failure?.mistakes.isEmpty ?? true) }) { return 2 }
    if !succeeded || (isQuestion && !wouldRun.isEmpty) { return 1 }
    return 0
  }
}
