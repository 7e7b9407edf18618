import Dispatch
import Store
import Synchronization
import SystemPackage

/// A command from its start to its end, on a thread of its own.
final class RunningCommand: Sendable {
  private let grace: Duration
  private let state = Mutex(State.new)

  private enum State {
    case new
    case running(ChildProcess)
    /// Its number may be another one's by now.
    case ended(ChildProcess)
    case cancelled
  }

  init(grace: Duration) { self.grace = grace }

  /// Blocks the thread to its end. Nil: it was cancelled before it began. `begun` is called if it was not.
  func run(
    _ command: Invocation, output: FileDescriptor, begun: () -> Void
  ) -> Result<ChildProcess.Status, Errno>? {
    if case .cancelled = state.withLock({ $0 }) { return nil }
    begun()
    // Under the lock: who is to be cancelled has begun, or never does.
    let started = state.withLock { state -> Result<ChildProcess, Errno>? in
      guard case .new = state else { return nil }
      do throws(Errno) {
        let process = try start(command, output: output)
        state = .running(process)
        return .success(process)
      } catch {
        return .failure(error)
      }
    }
    guard let started else { return nil }
    return started.map { process in
      process.waitForEnd()
      return state.withLock { state in
        state = .ended(process)
        return process.reap()
      }
    }
  }

  private func start(_ command: Invocation, output: FileDescriptor) throws(Errno) -> ChildProcess {
    for attempt in 0..<RunningCommand.attempts {
      do throws(Errno) {
        return try ChildProcess.start(
          command.program, words: command.words.map { Array($0.utf8) }, environment: command.environment,
          in: command.directory, output: output)
      } catch {
        // The user's limit of processes, and a program that another thread's child has still open: for a moment.
        guard error == .resourceTemporarilyUnavailable || error == .textFileBusy, attempt + 1 < RunningCommand.attempts
        else { throw error }
        ChildProcess.pause(milliseconds: 10 << UInt32(attempt))
      }
    }
    throw .resourceTemporarilyUnavailable
  }

  private static let attempts = 6

  /// The whole group is told to end and, after the grace, ended, whether its leader has ended before or not.
  func cancel() {
    let isRunning = state.withLock { state in
      guard case .running(let process) = state else {
        if case .new = state { state = .cancelled }
        return false
      }
      process.terminate()
      return true
    }
    guard isRunning else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(grace / .nanoseconds(1)))) {
      self.state.withLock { if case .running(let process) = $0 { process.end() } }
    }
  }

  /// Programs that it has started may be there when it has ended itself.
  func endRest() async {
    guard case .ended(let process) = state.withLock({ $0 }) else { return }
    let grace = grace
    // A new task, because this one is cancelled and could not sleep.
    await Task {
      guard await !RunningCommand.isGone(process, within: grace) else { return }
      process.end()
      // They may still write, and old outputs are about to come back. Not for ever: a dead one may not be reaped.
      _ = await RunningCommand.isGone(process, within: .seconds(1))
    }.value
  }

  private static func isGone(_ process: ChildProcess, within time: Duration) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: time)
    while process.hasGroup {
      if clock.now >= end { return false }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return true
  }
}
