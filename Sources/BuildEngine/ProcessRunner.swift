import Store
import Subprocess
package import SystemPackage

#if canImport(Darwin)
  import Darwin
  import System
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Real processes. Each command leads a process group of its own, gets nothing on standard input, and prints into a
/// file: its output takes no memory while it runs, a program that it leaves behind holds nothing up, and a later build can
/// tell whether it still runs if this process is killed (`HeldFile`; why so, says `TreeLock.swift`).
///
/// When the task is cancelled, the whole group is told to end (SIGTERM) and, after the grace, ended (SIGKILL), whether its
/// leader has ended before or not. A program that has left the group (`setsid`) is out of reach: only Linux could give
/// it back (`PR_SET_CHILD_SUBREAPER`), for the whole process and only once its parents are gone, and whoever calls `setsid`
/// means to stay. It is not lost sight of: if it still has the output, the next build waits for it.
package struct ProcessRunner: CommandRunner {
  /// Where the output goes meanwhile; made if it is not there.
  package let temporaryFolder: SystemPackage.FilePath
  /// How much of the output is kept, in bytes: half from its beginning, half from its end.
  package let outputLimit: Int
  /// How long a command that is told to end (SIGTERM) may take before it is ended (SIGKILL).
  package let grace: Duration
  private let idle = IdleOutputs()

  package init(
    temporaryFolder: SystemPackage.FilePath, outputLimit: Int = 8 << 20, grace: Duration = .seconds(3)
  ) {
    self.temporaryFolder = temporaryFolder
    self.outputLimit = outputLimit
    self.grace = grace
  }

  package func run(_ command: Invocation) async throws -> CommandResult {
    let printed = try idle.take(in: temporaryFolder)
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [.send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: grace)]
    // The same for both. Not `.combinedWithOutput`: swift-subprocess 1.0.2 then makes a copy of a descriptor that it is not
    // to close, and never closes that either; one more stays open with each command, and the file counts as held.
    let sink = FileDescriptorOutput.fileDescriptor(
      ProcessRunner.file(printed.file), closeAfterSpawningProcess: false)
    let status: TerminationStatus
    do {
      try Task.checkCancellation()
      let result = try await Subprocess.run(
        .path(ProcessRunner.path(command.program)),
        arguments: Arguments(
          executablePathOverride: terminated(command.words.first ?? ""),
          remainingValues: command.words.dropFirst().map(terminated)),
        environment: .custom(command.environment.map { $0 + [0] }),
        workingDirectory: ProcessRunner.path(command.directory), platformOptions: options, input: .none,
        output: sink, error: sink)
      status = result.terminationStatus
      if Task.isCancelled {
        await endGroup(result.processIdentifier.value)
        printed.stayWhileHeld()
        throw CancellationError()
      }
    } catch let error as SubprocessError {
      if Task.isCancelled { throw CancellationError() }
      throw StepFailure("the program '\(command.program)' could not be started: \(error.description)")
    }
    let output = try printed.kept(limit: outputLimit)
    idle.giveBack(printed)
    return switch status {
    case .exited(let code): CommandResult(status: .exited(code), output: output)
    case .signaled(let signal): CommandResult(status: .signalled(signal), output: output)
    }
  }

  /// Its leader has ended, but programs that it started may not have. As long as one is there, the system gives the
  /// group's number to nobody else.
  private func endGroup(_ group: pid_t) async {
    let grace = grace
    // A new task, because this one is cancelled and could not sleep.
    await Task {
      guard await !ProcessRunner.isGone(group, within: grace) else { return }
      _ = kill(-group, SIGKILL)
      // They may be in the middle of a write, and the old outputs are about to be put back. Not for ever: who has ended
      // but is never waited for (a container without an init) counts as there.
      _ = await ProcessRunner.isGone(group, within: .seconds(1))
    }.value
  }

  private static func isGone(_ group: pid_t, within time: Duration) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: time)
    while kill(-group, 0) == 0 {
      if clock.now >= end { return false }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return true
  }

  /// The system's functions take bytes up to a zero.
  private func terminated(_ word: String) -> [UInt8] { Array(word.utf8) + [0] }

  // swift-subprocess takes the types of the system's own module on Apple systems, and SystemPackage's elsewhere.
  #if canImport(Darwin)
    private static func path(_ path: SystemPackage.FilePath) -> System.FilePath { System.FilePath(path.string) }

    private static func file(_ file: SystemPackage.FileDescriptor) -> System.FileDescriptor {
      System.FileDescriptor(rawValue: file.rawValue)
    }
  #else
    private static func path(_ path: SystemPackage.FilePath) -> SystemPackage.FilePath { path }

    private static func file(_ file: SystemPackage.FileDescriptor) -> SystemPackage.FileDescriptor { file }
  #endif
}
