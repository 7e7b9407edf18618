import Lanes
@testable import BuildEngine
import Store
import Synchronization
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Real commands, and who waits for what is left of them.
@Suite(.timeLimit(.minutes(20))) struct TreeLockTests {
  let scratch = Scratch()

  private var state: StateFolder {
    get throws { StateFolder(try RealDisk(scratch.path)) }
  }

  private var held: [FilePath] {
    get throws { try LockedFile.all(in: OpenFolder(scratch(".npi/tmp"))).map(\.name) }
  }

  private func run(_ script: String, grace: Duration = .milliseconds(300)) async throws -> CommandResult {
    let runner = ProcessRunner(root: scratch.path, temporaryFolder: scratch(".npi/tmp"), grace: grace)
    return try await runner.run(
      Invocation(
        program: "/bin/sh", words: ["sh", "-c", script], environment: [Array("PATH=/usr/local/bin:/usr/bin:/bin".utf8)],
        directory: scratch.path), in: JobSlots(atOnce: 1).takeUp())
  }

  /// Runs it, and cancels it as soon as the file `id` is there; then says what number is in that.
  private func cancelled(_ script: String) async throws -> Int32 {
    let task = Task { try await run(script) }
    while !scratch.exists("id") { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    return try #require(Int32(try scratch.text("id").split(separator: "\n")[0]))
  }

  private func waits(_ whenTold: (Wait) -> Void = { _ in }) async throws -> [Wait] {
    let told = Mutex<[Wait]>([])
    try await state.withTreeLock(outputs: []) { wait in
      told.withLock { $0.append(wait) }
      whenTold(wait)
    } _: {
      #expect(FileLock.holder(scratch(".npi/lock")) == getpid())
    }
    return told.withLock { $0 }
  }

  private func isRunning(_ process: Int32) async throws -> Bool {
    let state = try await Tool.run(["ps", "-o", "stat=", "-p", "\(process)"]).out
    return !state.isEmpty && !state.hasPrefix("Z")
  }

  private let names = "echo $$ > id.tmp; mv id.tmp id"

  /// The leader says goodbye in order; who it started does not listen.
  @Test(.tools) func aLeaderThatEndsWellDoesNotSaveItsChildren() async throws {
    let child = "sh -c 'trap \"\" TERM; \(names); while :; do sleep 0.05; done' &"
    let process = try await cancelled("trap 'exit 0' TERM; \(child) while :; do sleep 0.02; done")
    #expect(try await !isRunning(process))
    #expect(try await waits().isEmpty)
    #expect(try held.isEmpty)
  }

  /// It is in no group of ours any more, and still may write: it is ended, or waited for where nobody tells who it is.
  @Test(.tools) func whoLeftTheGroup() async throws {
    let sleep = "\(names); exec sleep 600"
    let leave = "python3 -c 'import os; os.setsid(); os.execv(\"/bin/sh\", [\"sh\", \"-c\", \"\(sleep)\"])'"
    let process = try await cancelled("\(leave) & wait")
    #if os(Linux)
      #expect(try await !isRunning(process))
      #expect(try await waits().isEmpty)
    #else
      #expect(try await isRunning(process))
      // It goes when it has been named.
      let told = try await waits { wait in if case .longRunning = wait { kill(process, SIGKILL) } }
      #expect(told.first == .commands(startedBy: getpid()))
      guard case .longRunning(let processes, let files)? = told.last, told.count == 2 else {
        Issue.record("\(told)")
        return
      }
      #expect(files.count == 1)
      #expect(processes.isEmpty)
    #endif
    #expect(try held.isEmpty)
  }

  /// A command that has ended well may leave programs behind; nobody waits for them.
  @Test func aDaemonOfAWholeBuildHoldsNothingUp() async throws {
    let result = try await run("sleep 600 & echo $!")
    let process = try #require(Int32(String(decoding: result.output.dropLast(), as: UTF8.self)))
    #expect(try await waits().isEmpty)
    // Nobody has waited for it: it still runs.
    #expect(kill(process, SIGKILL) == 0)
  }

  /// What a killed build left goes; what another process is writing stays.
  @Test func leftoversAreClearedUp() async throws {
    try await Tool.check(["sh", "-c", "mkdir -p .npi/tmp dist; echo 999999999 > .npi/lock"], in: scratch.path)
    let gone = [
      ".npi/tmp/999999999-1.npi-tmp", "dist/.7-999999999.npi-tmp", ".npi/.1-999999999.npi-tmp",
      "dist/.7-\(getpid()).npi-tmp", ".npi/tmp/999999999-2.held.npi-tmp",
    ]
    let staying = [
      "dist/.7-1.npi-tmp", "dist/a.npi-tmp", "dist/7-a.npi-tmp", "dist/a.zip", "other/.7-999999999.npi-tmp",
    ]
    for name in gone + staying { try scratch.write(name, "x") }
    try await state.withTreeLock(outputs: ["dist/a.zip", "missing/a"], waiting: { Issue.record("\($0)") }) {
      #expect(gone.filter(scratch.exists).isEmpty)
      #expect(staying.filter(scratch.exists) == staying)
    }
    #expect(FileLock.holder(scratch(".npi/lock")) == nil)
  }
}
