import Check
import Findings

/// The status line of a check of many apps on a terminal: `[12/300] Shop (facts of 480 plugins from the remote cache)`.
struct CheckProgress: Sendable {
  private let isLive: Bool
  private let screen = Screen()

  init(_ console: Console) { isLive = console.isTerminal }

  func show(_ state: CheckApps.Progress) {
    guard isLive, state.total > 1, screen.isInForeground() else { return }
    let facts = state.fetched == 0 ? "" : " (facts of \(counted(state.fetched, "plugin")) from the remote cache)"
    var line = StatusLine(done: state.done, total: state.total)
    line.running = StatusLine.Running(summary: state.app + facts)
    screen.write("\r\(line.text(columns: screen.columns()))\u{1B}[K\r")
  }

  /// Erases the line, to be called before anything else is printed.
  func end() { if isLive { screen.write("\r\u{1B}[K") } }
}
