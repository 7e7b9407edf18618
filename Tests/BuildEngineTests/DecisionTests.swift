import BuildEngine
import Findings
import SystemPackage
import Testing

/// What runs, and what does not, after each kind of change.
@Suite struct DecisionTests {
  let world = World()
  /// a.o and b.o from their sources, app from both, doc from nothing else's.
  let steps = [
    join("a", "out/a.o", ["a.c", "x.h"]), join("b", "out/b.o", ["b.c", "x.h"]),
    join("app", "out/app", ["out/a.o", "out/b.o"]), join("doc", "doc.txt", ["readme"]),
  ]

  init() async throws {
    for name in ["a.c", "b.c", "x.h", "readme"] { world.put(name, name) }
    #expect(try await world.ran(steps) == ["a", "b", "app", "doc"])
    #expect(world.text("out/app") == "join 1[join 1[a.c][x.h]][join 1[b.c][x.h]]")
  }

  private func ran() async throws -> [String] { try await world.ran(steps) }

  @Test func nothingToDo() async throws {
    let result = try await world.build(steps)
    #expect(result.nothingToDo && result.succeeded)
    #expect(result.upToDate.map(\.step.name) == ["a", "b", "app", "doc"])
  }

  @Test func touchedWithoutChange() async throws {
    for path in ["a.c", "x.h", "out/a.o", "out/app"] { world.disk.touch(path.inTree) }
    #expect(try await ran() == [])
  }

  @Test func changed() async throws {
    world.put("a.c", "new")
    #expect(try await ran() == ["a", "app"])
    #expect(world.text("out/app") == "join 1[join 1[new][x.h]][join 1[b.c][x.h]]")
    world.put("x.h", "new")
    #expect(try await ran() == ["a", "b", "app"])
    #expect(try await ran() == [])
  }

  @Test func changedAndBackBeforeABuild() async throws {
    world.put("a.c", "new")
    world.put("a.c", "a.c")
    #expect(try await ran() == [])
  }

  @Test func changedBackAfterABuild() async throws {
    let first = world.text("out/app")
    world.put("a.c", "new")
    #expect(try await ran() == ["a", "app"])
    world.put("a.c", "a.c")
    #expect(try await ran() == ["a", "app"])
    #expect(world.text("out/app") == first)
  }

  @Test func outputDeleted() async throws {
    world.delete("out/a.o")
    #expect(try await ran() == ["a"])
    world.delete("out")
    #expect(try await ran() == ["a", "b", "app"])
  }

  @Test func outputEdited() async throws {
    world.put("out/b.o", "edited")
    #expect(try await ran() == ["b"])
    world.put("out/app", "edited")
    #expect(try await ran() == ["app"])
    world.put("out/app", "edited")
    let result = try await world.build(steps)
    #expect(result.ran.map(\.outcomeReason) == [.outputChanged("out/app")])
  }

  @Test func outputBecameExecutableOrAFolder() async throws {
    world.disk.put("out/app".inTree, world.text("out/app") ?? "", executable: true)
    #expect(try await ran() == ["app"])
    world.delete("out/app")
    world.put("out/app/inside", "x")
    #expect(try await ran() == ["app"])
    #expect(world.text("out/app/inside") == nil)
  }

  @Test func inputBecameExecutable() async throws {
    world.disk.put("readme".inTree, "readme", executable: true)
    #expect(try await ran() == ["doc"])
  }

  @Test func commandChanged() async throws {
    var steps = steps
    steps[3] = join("doc", "doc.txt", ["readme", "x.h"])
    #expect(try await world.ran(steps) == ["doc"])
    #expect(try await world.ran(steps) == [])
  }

  @Test func environmentChanged() async throws {
    var steps = steps
    steps[3] = join("doc", "doc.txt", ["readme"], environment: [("B", "1"), ("A", "2")])
    #expect(try await world.ran(steps) == ["doc"])
    #expect(world.text("doc.txt") == "join 1[readme]{A=2}{B=1}")
    // The order in the manifest is nothing.
    steps[3] = join("doc", "doc.txt", ["readme"], environment: [("A", "2"), ("B", "1")])
    #expect(try await world.ran(steps) == [])
    steps[3] = join("doc", "doc.txt", ["readme"], environment: [("A", "2"), ("B", "2")])
    #expect(try await world.ran(steps) == ["doc"])
  }

  @Test func programChanged() async throws {
    world.disk.put("/bin/join", "join 2", executable: true)
    #expect(try await ran() == ["a", "b", "app", "doc"])
    world.disk.touch("/bin/join")
    #expect(try await ran() == [])
  }

  @Test func toolChanged() async throws {
    world.setTool("tool 2")
    // The objects come out as they were: what is made of them runs for the tool's own sake.
    #expect(try await ran() == ["a", "b", "app", "doc"])
    #expect(try await ran() == [])
  }

  /// The object is made anew and is what it was: whoever needs it does not run.
  @Test func sameOutputCutsOff() async throws {
    world.disk.put("/bin/constant", "x", executable: true)
    let constant = world.collect("constant", "c", [.path("readme", here)])
    let fixed = Step(
      name: "fixed", summary: "", inputs: [.path("readme", here)], outputs: ["f"],
      action: CommandAction(.words(["join", "f"])), place: here)
    let user = join("user", "u", ["f"])
    _ = constant
    #expect(try await world.ran([fixed, user]) == ["fixed", "user"])
    world.put("readme", "new")
    #expect(try await world.ran([fixed, user]) == ["fixed"])
  }

  @Test func stepRemovedAndAddedAgain() async throws {
    #expect(try await world.ran(Array(steps.prefix(3))) == [])
    #expect(try await ran() == [])
  }

  @Test func dryRunSaysAndDoesNothing() async throws {
    world.put("a.c", "new")
    let before = world.disk.files(below: "/")
    let result = try await world.build(steps, [], BuildOptions(mode: .dryRun))
    #expect(result.wouldRun.map(\.step.name) == ["a", "app"])
    let reasons = result.wouldRun.compactMap(\.outcomeReason).map(\.description)
    #expect(reasons.count == 2 && reasons[1] == "it needs 'a'")
    #expect(try reasons[0].wholeMatch(of: Regex("a\\.c: [0-9a-f]{8} → [0-9a-f]{8}")) != nil, "\(reasons)")
    #expect(world.disk.files(below: "/") == before)
    #expect(try await ran() == ["a", "app"])
  }

  @Test func forceRunsEverything() async throws {
    #expect(try await world.ran(steps, [], BuildOptions(force: true)) == ["a", "b", "app", "doc"])
    #expect(try await world.ran(steps, ["b"], BuildOptions(force: true)) == ["b"])
  }

  @Test func questionEndsAtTheFirst() async throws {
    var result = try await world.build(steps, [], BuildOptions(mode: .question))
    #expect(result.nothingToDo)
    world.put("x.h", "new")
    result = try await world.build(steps, [], BuildOptions(mode: .question))
    #expect(result.wouldRun.map(\.step.name) == ["a"])
    #expect(result.notStarted.map(\.step.name) == ["b", "app", "doc"])
    #expect(!result.nothingToDo)
  }

  @Test func targetsAndAllThatTheyNeed() async throws {
    for path in ["a.c", "b.c", "readme"] { world.put(path, "new") }
    #expect(try await world.ran(steps, ["out/a.o"]) == ["a"])
    #expect(try await world.ran(steps, ["app", "doc"]) == ["b", "app", "doc"])
  }
}

extension StepResult {
  var outcomeReason: Reason? {
    switch outcome {
    case .ran(let reason), .wouldRun(let reason): reason
    default: nil
    }
  }
}
