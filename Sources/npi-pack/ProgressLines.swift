import BuildEngine
import Dispatch
import Findings
import Synchronization

/// Progress of a build on standard error: a status line on a terminal (`StatusLine`); elsewhere, and with `-v`, a line
/// for each step, `[3/7] aar RallyConnector.aar`: the third of seven that begins or need not run.
final class ProgressLines: BuildEngine.Progress {
  private let console: Console
  private let quiet: Bool
  private let verbose: Bool
  private let explain: Bool
  private let again: RunAgain
  private let screen: Screen
  private let isLive: Bool
  private let state = Mutex(State())

  private struct State {
    /// Steps that have begun, or were up to date. The engine numbers steps before they begin, so its numbers may come
    /// out of order.
    var begun = 0
    var done = 0
    var total = 0
    /// In the order in which they began.
    var running: [Running] = []
    var isInterrupted = false
    var hasEnded = false
    /// The text of the status line on the screen.
    var shown: String?
    var drawn: ContinuousClock.Instant?
    var ticks = false
    /// Whether anything has been printed after the last failure.
    var failureIsPast = false

    func index(of step: Step) -> Int? { running.firstIndex { $0.step.name.utf8.elementsEqual(step.name.utf8) } }
  }

  private struct Running {
    let step: Step
    var text: String
    let start: ContinuousClock.Instant
    var bytes: StatusLine.Bytes?
    /// Whether its outputs are only fetched yet.
    var isFetched = false
  }

  init(
    _ console: Console, quiet: Bool, verbose: Bool, explain: Bool, again: RunAgain, screen: Screen = Screen()
  ) {
    self.console = console
    self.quiet = quiet
    self.verbose = verbose
    self.explain = explain
    self.again = again
    self.screen = screen
    isLive = console.isTerminal && !quiet && !verbose
  }

  func note(_ text: String) {
    if !quiet { state.withLock { say(printable("npi-pack: \(text)") + "\n", &$0) } }
  }

  func started(_ step: Step, of total: Int, because reason: Reason) {
    var details = ""
    if verbose, !quiet, let command = step.action as? CommandAction {
      details = command.text(root: again.folder).split(separator: "\n").map { printable(String($0)) + "\n" }.joined()
    }
    begin(step, step.summary, of: total, because: reason, details)
  }

  func restoring(_ step: Step, of total: Int, because reason: Reason, from origin: String?) {
    let store = origin ?? "the store"
    begin(step, "\(step.summary) (from \(store))", of: total, because: reason)
  }

  func isKeptHere(_ step: Step, because reason: String) {
    guard explain else { return }
    state.withLock {
      say("explain: \(printable(step.name)): it is not made by a worker: \(printable(reason))\n", &$0)
    }
  }

  private func begin(_ step: Step, _ text: String, of total: Int, because reason: Reason, _ details: String = "") {
    state.withLock { state in
      state.total = total
      var lines = ""
      if let index = state.index(of: step), state.running[index].isFetched { state.running.remove(at: index) }
      if let index = state.index(of: step) {
        // A step that could not be restored runs, and is still the same step.
        state.running[index].text = text
      } else {
        state.begun += 1
        state.running.append(Running(step: step, text: text, start: screen.now()))
        if explain { lines += "explain: \(printable(step.name)): \(printable(reason.description))\n" }
      }
      if !isLive, !quiet { lines += "[\(state.begun)/\(total)] \(printable(text))\n" }
      say(lines + details, &state)
      refresh(&state)
    }
  }

  func fetching(_ step: Step, done: Int64, of total: Int64) {
    guard isLive, total > StatusLine.longBytes else { return }
    state.withLock { expect(step, "from the remote cache", &$0) }
    advanced(step, done: done, of: total)
  }

  func isAway(_ step: Step) {
    guard isLive else { return }
    state.withLock { state in
      expect(step, "on a worker", &state)
      refresh(&state)
    }
  }

  /// The step has not begun here, and may not have to.
  private func expect(_ step: Step, _ place: String, _ state: inout State) {
    guard state.index(of: step) == nil else { return }
    state.running.append(
      Running(step: step, text: "\(step.summary) (\(place))", start: screen.now(), isFetched: true))
  }

  func advanced(_ step: Step, done: Int64, of total: Int64) {
    guard isLive, total > StatusLine.longBytes else { return }
    state.withLock { state in
      guard let index = state.index(of: step) else { return }
      let isNew = state.running[index].bytes == nil
      state.running[index].bytes = StatusLine.Bytes(done: done, total: total)
      // Drawing at once does not slow down a step with so many bytes.
      refresh(&state, now: isNew)
    }
  }

  func finished(_ result: StepResult, of total: Int) {
    var text = quiet ? "" : result.notes.map { printable("\(result.step.summary): \($0)") + "\n" }.joined()
    if verbose, result.failure == nil { text += CommandOutput.text(result.output, color: console.color) }
    if explain, result.failure?.isRemembered ?? false {
      text +=
        "explain: \(printable(result.step.name)): it was refused, and nothing that it depends on has changed since\n"
    }
    state.withLock { state in
      state.total = total
      state.done += 1
      if let index = state.index(of: result.step) {
        state.running.remove(at: index)
      } else {
        state.begun += 1
      }
      say(text, &state)
      if let failure = result.failure {
        say(FailureText(result.step, failure, color: console.color, again, verbose: verbose).text, &state)
        state.failureIsPast = false
      }
      refresh(&state)
    }
  }

  /// Shows that the build has been interrupted; commands may take some time to end.
  func interrupted() {
    state.withLock { state in
      state.isInterrupted = true
      refresh(&state, now: true)
    }
  }

  /// Removes the status line for good. Returns true if the last failure, if there is one, is the last text that was
  /// printed.
  @discardableResult
  func finish() -> Bool {
    state.withLock { state in
      if state.shown != nil { screen.write(ProgressLines.eraser) }
      state.shown = nil
      state.hasEnded = true
      return !state.failureIsPast
    }
  }

  /// Moves to the beginning of the line, where the cursor is unless the user has typed, and erases it.
  private static let eraser = "\r\u{1B}[K"

  private func say(_ text: String, _ state: inout State) {
    guard !text.isEmpty else { return }
    screen.write(state.shown == nil ? text : ProgressLines.eraser + text)
    state.shown = nil
    state.failureIsPast = true
  }

  /// About 16 lines a second: more cannot be read, and thousands of quick steps must not wait for the terminal.
  private static let shortestWait = Duration.milliseconds(60)

  /// Updates the status line, but not too often.
  private func refresh(_ state: inout State, now isUrgent: Bool = false) {
    guard isLive, !state.hasEnded else { return }
    if !state.ticks {
      state.ticks = true
      screen.later { self.tick() }
    }
    let now = screen.now()
    let isEarly = state.drawn.map { $0.duration(to: now) < ProgressLines.shortestWait } ?? false
    // Between two steps nothing is drawn; if that takes long, the ticker draws.
    if isUrgent || !(state.running.isEmpty || isEarly && state.shown != nil) { draw(&state, now) }
  }

  private func tick() {
    state.withLock { state in
      guard !state.hasEnded else { return }
      if !state.running.isEmpty || state.done < state.total { draw(&state, screen.now()) }
      screen.later { self.tick() }
    }
  }

  private func draw(_ state: inout State, _ now: ContinuousClock.Instant) {
    guard screen.isInForeground() else { return }
    var line = StatusLine(done: state.done, total: state.total)
    line.isInterrupted = state.isInterrupted
    if let first = state.running.first {
      let seconds = Int(first.start.duration(to: now).components.seconds)
      line.running = StatusLine.Running(summary: first.text, seconds: seconds, bytes: first.bytes)
      line.others = state.running.count - 1
    }
    let text = line.text(columns: screen.columns())
    guard text != state.shown else { return }
    // The line is overwritten before its rest is erased, which avoids flicker. The cursor stays in front, so that `^C`
    // does not wrap the line.
    screen.write("\r\(text)\u{1B}[K\r")
    state.shown = text
    state.drawn = now
  }
}

/// The target of a status line: standard error, or a test's own.
struct Screen: Sendable {
  var write: @Sendable (String) -> Void = { Console.writeError($0) }
  var columns: @Sendable () -> Int = { Terminal.columns(2) }
  var isInForeground: @Sendable () -> Bool = { Terminal.isInForeground(2) }
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// Calls back later, so that seconds advance while nothing else happens. It uses a queue, because tasks wait when all
  /// threads pack or hash.
  var later: @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
    Screen.queue.asyncAfter(deadline: .now() + Screen.tick, execute: body)
  }

  /// The line shows seconds, so a delay of a tenth is invisible.
  private static let tick = DispatchTimeInterval.milliseconds(100)
  private static let queue = DispatchQueue(label: "npi-pack.status")
}
