@testable import BuildEngine
import Findings
import Store
import Synchronization
import SystemPackage

/// A tree in memory at `/tree`, programs in `/bin`, and builds over them.
final class World: Sendable {
  static let root: FilePath = "/tree"

  let disk = MemoryDisk()
  let runner: MemoryRunner
  private let tool = Mutex("tool 1")

  init() {
    runner = MemoryRunner(disk: disk)
    disk.put("/bin/join", "join 1", executable: true)
    disk.put("/bin/fail", "fail", executable: true)
    disk.put("/bin/idle", "idle", executable: true)
    disk.put("/bin/copy-tree", "copy-tree", executable: true)
    disk.put("/bin/sh", "sh", executable: true)
    disk.put("/bin/compile", "compile", executable: true)
  }

  func setTool(_ text: String) { tool.withLock { $0 = text } }

  func put(_ path: String, _ text: String) { disk.put(path.inTree, text) }

  func text(_ path: String) -> String? { disk.text(path.inTree) }

  func delete(_ path: String) { disk.delete(path.inTree) }

  func build(
    _ steps: [Step], _ targets: [String] = [], _ options: BuildOptions = BuildOptions(),
    hidden: [FilePath] = [".npi", "dist"],
    host: HostEnvironment = HostEnvironment(path: Array("/bin".utf8), home: Array("/home".utf8)),
    progress: any Progress = NoProgress(), remembers: Bool = false, store: MemoryStore? = nil
  ) async throws -> BuildResult {
    let memory = remembers ? TreeState(disk, seal: .test, writes: options.mode == .build) : nil
    let scheduler = Scheduler(
      graph: try Graph(steps, hidden: hidden), disk: disk, runner: runner,
      host: host, seal: .test,
      fingerprint: Array(tool.withLock { $0 }.utf8), progress: progress, memory: memory, store: store)
    return try await scheduler.run(targets, options: options)
  }

  /// The names of the steps that ran, in their order in the graph.
  func ran(_ steps: [Step], _ targets: [String] = [], _ options: BuildOptions = BuildOptions()) async throws -> [String]
  {
    let result = try await build(steps, targets, options)
    if let failure = result.failed.first?.failure { throw failure }
    return result.ran.map(\.step.name)
  }
}

extension String {
  var inTree: FilePath { World.root.pushing(FilePath(self)) }
}

/// `join OUT IN…` into OUT: the program's own content, then that of each file. Globs and folders are not needed: a step
/// whose words name no file reads all that it was given.
final class MemoryRunner: CommandRunner {
  let disk: MemoryDisk
  private let state = Mutex(State())

  /// What happens while a command runs, before it reads anything.
  let meanwhile = Mutex<(@Sendable (Invocation) -> Void)?>(nil)

  struct State {
    var invocations: [Invocation] = []
    var running = 0
    var maxRunning = 0
  }

  init(disk: MemoryDisk) { self.disk = disk }

  var invocations: [Invocation] { state.withLock { $0.invocations } }
  var maxRunning: Int { state.withLock { $0.maxRunning } }

  func run(_ command: Invocation, in slot: JobSlot) async throws -> CommandResult {
    try await slot.begin()
    state.withLock {
      $0.invocations.append(command)
      $0.running += 1
      $0.maxRunning = max($0.maxRunning, $0.running)
    }
    defer { state.withLock { $0.running -= 1 } }
    // Long enough that others, if they may, begin.
    for _ in 0..<20 { await Task.yield() }
    meanwhile.withLock { $0 }?(command)
    try Task.checkCancellation()
    let arguments = command.words.dropFirst().map { command.directory.pushing(FilePath($0)).lexicallyNormalized() }
    let own = disk.text(command.program) ?? ""
    switch command.program.lastComponent?.string {
    case "join":
      guard let out = arguments.first else { return CommandResult(status: .exited(64)) }
      var text = own
      for path in arguments.dropFirst() {
        guard let content = disk.text(path) else {
          return CommandResult(status: .exited(1), output: Array("join: \(path): not there\n".utf8))
        }
        text += "[\(content)]"
      }
      // Variables that are declared are part of what it does.
      for variable in command.environment.map({ String(decoding: $0, as: UTF8.self) })
      where !variable.hasPrefix("PATH=") && !variable.hasPrefix("HOME=") {
        text += "{\(variable)}"
      }
      disk.put(out, text)
      return CommandResult(status: .exited(0), output: Array("joined\n".utf8))
    case "compile":
      // `compile OUT DEPFILE SOURCE`: lines `#include NAME` are followed, lines that begin with // are left out.
      var read: [FilePath] = []
      var text = ""
      var open = [arguments[2]]
      while let path = open.popLast() {
        guard let content = disk.text(path) else {
          return CommandResult(status: .exited(1), output: Array("compile: \(path): not there\n".utf8))
        }
        read.append(path)
        for line in content.split(separator: "\n") where !line.hasPrefix("//") {
          if line.hasPrefix("#include ") {
            open.append(command.directory.pushing(FilePath(String(line.dropFirst(9)))).lexicallyNormalized())
          } else {
            text += line + "\n"
          }
        }
      }
      disk.put(arguments[0], text)
      let names = read.map { ($0.string.hasPrefix("/tree/") ? String($0.string.dropFirst(6)) : $0.string) }
      disk.put(arguments[1], "out: " + names.map { $0.replacing(" ", with: "\\ ") }.joined(separator: " \\\n  ") + "\n")
      return CommandResult(status: .exited(0))
    case "copy-tree":
      // Copies what is below the first into the second, which must not be there.
      for (path, bytes) in disk.files(below: arguments[0]) {
        disk.put(arguments[1].pushing(FilePath(path)), raw: bytes)
      }
      return CommandResult(status: .exited(0))
    case "fail":
      for path in arguments { disk.put(path, "half") }
      return CommandResult(status: .exited(3), output: Array("it went wrong\n".utf8))
    case "idle": return CommandResult(status: .exited(0))
    default: return CommandResult(status: .exited(127))
    }
  }
}

let here = Place("npi.yml")

/// A step that joins its inputs, by name, into one file.
func join(
  _ name: String, _ out: String, _ inputs: [String], environment: [(name: String, value: String)] = [],
  program: String = "join"
) -> Step {
  Step(
    name: name, summary: name, inputs: inputs.map { .path(FilePath($0), here) }, outputs: [FilePath(out)],
    action: CommandAction(.words([program, out] + inputs), environment: environment), place: here)
}

/// A step that compiles one file and says in `OUT.d` what it has read. It declares the source only.
func compile(_ name: String, _ out: String, _ source: String, inputs: [String] = []) -> Step {
  Step(
    name: name, summary: name, inputs: ([source] + inputs).map { .path(FilePath($0), here) },
    outputs: [FilePath(out), FilePath(out + ".d")],
    action: CommandAction(.words(["compile", out, out + ".d", source]), depfile: FilePath(out + ".d")), place: here)
}

func glob(_ text: String) -> Input {
  do { return .glob(try Glob(text), here) } catch { return .path("bad-glob", here) }
}

/// A step of our own that makes one file from all that its inputs stand for, path by path.
struct Collect: Action {
  var label = "collect"
  let disk: MemoryDisk

  func encode(into encoder: inout some KeyEncoder) { encoder.add("action", label) }

  func run(_ context: ActionContext) async throws -> ActionReport {
    let lines = context.inputs.flatMap { $0 }.map { input in
      "\(input.path)=\(disk.text(context.absolute(input.path)) ?? "-")"
    }
    for output in context.outputs { disk.put(context.absolute(output), lines.joined(separator: "\n")) }
    return ActionReport(notes: ["collected \(lines.count)"])
  }
}

extension World {
  func collect(_ name: String, _ out: String, _ inputs: [Input]) -> Step {
    Step(
      name: name, summary: name, inputs: inputs, outputs: [FilePath(out)], action: Collect(disk: disk), place: here)
  }
}

extension Seal {
  /// Of some user, for some folder.
  static let test = Seal(key: [1])
}
