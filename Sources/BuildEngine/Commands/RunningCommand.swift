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
    /// The system may have given its number to another process.
    case ended(ChildProcess)
    case cancelled
  }

  init(grace: Duration) { self.grace = grace }

  /// Blocks the thread until the command ends; nil if it was cancelled before. `begun` is called before the start.
  func run(
    _ command: Invocation, output: FileDescriptor, begun: () -> Void
  ) -> Result<ChildProcess.Status, Errno>? {
    if case .cancelled = state.withLock({ $0 }) { return nil }
    begun()
    // The start happens under the lock, so that `cancel` sees a process that has begun or prevents it.
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
        // Both pass soon: the user's process limit, and a program file that another thread's child has still open.
        guard error == .resourceTemporarilyUnavailable || error == .textFileBusy, attempt + 1 < RunningCommand.attempts
        else { throw error }
        ChildProcess.pause(milliseconds: 10 << UInt32(attempt))
      }
    }
    throw .resourceTemporarilyUnavailable
  }

  private static let attempts = 6

  /// Sends SIGTERM to the whole group and, if the command still runs after the grace period, SIGKILL.
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

  /// Ends programs of its group that outlive the command.
  func endRest() async {
    guard case .ended(let process) = state.withLock({ $0 }) else { return }
    let grace = grace
    // A new task, because this one is cancelled and could not sleep.
    await Task {
      guard await !RunningCommand.isSoon(within: grace, { !process.hasGroup }) else { return }
      process.end()
      // They may still write, and old outputs are about to be put back. The wait is limited: one may stay unreaped.
      _ = await RunningCommand.isSoon(within: .seconds(1)) { !process.hasGroup }
    }.value
  }

  /// Waits until the condition holds; false if it does not within the time. Checks are counted and not the time, so
  /// that on a machine that stands still for a second the processes get their turns as well as this task.
  static func isSoon(within time: Duration, _ isSo: @Sendable () -> Bool) async -> Bool {
    let pause = Duration.milliseconds(10)
    for _ in 0..<max(1, Int(time / pause)) {
      if isSo() { return true }
      try? await Task.sleep(for: pause)
    }
    return isSo()
  }
}
