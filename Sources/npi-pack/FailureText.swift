import BuildEngine
import Findings

/// A failed step as text, when it fails: what and why, the command to run it again, and all that it printed.
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
