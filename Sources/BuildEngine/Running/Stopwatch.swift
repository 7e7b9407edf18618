import Synchronization

/// How long a step has run; nothing, if it has not begun.
final class Stopwatch: Sendable {
  private let began = Mutex<ContinuousClock.Instant?>(nil)

  func start() { began.withLock { $0 = ContinuousClock().now } }

  var time: Duration { began.withLock { $0?.duration(to: ContinuousClock().now) } ?? .zero }
}
