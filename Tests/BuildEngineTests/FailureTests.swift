import BuildEngine
import Findings
import Store
import Synchronization
import SystemPackage
import Testing

@Suite struct FailureTests {
  let world = World()

  private func failing(_ name: String, _ out: String, _ inputs: [String] = ["in"]) -> Step {
    Step(
      name: name, summary: name, inputs: inputs.map { .path(FilePath($0), here) }, outputs: [FilePath(out)],
      action: CommandAction(.words(["fail", out])), place: here)
  }

  @Test func stopsAndKeepsTheOldOutput() async throws {
    world.put("in", "1")
    #expect(try await world.ran([join("x", "out", ["in"]), join("y", "out2", ["out"])]) == ["x", "y"])
    let old = world.text("out")
    let steps = [failing("x", "out"), join("y", "out2", ["out"]), join("z", "out3", ["in"])]
    let result = try await world.build(steps)
    #expect(result.failed.map(\.step.name) == ["x"])
    #expect(result.notStarted.map(\.step.name) == ["y", "z"])
    #expect(!result.succeeded)
    let failure = try #require(result.failed.first?.failure)
    #expect(failure.message == "it ended with status 3")
    #expect(String(decoding: failure.output, as: UTF8.self) == "it went wrong\n")
    #expect(failure.command == "fail out")
    #expect(world.text("out") == old)
    // Nothing of the failure was remembered: the old step is still up to date.
    #expect(try await world.ran([join("x", "out", ["in"])]) == [])
  }

  @Test func leavesNothingHalfMade() async throws {
    world.put("in", "1")
    _ = try await world.build([failing("x", "deep/out")])
    #expect(world.text("deep/out") == nil)
    #expect(world.disk.files(below: "/tree/.npi/aside").isEmpty)
  }

  @Test func keepsGoing() async throws {
    world.put("in", "1")
    let steps = [
      failing("bad", "o1"), join("needs-bad", "o2", ["o1"]), join("needs-that", "o3", ["o2"]),
      join("good", "o4", ["in"]),
    ]
    let result = try await world.build(steps, [], BuildOptions(keepGoing: true))
    #expect(result.ran.map(\.step.name) == ["good"])
    #expect(result.failed.map(\.step.name) == ["bad"])
    #expect(
      result.notStarted.map(\.outcome.blocker) == [.failure(of: "bad"), .failure(of: "bad")])
    #expect(result.steps.map(\.step.name) == ["bad", "needs-bad", "needs-that", "good"])
  }

  @Test func anOutputThatWasNotMade() async throws {
    world.put("in", "1")
    let step = Step(
      name: "idle", summary: "", inputs: [.path("in", here)], outputs: ["a", "b"],
      action: CommandAction(.words(["join", "a", "in"])), place: here)
    let result = try await world.build([step])
    let failure = try #require(result.failed.first?.failure)
    #expect(failure.message == "it ended well but did not make 'b'")
    #expect(String(decoding: failure.output, as: UTF8.self) == "joined\n")
    #expect(world.text("a") == nil)
  }

  @Test func aProgramThatIsNotThere() async throws {
    world.put("in", "1")
    world.put("tool", "x")
    let steps = [
      join("path", "o1", ["in"], program: "missing"), join("tree", "o2", ["in"], program: "./missing"),
      join("mode", "o3", ["in"], program: "./tool"),
    ]
    let result = try await world.build(steps, [], BuildOptions(keepGoing: true))
    let failures = result.failed.compactMap(\.failure)
    #expect(
      failures.map(\.message) == [
        "the program 'missing' was not found", "the program './missing' is not there",
        "'./tool' cannot be run: it is not executable",
      ])
    #expect(failures[0].notes == ["looked in PATH: /bin"])
    #expect(world.runner.invocations.isEmpty)
  }

  /// An action that replaces its output in one go, and fails before or after.
  @Test func anOutputThatWasNotTouchedStays() async throws {
    struct Fails: Action {
      let disk: MemoryDisk
      let touches: Bool
      func encode(into encoder: inout some KeyEncoder) { encoder.add("touches", touches) }
      func run(_ context: ActionContext) async throws -> ActionReport {
        if touches { disk.put(context.absolute(context.outputs[0]), "half") }
        throw StepFailure("no", findings: [Finding("missing-library", .error, "x")])
      }
    }
    for touches in [false, true] {
      world.put("out", "old")
      let step = Step(
        name: "s", summary: "", inputs: [], outputs: ["out"], action: Fails(disk: world.disk, touches: touches),
        place: here)
      let result = try await world.build([step])
      #expect(result.findings.map(\.message) == ["x"])
      #expect(world.text("out") == (touches ? nil : "old"))
    }
  }

  @Test func aFullDiskIsReported() async throws {
    world.put("in", "1")
    world.disk.fill("/tree/.npi/log")
    await #expect(throws: (any Error).self) { try await world.build([join("x", "out", ["in"])]) }
  }

  /// At each of the engine's own changes: folders, old outputs put aside and back, the log.
  @Test func aDiskThatIsFullFromAnyMomentOn() async throws {
    let steps = [join("x", "deep/x", ["in"]), join("y", "y", ["deep/x"])]
    var point = 0
    var succeeded = false
    while !succeeded {
      let world = World()
      world.put("in", "1")
      _ = try await world.ran(steps)
      let old = ["deep/x", "y"].map { world.text($0) }
      // The folder of the records is there or not: both are of interest.
      if point % 2 == 1 { world.delete(".npi/tmp") }
      world.put("in", "2")
      world.disk.fill(afterChanges: point / 2)
      do {
        let result = try await world.build(steps)
        succeeded = result.succeeded
        for failure in result.failed.compactMap(\.failure) {
          #expect(failure.message.hasSuffix("no space left on device"))
        }
      } catch let error as FileError {
        #expect(error.code == .noSpace)
      }
      for (path, text) in zip(["deep/x", "y"], old) {
        let whole = [text, text?.replacing("[1]", with: "[2]")]
        #expect(whole.contains(world.text(path)), "\(path) after \(point / 2) changes")
      }
      world.disk.fill(afterChanges: nil)
      #expect(try await world.build(steps).succeeded)
      #expect(world.text("y") == old[1]?.replacing("[1]", with: "[2]"))
      #expect(world.disk.files(below: "/tree/.npi/aside").isEmpty)
      point += 1
    }
    #expect(point > 8)
  }

  /// Who is taken up before its turn does not run once another one has failed, and its old output is there.
  @Test func nothingBeginsAfterAFailure() async throws {
    for jobs in [1, 2, 3] {
      let world = World()
      world.put("in", "1")
      let fine = (0..<8).map { join("s\($0)", "o\($0)", ["in"]) }
      #expect(try await world.build(fine).succeeded)
      world.put("in", "2")
      let old = (0..<8).map { world.text("o\($0)") }
      let result = try await world.build(
        (0..<8).map { $0 < jobs ? join("s\($0)", "o\($0)", ["in"], program: "fail") : fine[$0] }, [],
        BuildOptions(jobs: jobs))
      #expect(result.failed.count >= 1 && result.failed.count <= jobs)
      #expect(result.notStarted.count == 8 - result.failed.count)
      #expect((0..<8).map { world.text("o\($0)") } == old)
      #expect(world.disk.files(below: "/tree/.npi/aside").isEmpty)
    }
  }

  @Test func runsAsManyAsAllowed() async throws {
    for jobs in [1, 2, 4] {
      let world = World()
      world.put("in", "1")
      let steps = (0..<8).map { join("s\($0)", "o\($0)", ["in"]) }
      #expect(try await world.ran(steps, [], BuildOptions(jobs: jobs)).count == 8)
      #expect(world.runner.maxRunning <= jobs)
      if jobs == 1 {
        #expect(world.runner.invocations.map { $0.words[1] } == (0..<8).map { "o\($0)" })
      }
    }
  }

  @Test func progressTellsOfEveryStep() async throws {
    final class Record: Progress {
      let lines = Mutex<[String]>([])
      func note(_ text: String) {}
      func restoring(_ step: Step, of total: Int, because reason: Reason, from origin: String?) {}
      func started(_ step: Step, of total: Int, because reason: Reason) {
        lines.withLock { $0.append("\(step.name) of \(total): \(reason)") }
      }
      func advanced(_ step: Step, done: Int64, of total: Int64) {}
      func finished(_ result: StepResult, of total: Int) {
        lines.withLock { $0.append("\(result.step.name) of \(total) done") }
      }
    }
    world.put("in", "1")
    let steps = [join("a", "o1", ["in"]), join("b", "o2", ["in"]), join("c", "o3", ["o1"])]
    _ = try await world.ran(steps, ["b"])
    let record = Record()
    _ = try await world.build(steps, progress: record)
    #expect(
      record.lines.withLock { $0 } == [
        "a of 3: it has not been built yet", "a of 3 done", "b of 3 done", "c of 3: it has not been built yet",
        "c of 3 done",
      ])
  }

  @Test func notesAndFindingsComeInTheOrderOfTheSteps() async throws {
    world.put("in", "1")
    let steps = (0..<6).map { world.collect("s\($0)", "o\($0)", (0...$0).map { _ in .path("in", here) }) }
    let result = try await world.build(steps, [], BuildOptions(jobs: 3))
    #expect(result.notes == (1...6).map { "collected \($0)" })
  }

  @Test func cancellingStartsNothingMore() async throws {
    struct Waits: Action {
      let begun: @Sendable () -> Void
      func encode(into encoder: inout some KeyEncoder) {}
      func run(_ context: ActionContext) async throws -> ActionReport {
        begun()
        try await Task.sleep(for: .seconds(60))
        return ActionReport()
      }
    }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let wait = Step(
      name: "wait", summary: "", inputs: [], outputs: ["o"], action: Waits { continuation.yield() }, place: here)
    world.put("in", "1")
    let task = Task { [world] in try await world.build([wait, join("x", "x", ["in"])], [], BuildOptions(jobs: 1)) }
    for await _ in stream { break }
    task.cancel()
    let result = try await task.value
    #expect(result.wasCancelled && !result.succeeded)
    #expect(result.notStarted.map(\.outcome.blocker) == [.cancelled, .cancelled])
  }
}

extension Outcome {
  var blocker: Blocker? { if case .notStarted(let blocker) = self { blocker } else { nil } }
}
