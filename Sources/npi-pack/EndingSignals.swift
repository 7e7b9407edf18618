import BuildEngine
import CLibrary
import Dispatch
import Packaging
import Synchronization

/// Ctrl-C, `kill` and a closed terminal. The process ends by the signal itself, when nothing half-made is left: a shell
/// sees 130, 143 or 129, and a loop in it ends too, as it would not after an exit with that number. Where the signal
/// cannot end it (the first process of a container), it exits with the number.
enum EndingSignals {
  private struct State {
    /// The first that came.
    var received: Int32?
    /// Ends what is going on; nil: nothing is that would have to be put away.
    var cancel: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())
  /// Until the system has been told of them, they are lost.
  private static let registration = DispatchGroup()

  /// From now on they are heard.
  static func watch() {
    // A queue that is nobody else's has a thread even while all processors pack and hash.
    let queue = DispatchQueue(label: "npi-pack.signals")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // The default action would end the process before the source is told.
      let wasIgnored = ProcessSignals.ignore(number)
      // With `nohup` a build goes on without its terminal.
      if number == SIGHUP, wasIgnored { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      // It holds itself: nobody else does, and it is to be there to the end.
      source.setEventHandler { withExtendedLifetime(source) { received(number) } }
      registration.enter()
      source.setRegistrationHandler { registration.leave() }
      source.resume()
    }
  }

  /// On a machine with much to do another thread may take its time, and the work has begun by then.
  private static func waitUntilHeard() { _ = registration.wait(timeout: .now() + 10) }

  private static func received(_ number: Int32) {
    let cancel = state.withLock { state in
      state.received = state.received ?? number
      return state.cancel
    }
    guard let cancel else { end(by: number) }
    cancel()
  }

  /// Work that they cancel: running commands are ended, old outputs stay. More signals change nothing: whoever left at once
  /// would leave commands running and outputs half-made. `told` hears of each.
  static func cancelling<T: Sendable>(
    told: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    ignoreClosedPipes()
    // A file that outgrows the limit (`ulimit -f`) is an error like a full disk. Commands get both as they were.
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

  /// If one came, the process ends by it now.
  static func endIfReceived() {
    if let number = state.withLock({ $0.received }) { end(by: number) }
  }

  private static func end(by number: Int32) -> Never {
    // Whoever is about to begin another one waits for ever.
    Project.abandoningFiles { ProcessSignals.end(by: number) }
    exit(128 + number)
  }
}
