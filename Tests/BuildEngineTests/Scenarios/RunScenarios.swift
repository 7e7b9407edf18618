import BuildEngine
import Synchronization
import SystemPackage
import Testing

/// Options, failures, and what happens while a build runs.
@Suite struct RunScenarios {
  // MARK: Options

  @Test func `a target and all that it needs, by the step's name or an output's path`() async throws {
    let scene = try await Scene.program()
    for path in ["a.c", "b.c", "readme"] { scene.put(path, "new") }
    try await scene.expect(runs: ["a": "a.c: … → …"], reads: ["a.c", "out/a.o"], ["out/a.o"])
    try await scene.expect(
      runs: ["b": "b.c: … → …", "app": "out/a.o: … → …"], reads: ["b.c", "out/app", "out/b.o"], ["app"])
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"], ["doc"])
  }

  @Test func `-B: everything that is selected runs, and no old output is read for it`() async throws {
    let scene = try await Scene.program()
    let force = BuildOptions(force: true)
    let asked = "it was asked for"
    try await scene.expect(
      runs: ["a": asked, "b": asked, "app": asked, "doc": asked],
      reads: ["doc.txt", "out/a.o", "out/app", "out/b.o"], options: force)
    try await scene.settle()
    try await scene.expect(runs: ["b": asked], reads: ["out/b.o"], ["b"], options: force)
  }

  @Test func `-j 4 does and says the same as -j 1`() async throws {
    var (said, read, made): ([[String]], [[String]], [PlainTree]) = ([], [], [])
    for jobs in [1, 4] {
      let scene = try await Scene.program()
      for path in ["x.h", "readme"] { scene.put(path, "new") }
      let (result, events, _) = try await scene.build([], BuildOptions(jobs: jobs))
      said.append(result.steps.map { "\($0.step.name): \(Scene.short($0.outcomeReason ?? .forced))" })
      read.append(scene.readFiles(events))
      made.append(PlainTree(scene.world.disk))
    }
    #expect(said[0] == ["a: x.h: … → …", "b: x.h: … → …", "app: out/a.o: … → …", "doc: readme: … → …"])
    #expect(said[0] == said[1] && read[0] == read[1] && made[0] == made[1])
  }

  /// The content of a large library is read once, however many steps link it at the same time.
  @Test func `steps that run side by side read a file once`() async throws {
    let scene = try await Scene(["x.h": "x.h"]) { _ in (0..<64).map { join("s\($0)", "out/\($0)", ["x.h"]) } }
    for round in 0..<10 {
      scene.put("x.h", "\(round)")
      let (result, events, _) = try await scene.build([], BuildOptions(jobs: 8))
      #expect(result.ran.count == 64)
      #expect(scene.readFiles(events).filter { $0 == "x.h" }.count == 1)
    }
  }

  /// What follows from a step that would run is not known, and is not read.
  @Test func `-n reads what it must`() async throws {
    let scene = try await Scene.program()
    for path in ["a.c", "b.c"] { scene.put(path, "new") }
    let (result, events, _) = try await scene.build([], BuildOptions(mode: .dryRun))
    #expect(scene.readFiles(events) == ["a.c", "b.c"])
    #expect(
      result.wouldRun.map { "\($0.step.name): \(Scene.short($0.outcomeReason ?? .forced))" }
        == ["a: a.c: … → …", "b: b.c: … → …", "app: it needs 'a'"])
  }

  @Test func `-q ends at the first that is out of date`() async throws {
    let scene = try await Scene.program()
    let question = BuildOptions(mode: .question)
    var answer = try await scene.build([], question)
    #expect(answer.result.nothingToDo && scene.readFiles(answer.events) == [])
    for path in ["b.c", "readme"] { scene.put(path, "new") }
    let before = scene.world.disk.contents(below: "/")
    answer = try await scene.build([], question)
    #expect(answer.result.wouldRun.map(\.step.name) == ["b"])
    #expect(answer.result.notStarted.map(\.step.name) == ["app", "doc"])
    #expect(scene.readFiles(answer.events) == ["b.c"])
    #expect(scene.world.disk.contents(below: "/") == before)
  }

  // MARK: Failures

  @Test func `a step that fails leaves the old output, and is well when it is mended`() async throws {
    let scene = try await Scene.program()
    let good = scene.steps[0]
    scene.steps[0] = Step(
      name: "a", summary: "a", inputs: good.inputs, outputs: good.outputs,
      action: CommandAction(.words(["fail", "out/a.o"])), place: here)
    try await scene.expect(runs: ["a": "word: 'join' → 'fail'"], fails: ["a"], reads: ["/bin/fail"])
    #expect(scene.world.text("out/a.o") == "join 1[a.c][x.h]")
    // Nothing of the failure was remembered.
    scene.steps[0] = good
    try await scene.expect(reads: ["out/a.o"])
    scene.put("a.c", "new")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "app": "out/a.o: … → …"], reads: ["a.c", "out/a.o", "out/app"])
  }

  @Test func `a failure ends the build; -k goes on with what does not need it`() async throws {
    let scene = try await Scene.program()
    for path in ["a.c", "b.c"] { scene.put(path, "new") }
    let good = scene.steps[0]
    scene.steps[0] = Step(
      name: "a", summary: "a", inputs: good.inputs, outputs: good.outputs,
      action: CommandAction(.words(["fail", "out/a.o"])), place: here)
    try await scene.expect(runs: ["a": "word: 'join' → 'fail'"], fails: ["a"], reads: ["/bin/fail", "a.c"])
    try await scene.expect(
      runs: ["a": "word: 'join' → 'fail'", "b": "b.c: … → …"], fails: ["a"], reads: ["b.c", "out/b.o"],
      options: BuildOptions(keepGoing: true))
    scene.steps[0] = good
    try await scene.expect(
      runs: ["a": "a.c: … → …", "app": "out/a.o: … → …"], reads: ["out/a.o", "out/app", "out/b.o"])
  }

  // MARK: While it runs

  @Test func `an input that changes while its step runs: it runs again the next time`() async throws {
    let scene = try await Scene.program()
    let world = scene.world
    world.runner.meanwhile.withLock { $0 = { _ in world.put("readme", "later") } }
    scene.put("readme", "new")
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"], settles: false)
    world.runner.meanwhile.withLock { $0 = nil }
    // Back to what it was when the step began, which is not what the step saw.
    scene.put("readme", "new")
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"])
    #expect(world.text("doc.txt") == "join 1[new]")
  }

  @Test func `an interrupted build goes on where it was`() async throws {
    let scene = try await Scene.program()
    for path in ["x.h", "readme"] { scene.put(path, "new") }
    let world = scene.world
    let steps = scene.steps
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in gate { break }
      return try await world.build(steps, remembers: true)
    }
    world.runner.meanwhile.withLock { $0 = { if $0.words[1] == "out/b.o" { task.cancel() } } }
    opener.yield()
    let result = try await task.value
    #expect(result.wasCancelled && result.ran.map(\.step.name) == ["a"])
    world.runner.meanwhile.withLock { $0 = nil }
    try await scene.expect(
      runs: ["b": "x.h: … → …", "app": "out/a.o: … → …", "doc": "readme: … → …"],
      reads: ["doc.txt", "out/a.o", "out/app", "out/b.o", "readme"])
  }
}
