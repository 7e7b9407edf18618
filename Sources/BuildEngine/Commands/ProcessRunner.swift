package import Store
import Synchronization
package import SystemPackage

/// Runs commands as processes. Each command leads a process group of its own, has an empty standard input, and prints
/// into a file. So its output takes no memory while it runs, a program that it leaves behind does not delay the build,
/// and a later build can tell whether the command still runs if this process is killed (see `TreeLock.swift`).
///
/// When the task is cancelled, the whole group gets SIGTERM and, after the grace period, SIGKILL, whether its leader
/// has ended or not. On Linux, which can list them, programs that left the group (`setsid`) and still print into the
/// file are ended in the same way; elsewhere the next build waits for them. A program that has closed the output is
/// meant to stay, and stays.
package struct ProcessRunner: CommandRunner {
  package let root: SystemPackage.FilePath
  /// The folder for outputs of commands that run, in the tree; it is made if it is missing.
  package let temporaryFolder: SystemPackage.FilePath
  /// The kept size of an output, in bytes: half from its beginning, half from its end.
  package let outputLimit: Int
  /// The time between SIGTERM and SIGKILL.
  package let grace: Duration
  private let idle = IdleOutputs()

  package init(
    root: SystemPackage.FilePath, temporaryFolder: SystemPackage.FilePath, outputLimit: Int = 8 << 20,
    grace: Duration = .seconds(3)
  ) {
    self.root = root
    self.temporaryFolder = temporaryFolder
    self.outputLimit = outputLimit
    self.grace = grace
  }

  package func run(_ command: Invocation, in slot: JobSlot) async throws -> CommandResult {
    let printed = try idle.take(in: temporaryFolder, below: root)
    let running = RunningCommand(grace: grace)
    let ended: Result<ChildProcess.Status, Errno>? = try await withTaskCancellationHandler {
      try await slot.run { begun in
        running.run(command, output: printed.file, begun: begun)
      } isWell: {
        $0 == .success(.exited(0))
      }
    } onCancel: {
      running.cancel()
    }
    if Task.isCancelled {
      await running.endRest()
      await endHolders(of: printed)
      printed.stayWhileHeld()
      throw CancellationError()
    }
    guard let ended else { throw CancellationError() }
    let status: ChildProcess.Status
    do { status = try ended.get() } catch {
      throw StepFailure("the program '\(command.program)' could not be started: \(error)")
    }
    var output = try printed.kept(limit: outputLimit)
    // A command that fails because the disk is full cannot say so in a file on that disk.
    if status != .exited(0), let obstacle = printed.obstacle() {
      output += Array("… what it printed may not be whole: \(obstacle.description.lowercased()) …\n".utf8)
    }
    idle.giveBack(printed)
    return CommandResult(status: status, output: output)
  }

  package func finish() { idle.removeAll() }

  /// Ends processes that have left the group and still print.
  private func endHolders(of printed: LockedFile) async {
    @Sendable func holders() -> [RunningProcess] { LockedFile.holders(of: printed.path, printing: true) }
    holders().forEach { $0.terminate() }
    let grace = grace
    // A new task, because this one is cancelled and could not sleep.
    await Task {
      guard await !RunningCommand.isSoon(within: grace, { holders().isEmpty }) else { return }
      // The wait is limited, because a process that waits for a disk does not end.
      _ = await RunningCommand.isSoon(within: .seconds(1)) { holders().map { $0.end() }.isEmpty }
    }.value
  }
}

/// Output files that no command uses now, for the next commands.
final class IdleOutputs: Sendable {
  private let idle = Mutex<[(output: LockedFile, wasHeld: Bool)]>([])

  /// Another process may still hold the oldest file. One that is found held twice is left to its holder.
  func take(in folder: FilePath, below root: FilePath) throws(FileError) -> LockedFile {
    if let (output, wasHeld) = idle.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      if output.clear() { return output }
      if !wasHeld { idle.withLock { $0.append((output, true)) } }
    }
    guard let folder = try OpenFolder(root).folder(folder, making: true) else {
      throw FileError(folder, doing: "make the folder", code: .noSuchFileOrDirectory)
    }
    return try LockedFile(in: folder)
  }

  func giveBack(_ output: LockedFile) { idle.withLock { $0.append((output, false)) } }

  func removeAll() { idle.withLock { $0.removeAll() } }
}

/// Starts commands. Tests have one whose commands are closures.
package protocol CommandRunner: Sendable {
  /// Runs the command to its end, when it is its turn. Throws `StepFailure` if it could not be started,
  /// `CancellationError` if the task was cancelled; then nothing of the command is left running.
  func run(_ command: Invocation, in slot: JobSlot) async throws -> CommandResult
  /// Removes what is kept for further commands. The process may end before all that refers to the runner is released.
  func finish()
}

extension CommandRunner {
  package func finish() {}
}

package struct Invocation: Sendable {
  /// Absolute.
  package var program: FilePath
  /// The first word is the program's `argv[0]`.
  package var words: [String]
  /// The whole environment, `NAME=value`, sorted by bytes.
  package var environment: [[UInt8]]
  /// Absolute.
  package var directory: FilePath
}

package struct CommandResult: Sendable {
  package typealias Status = ChildProcess.Status

  package var status: Status
  /// Standard output and error in their order; if it was too long, a line in the middle says so.
  package var output: [UInt8] = []
}
