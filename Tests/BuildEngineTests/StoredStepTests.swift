import BuildEngine
import Findings
import Store
import SystemPackage
import Testing

/// What is kept of earlier builds comes back when what it was made of does.
@Suite struct StoredStepTests {
  let world = World()
  let store: MemoryStore

  init() { store = MemoryStore(world.disk) }

  private func build(_ steps: [Step], _ options: BuildOptions = BuildOptions()) async throws -> BuildResult {
    let result = try await world.build(steps, [], options, store: store)
    if let failure = result.failed.first?.failure { throw failure }
    return result
  }

  private func names(_ results: [StepResult]) -> [String] { results.map(\.step.name) }

  @Test func goingBackToAnEarlierStateRestoresAndRunsNothing() async throws {
    let steps = [join("a", "a.out", ["a"]), join("b", "b.out", ["a.out", "b"])]
    world.put("a", "1")
    world.put("b", "x")
    #expect(names(try await build(steps).ran) == ["a", "b"])
    let first = world.text("b.out")
    world.put("a", "2")
    #expect(names(try await build(steps).ran) == ["a", "b"])
    #expect(world.text("b.out") != first)
    world.put("a", "1")
    let back = try await build(steps)
    #expect(names(back.restored) == ["a", "b"])
    #expect(back.ran.isEmpty)
    #expect(world.text("b.out") == first)
    guard case .restored(.changed(let change?))? = back.restored.first?.outcome else {
      Issue.record("\(String(describing: back.restored.first?.outcome))")
      return
    }
    #expect(change.description.hasPrefix("a: "), "\(change)")
    #expect(try await build(steps).nothingToDo)
    let record = try BuildLog(".npi/log".inTree, seal: .test, disk: world.disk)["a"]
    #expect(record?.wasRestored == true)
  }

  @Test func deletedOutputsAndALostLogNeedNoStepToRun() async throws {
    let steps = [join("a", "build/a", ["a"]), join("b", "build/b", ["build/a"])]
    world.put("a", "1")
    _ = try await build(steps)
    world.delete("build")
    #expect(names(try await build(steps).restored) == ["a", "b"])
    world.delete(".npi")
    let fresh = try await build(steps)
    // Both are there and as they were; that is learnt from the store.
    #expect(names(fresh.restored) == ["a", "b"])
    #expect(try await build(steps).nothingToDo)
  }

  @Test func treesComeBackWithLinksEmptyFoldersAndExecutables() async throws {
    let program = "tree"
    world.disk.put("/bin/idle", "idle", executable: true)
    let step = Step(
      name: program, summary: program, inputs: [.path("source", here)], outputs: ["out"],
      action: MakeTree(disk: world.disk), place: here)
    world.put("source", "1")
    _ = try await build([step])
    let first = world.disk.files(below: "/tree/out")
    world.put("source", "2")
    _ = try await build([step])
    #expect(world.disk.files(below: "/tree/out") != first)
    world.put("source", "1")
    #expect(names(try await build([step]).restored) == ["tree"])
    #expect(world.disk.files(below: "/tree/out") == first)
    #expect(try world.disk.status("/tree/out/run", followingLinks: false)?.executable == true)
    #expect(try world.disk.status("/tree/out/deep/plain", followingLinks: false)?.executable == false)
    #expect(try world.disk.status("/tree/out/empty", followingLinks: false)?.kind == .directory)
    #expect(try world.disk.linkTarget("/tree/out/link") == "deep/plain")
    // Nothing is left of the way back, and of the tree that was there.
    #expect(world.disk.files(below: "/tree/.npi/aside").isEmpty)
    #expect(try await build([step]).nothingToDo)
  }

  @Test func largeOutputsComeBackFromBlobs() async throws {
    let steps = [join("a", "a.out", ["a"])]
    world.put("a", large)
    _ = try await build(steps)
    let first = world.text("a.out")
    world.put("a", "2")
    _ = try await build(steps)
    world.put("a", large)
    #expect(names(try await build(steps).restored) == ["a"])
    #expect(world.text("a.out") == first)
  }

  @Test func onlyWhatIsNotAsItWasIsWritten() async throws {
    let step = Step(
      name: "two", summary: "two", inputs: [.path("a", here)], outputs: ["x", "y"],
      action: Collect(disk: world.disk), place: here)
    world.put("a", "1")
    _ = try await build([step])
    world.delete("y")
    let before = try world.disk.status("/tree/x", followingLinks: false)
    #expect(names(try await build([step]).restored) == ["two"])
    #expect(try world.disk.status("/tree/x", followingLinks: false) == before)
    #expect(world.text("y") == world.text("x"))
  }

  @Test func whatWasDiscoveredDecidesWhichResultComesBack() async throws {
    let step = compile("c", "c.o", "c.c")
    world.put("c.c", "#include h.h\nmain")
    world.put("h.h", "one")
    world.put("other.h", "other")
    _ = try await build([step])
    let first = world.text("c.o")
    world.put("h.h", "two")
    #expect(names(try await build([step]).ran) == ["c"])
    world.put("h.h", "one")
    #expect(names(try await build([step]).restored) == ["c"])
    #expect(world.text("c.o") == first)
    // Another way to go: the header includes another.
    world.put("h.h", "#include other.h\none")
    #expect(names(try await build([step]).ran) == ["c"])
    let third = world.text("c.o")
    world.put("h.h", "one")
    #expect(names(try await build([step]).restored) == ["c"])
    #expect(world.text("c.o") == first)
    world.put("h.h", "#include other.h\none")
    #expect(names(try await build([step]).restored) == ["c"])
    #expect(world.text("c.o") == third)
    // The included one counts, too.
    world.put("other.h", "changed")
    #expect(names(try await build([step]).ran) == ["c"])
    #expect(try await build([step]).nothingToDo)
  }

  /// More than what lies in a result itself.
  private let large = String(repeating: "0123456789", count: 2_000)

  @Test func whatIsLostOrDamagedIsMadeAgain() async throws {
    let steps = [join("a", "a.out", ["a"])]
    world.put("a", large)
    _ = try await build(steps)
    let text = try #require(world.text("a.out"))
    world.delete("a.out")
    store.damage(text)
    #expect(names(try await build(steps).ran) == ["a"])
    #expect(world.text("a.out") == text)
    world.delete("a.out")
    store.lose(text)
    #expect(names(try await build(steps).ran) == ["a"])
    #expect(world.text("a.out") == text)
  }

  @Test func aDamagedTreeLeavesNothingBehind() async throws {
    let step = Step(
      name: "tree", summary: "tree", inputs: [.path("source", here)], outputs: ["out"],
      action: MakeTree(disk: world.disk), place: here)
    world.put("source", large)
    _ = try await build([step])
    world.put("source", "2")
    _ = try await build([step])
    world.put("source", large)
    store.damage(large)
    #expect(names(try await build([step]).ran) == ["tree"])
    #expect(world.text("out/deep/plain") == large)
    #expect(world.disk.files(below: "/tree/.npi/aside").isEmpty)
  }

  /// Whatever a record says, nothing is written but the step's outputs.
  @Test func aRecordThatNamesOtherPlacesIsNone() async throws {
    let step = Step(
      name: "tree", summary: "tree", inputs: [.path("source", here)], outputs: ["out"],
      action: MakeTree(disk: world.disk), place: here)
    world.put("source", "1")
    _ = try await build([step])
    for (word, evil) in [("out/deep/plain", "out/../../plai"), ("out/deep/plain", "/ut/deep/plain"), ("out", "ou2")] {
      world.delete("out")
      store.changeResults { $0.replacing(word, with: evil) }
      #expect(names(try await build([step]).ran) == ["tree"], "\(evil)")
    }
    #expect(!world.disk.files(below: "/").keys.contains { $0.contains("plai") && !$0.contains("tree/out/") })
  }

  @Test func cutOffRecordsAreNone() async throws {
    let step = join("a", "a.out", ["a"])
    world.put("a", "1")
    for length in 0..<80 {
      _ = try await build([step])
      world.delete("a.out")
      store.changeResults { Array($0.prefix(length)) }
      #expect(names(try await build([step]).ran) == ["a"], "\(length)")
    }
  }

  @Test func forcedStepsRunAndQuestionsAreAnsweredAsWithoutAStore() async throws {
    let steps = [join("a", "a.out", ["a"])]
    world.put("a", "1")
    _ = try await build(steps)
    #expect(names(try await build(steps, BuildOptions(force: true)).ran) == ["a"])
    world.delete("a.out")
    #expect(names(try await build(steps, BuildOptions(mode: .dryRun)).wouldRun) == ["a"])
    #expect(names(try await build(steps, BuildOptions(mode: .question)).wouldRun) == ["a"])
    #expect(world.text("a.out") == nil)
  }

  @Test func failuresAndStepsWhoseInputsChangedAreNotKept() async throws {
    world.put("a", "1")
    let failing = join("f", "f.out", ["a"], program: "fail")
    _ = try await world.build([failing], store: store)
    #expect(store.resultCount == 0)
    let restless = Step(
      name: "r", summary: "r", inputs: [.path("a", here)], outputs: ["r.out"],
      action: Restless(disk: world.disk), place: here)
    _ = try await build([restless])
    #expect(store.resultCount == 0)
  }

  /// Whoever gets finished outputs is told what was said when they were made.
  @Test func notesAndFindingsComeBack() async throws {
    let finding = Finding(
      "missing-library", .warning, "no library",
      at: [
        Place("a.zip", "b"), Place("npi.yml", position: TextPosition(line: 3, column: 2, length: 4, text: "x: öl")),
      ], notes: ["one", "two"], hint: "add it")
    let step = Step(
      name: "s", summary: "s", inputs: [.path("a", here)], outputs: ["s.out"],
      action: Speaking(disk: world.disk, finding: finding), place: here)
    world.put("a", "1")
    #expect(try await build([step]).findings == [finding])
    #expect(try await build([step]).findings == [finding])
    world.delete("s.out")
    let restored = try await build([step])
    #expect(names(restored.restored) == ["s"])
    #expect(restored.findings == [finding])
    #expect(restored.notes == ["said once"])
    let upToDate = try await build([step])
    #expect(upToDate.nothingToDo)
    #expect(upToDate.findings == [finding])
    #expect(upToDate.notes.isEmpty)
  }
}

/// A folder with a file, an executable, a link and an empty folder.
private struct MakeTree: Action {
  let disk: MemoryDisk
  var startsClean: Bool { true }

  func encode(into encoder: inout some KeyEncoder) { encoder.add("action", "tree") }

  func run(_ context: ActionContext) async throws -> ActionReport {
    let text = disk.text(context.absolute(context.inputs[0][0].path)) ?? ""
    let out = context.absolute(context.outputs[0])
    disk.put(out.pushing("deep/plain"), text)
    disk.put(out.pushing("run"), "run \(text)", executable: true)
    disk.put(link: out.pushing("link"), to: "deep/plain")
    disk.put(folder: out.pushing("empty"))
    if text == "2" { disk.put(out.pushing("more"), "more") }
    return ActionReport()
  }
}

/// Its input changes while it runs.
private struct Restless: Action {
  let disk: MemoryDisk

  func encode(into encoder: inout some KeyEncoder) { encoder.add("action", "restless") }

  func run(_ context: ActionContext) async throws -> ActionReport {
    disk.put(context.absolute(context.outputs[0]), "made")
    disk.put(context.absolute(context.inputs[0][0].path), "another")
    return ActionReport()
  }
}

private struct Speaking: Action {
  let disk: MemoryDisk
  let finding: Finding

  func encode(into encoder: inout some KeyEncoder) { encoder.add("action", "speaking") }

  func run(_ context: ActionContext) async throws -> ActionReport {
    disk.put(context.absolute(context.outputs[0]), "made")
    return ActionReport(notes: ["said once"], findings: [finding])
  }
}

extension [UInt8] {
  fileprivate func replacing(_ old: String, with new: String) -> [UInt8] {
    let (old, new) = (Array(old.utf8), Array(new.utf8))
    var result: [UInt8] = []
    var rest = self[...]
    while !rest.isEmpty {
      if rest.starts(with: old), new.count == old.count {
        result += new
        rest = rest.dropFirst(old.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
