import BuildEngine
import Findings
import SystemPackage

/// What a build says at its end, on standard output.
struct BuildSummary {
  private(set) var text = ""

  init(_ result: BuildResult, quiet: Bool) {
    guard !quiet else { return }
    for step in result.steps {
      switch step.outcome {
      case .wouldRun(let reason):
        text += "out of date: \(printable(step.step.summary)): \(printable(reason.description))\n"
      case .ran: text += step.step.deliverables.map { "made \($0)\n" }.joined()
      case .upToDate, .failed, .notStarted: break
      }
    }
    if result.nothingToDo { text += "npi-pack: nothing to do\n" }
  }
}

extension Step {
  /// The outputs that leave the plugin's folder: what the engine keeps for itself is left out.
  fileprivate var deliverables: [String] {
    action is CommandAction ? [] : outputs.filter { !$0.starts(with: Graph.stateFolder) }.map { printable($0.string) }
  }
}

extension BuildResult {
  func exitStatus(isQuestion: Bool) -> Int32 {
    if failed.contains(where: { !($0.failure?.mistakes.isEmpty ?? true) }) { return 2 }
    if !succeeded || (isQuestion && !wouldRun.isEmpty) { return 1 }
    return 0
  }
}
