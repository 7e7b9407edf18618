import BuildEngine
import Findings
import Synchronization

/// What is shown while a build runs. On a terminal a status line that is written over, `[3/7] aar RallyConnector.aar`;
/// elsewhere a plain line a step. Notes and failures stay.
final class ProgressLines: BuildEngine.Progress {
  private let console: Console
  private let quiet: Bool
  private let verbose: Bool
  private let explain: Bool
  private let state = Mutex(State())

  private struct State {
    /// Steps that have begun, or were found up to date.
    var count = 0
    var running: Set<String> = []
    var lineIsShown = false
    var bytes = ""
  }

  init(_ console: Console, quiet: Bool, verbose: Bool, explain: Bool) {
    self.console = console
    self.quiet = quiet
    self.verbose = verbose
    self.explain = explain
  }

  func started(_ step: Step, number: Int, of total: Int, because reason: Reason) {
    begin(step, step.summary, of: total, because: reason) {
      if let command = step.action as? CommandAction { "\(printable(command.text))\n" } else { "" }
    }
  }

  func restoring(_ step: Step, number: Int, of total: Int, because reason: Reason) {
    begin(step, "\(step.summary) (from the store)", of: total, because: reason) { "" }
  }

  private func begin(
    _ step: Step, _ text: String, of total: Int, because reason: Reason, _ details: () -> String
  ) {
    state.withLock { state in
      // Our own count: the engine numbers steps before it knows whether they run, so its numbers may come out of order.
      // What could not be restored runs: it is still the same step.
      if state.running.insert(step.name).inserted {
        state.count += 1
        if explain { say("explain: \(printable(step.name)): \(printable(reason.description))\n", &state) }
      }
      state.bytes = ""
      if quiet { return }
      if console.isTerminal, !verbose {
        show("[\(state.count)/\(total)] \(text)", &state)
      } else {
        erase(&state)
        Console.writeError("[\(state.count)/\(total)] \(printable(text))\n")
        if verbose { Console.writeError(details()) }
      }
    }
  }

  func advanced(_ step: Step, done: Int64, of total: Int64) {
    // Short work needs no bar.
    guard console.isTerminal, !quiet, !verbose, total > 32 << 20 else { return }
    state.withLock { state in
      let filled = Int(20 * done / max(1, total))
      let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: max(0, 20 - filled))
      let text = "\(step.summary) [\(bar)] \(done >> 20)/\(total >> 20) MB"
      guard text != state.bytes else { return }
      state.bytes = text
      show(text, &state)
    }
  }

  func finished(_ result: StepResult, number: Int, of total: Int) {
    state.withLock { state in
      if state.running.remove(result.step.name) == nil { state.count += 1 }
      if !quiet {
        for note in result.notes { say("\(result.step.summary): \(note)\n", &state) }
      }
      if verbose, !result.output.isEmpty { say(result.outputText, &state) }
      if let failure = result.failure { say(FailureText(result.step, failure, console).text, &state) }
    }
  }

  /// Takes the status line away.
  func finish() { state.withLock { erase(&$0) } }

  private func show(_ text: String, _ state: inout State) {
    // A line that wraps cannot be written over.
    Console.writeError("\r\u{1B}[K\(printable(text).prefix(78))")
    state.lineIsShown = true
  }

  private func say(_ text: String, _ state: inout State) {
    erase(&state)
    Console.writeError(text)
  }

  private func erase(_ state: inout State) {
    if state.lineIsShown { Console.writeError("\r\u{1B}[K") }
    state.lineIsShown = false
  }
}

extension StepResult {
  fileprivate var outputText: String { String(decoding: output, as: UTF8.self).withFinalNewline }
}

extension String {
  fileprivate var withFinalNewline: String { isEmpty || hasSuffix("\n") ? self : self + "\n" }
}

/// A failed step as text: what failed and why, the command to run it again, and all that it printed.
struct FailureText {
  let text: String

  init(_ step: Step, _ failure: StepFailure, _ console: Console) {
    let renderer = TextRenderer(color: console.color)
    guard failure.mistakes.isEmpty else {
      text = failure.mistakes.map(renderer.render).joined()
      return
    }
    var lines = renderer.render(
      Mistake("\(step.summary): \(failure.message)", at: nil, notes: failure.notes, hint: failure.hint))
    if let command = failure.command {
      let commandLines = command.split(separator: "\n").map { printable(String($0)) }
      lines += "  command: " + commandLines.joined(separator: "\n           ") + "\n"
    }
    lines += String(decoding: failure.output, as: UTF8.self).withFinalNewline
    text = lines
  }
}
