import BuildEngine
import Findings
import SystemPackage
import Testing

/// Globs, folders and links as inputs, and what of the disk is looked at for them.
@Suite struct InputTests {
  let world = World()

  /// The tool's own folders and a step's own outputs are not among what it finds.
  @Test func ownOutputsAreNotInputs() async throws {
    let steps = [
      world.collect("everything", "made", [.path(".", here)]), world.collect("globbed", "also.txt", [glob("*.txt")]),
    ]
    world.put("a.txt", "a")
    world.put("dist/x.txt", "x")
    let first = try await world.build([steps[0]])
    #expect(first.ran.count == 1)
    #expect(world.text("made") == ".=-\na.txt=a")
    #expect(try await world.ran([steps[0]]) == [])
    #expect(try await world.ran([steps[1]]) == ["globbed"])
    #expect(world.text("also.txt") == "a.txt=a")
    #expect(try await world.ran([steps[1]]) == [])
  }

  @Test func resolvedInputsSayWhatWasMatched() async throws {
    struct Look: Action {
      func encode(into encoder: inout some KeyEncoder) {}
      func run(_ context: ActionContext) async throws -> ActionReport {
        throw StepFailure(
          context.inputs.map { $0.map { "\($0.match)|\($0.path)" }.joined(separator: " ") }.joined(separator: "; "))
      }
    }
    world.put("ios/R.bundle/a", "a")
    world.put("ios/S.bundle/b", "b")
    world.put("x", "x")
    let step = Step(
      name: "look", summary: "", inputs: [.path("./y/../x", here), glob("ios/*.bundle")], outputs: ["o"],
      action: Look(), place: here)
    let result = try await world.build([step])
    #expect(
      result.failed.first?.failure?.message
        == "x|x; ios/R.bundle|ios/R.bundle ios/R.bundle|ios/R.bundle/a ios/S.bundle|ios/S.bundle ios/S.bundle|ios/S.bundle/b"
    )
  }

  /// A compiler may be a large file behind a link.
  @Test func aProgramIsDigestedOnce() async throws {
    world.disk.put(link: "/bin/linked/join", to: "../join")
    world.put("in", "1")
    let steps = (0..<5).map { number in
      join("\(number)", "o\(number)", ["in"], environment: [("PATH", "/bin/linked")])
    }
    _ = try await world.ran(steps)
    let events = world.disk.takeEvents()
    #expect(events.count { $0 == .digested("/bin/linked/join") } == 1)
  }

  @Test func whatIsMissingIsToldTogether() async throws {
    world.put("src/lib.c", "x")
    world.disk.put(link: "dangling".inTree, to: "nowhere")
    let steps = [
      world.collect("1", "o1", [.path("src/lob.c", here), glob("*.m")]),
      world.collect("2", "o2", [.path("dangling", here)]),
    ]
    let error = await #expect(throws: Mistakes.self) { try await world.build(steps) }
    #expect(
      error?.all.map(\.message) == [
        "'src/lob.c', which step '1' needs, is not there and no step makes it",
        "the pattern '*.m' of step '1' matches nothing",
        "'dangling', which step '2' needs, is a link that leads nowhere",
      ])
    #expect(error?.all.first?.hint == "did you mean 'src/lib.c'?")
    // Only what is asked for is looked at.
    await #expect(throws: Mistakes.self) { try await world.build(steps, ["2"]) }
    #expect(world.text(".npi/log") == nil)
  }

  /// What a producer makes is looked for after it has run.
  @Test func globsOverOutputs() async throws {
    let make = join("make", "gen/a.txt", ["seed"])
    let use = world.collect("use", "out", [glob("gen/*.txt")])
    let never = world.collect("never", "out2", [glob("gen/**/*.md")])
    world.put("seed", "s")
    #expect(try await world.ran([use, make]) == ["use", "make"])
    #expect(world.text("out") == "gen/a.txt=join 1[s]")
    let error = await #expect(throws: Mistakes.self) { try await world.build([make, never]) }
    #expect(error?.all.map(\.message) == ["the pattern 'gen/**/*.md' of step 'never' matches nothing"])
  }
}
