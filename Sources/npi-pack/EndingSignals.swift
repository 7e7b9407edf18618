import BuildEngine
import CLibrary
import Dispatch
import Packaging
import Synchronization

/// Handles Ctrl-C, `kill` and a closed terminal. The process ends by the signal itself, after half-made files have been
/// removed: a shell sees 130, 143 or 129, and a loop in it ends too, as it would not after an exit with that number.
/// Where the signal cannot end it (the first process of a container), it exits with the number.
enum EndingSignals {
  private struct State {
    /// The first signal that arrived.
    var received: Int32?
    /// Cancels the current work; nil if there is no work to clean up after.
    var cancel: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())
  /// Until the system has registered the sources, signals end the process by themselves.
  private static let registration = DispatchGroup()

  /// Begins to handle the signals.
  static func watch() {
    // A private queue has a thread even while packing and hashing occupy all processors.
    let queue = DispatchQueue(label: "npi-pack.signals")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // A build under `nohup` goes on without its terminal.
      if number == SIGHUP, ProcessSignals.isIgnored(number) { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      // The source retains itself, because it has to live until the process ends.
      source.setEventHandler { withExtendedLifetime(source) { received(number) } }
      registration.enter()
      // Ignored before, a signal that arrives meanwhile would be lost.
      source.setRegistrationHandler {
        ProcessSignals.dropDefaultAction(number)
        registration.leave()
      }
      source.resume()
    }
  }

  /// On a busy machine the registration may take so long that work would begin before it.
  private static func waitUntilHeard() { _ = registration.wait(timeout: .now() + 10) }

  private static func received(_ number: Int32) {
    let cancel = state.withLock { state in
      state.received = state.received ?? number
      return state.cancel
    }
    guard let cancel else { end(by: number) }
    cancel()
  }

  /// Runs work that a signal cancels: running commands are ended, and old outputs stay. Further signals change nothing,
  /// because leaving at once would leave commands running and outputs half-made. `told` is called for each signal.
  static func cancelling<T: Sendable>(
    told: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    ignoreClosedPipes()
    // A file that outgrows the limit (`ulimit -f`) is an error like a full disk. Commands are started with the original
    // handling of both signals.
    signal(SIGXFSZ, SIG_IGN)
    waitUntilHeard()
    let task = Task { try await work() }
    state.withLock { state in
      state.cancel = {
        task.cancel()
        told()
      }
    }
    defer { state.withLock { $0.cancel = nil } }
    return try await task.value
  }

  /// If a signal has arrived, the process ends by it now.
  static func endIfReceived() {
    if let number = state.withLock({ $0.received }) { end(by: number) }
  }

  private static func end(by number: Int32) -> Never {
    // Threads that are about to begin another file block forever.
    Project.abandoningFiles { ProcessSignals.end(by: number) }
    exit(128 + number)
  }
}
