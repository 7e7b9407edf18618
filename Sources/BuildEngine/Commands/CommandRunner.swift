package import Store
package import SystemPackage

/// Starts commands. Tests have one whose commands are closures.
package protocol CommandRunner: Sendable {
  /// Runs the command to its end, when it is its turn. Throws `StepFailure` if it could not be started,
  /// `CancellationError` if the task was cancelled; then nothing of the command is left running.
  func run(_ command: Invocation, in slot: JobSlot) async throws -> CommandResult
}

/// A command with everything that reaches it.
package struct Invocation: Sendable {
  /// The absolute path of the program.
  package var program: FilePath
  /// The words of the command; the first is what the program is told that its name is.
  package var words: [String]
  /// The whole environment, `NAME=value`, sorted by bytes.
  package var environment: [[UInt8]]
  /// The absolute folder in which it runs.
  package var directory: FilePath
}

package struct CommandResult: Sendable {
  package typealias Status = ChildProcess.Status

  package var status: Status
  /// Standard output and error in their order; too much of it has a line in the middle that says so.
  package var output: [UInt8] = []
}
