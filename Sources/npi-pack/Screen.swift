import BuildEngine

/// What a status line is drawn on: standard error. Tests have one of their own.
struct Screen: Sendable {
  var write: @Sendable (String) -> Void = { Console.writeError($0) }
  /// How many characters fit in a line now.
  var columns: @Sendable () -> Int = { Terminal.columns(2) }
  var isInForeground: @Sendable () -> Bool = { Terminal.isInForeground(2) }
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// Calls back later, on a thread that no work holds up.
  var later: @Sendable (@escaping @Sendable () -> Void) -> Void = { StatusTicker.later($0) }
}
