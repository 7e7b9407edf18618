import BuildEngine
import Findings
import Packaging

/// What a build says of its failures at its very end, when they are far up: what failed, why, how to run it again.
///
///     npi-pack: 2 of 7 steps failed
///       run libA: it ended with status 2
///         again: (cd ios && make libA.a)
///       ios-zip Rally-1.4.0-ios.zip: it does not pass the rules of its host: 1 error
///         again: npi-pack ios
///       3 steps were not started: they need a failed one
///
/// A single failure that was the last thing to be printed is not repeated.
struct FailureSummary {
  private(set) var text = ""

  init(_ result: BuildResult, isLast: Bool, color: Bool, _ again: RunAgain) {
    let failed = result.failed
    guard !failed.isEmpty else { return }
    let isRepeated = failed.count > 1 || !isLast
    let rest = FailureSummary.notStarted(result)
    guard isRepeated else {
      text = rest.map { "npi-pack: \($0)\n" }.joined()
      return
    }
    let count = "\(failed.count) of \(result.steps.count) \(result.steps.count == 1 ? "step" : "steps") failed"
    text = "npi-pack: \(color ? "\u{1B}[1;31m\(count)\u{1B}[0m" : count)\n"
    for step in failed {
      guard let failure = step.failure else { continue }
      text += "  \(printable("\(step.step.summary): \(FailureSummary.reason(failure))"))\n"
      text += "    again: \(printable(again.line(step.step, failure)))\n"
    }
    text += rest.map { "  \($0)\n" }.joined()
  }

  /// In one line.
  private static func reason(_ failure: StepFailure) -> String {
    guard let first = failure.mistakes.first else { return failure.message }
    let place = first.place.map { " (\($0))" } ?? ""
    let more = failure.mistakes.count - 1
    return first.message + place + (more > 0 ? ", and \(more) more \(more == 1 ? "mistake" : "mistakes")" : "")
  }

  private static func notStarted(_ result: BuildResult) -> [String] {
    var dependent = 0
    var stopped = 0
    // Nobody has asked for the record: that there is none goes without saying.
    for step in result.notStarted where step.step.name != Plan.recordStep {
      switch step.outcome {
      case .notStarted(.failure): dependent += 1
      // A question ends early, too.
      case .notStarted(.stopped) where result.wouldRun.isEmpty: stopped += 1
      default: break
      }
    }
    var lines: [String] = []
    if dependent > 0 {
      let one = dependent == 1
      lines.append(
        "\(dependent) \(one ? "step was" : "steps were") not started: \(one ? "it needs" : "they need") a failed one")
    }
    if stopped > 0 {
      let subject = dependent > 0 ? "more" : stopped == 1 ? "step" : "steps"
      lines.append("\(stopped) \(subject) \(stopped == 1 ? "was" : "were") not started: -k goes on after a failure")
    }
    return lines
  }
}

/// What is printed when a step fails: why, the command to run it again, and all that it printed.
struct FailureText {
  let text: String

  init(_ step: Step, _ failure: StepFailure, color: Bool, _ again: RunAgain) {
    let renderer = TextRenderer(color: color)
    guard failure.mistakes.isEmpty else {
      text = failure.mistakes.map(renderer.render).joined()
      return
    }
    var lines = renderer.render(
      Mistake("\(step.summary): \(failure.message)", at: nil, notes: failure.notes, hint: failure.hint))
    if let command = again.command(step, failure) {
      let commandLines = command.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
      lines += "  command: " + commandLines.joined(separator: "\n") + "\n"
    }
    text = lines + CommandOutput.text(failure.output, color: color)
  }
}
