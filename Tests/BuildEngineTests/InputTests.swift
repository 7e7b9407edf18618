import BuildEngine
import Findings
import SystemPackage
import Testing

/// Globs, folders and links as inputs, and what of the disk is looked at for them.
@Suite struct InputTests {
  let world = World()

  @Test func globbedFilesComeAndGo() async throws {
    let steps = [world.collect("all", "all", [glob("src/**/*.c")])]
    world.put("src/a.c", "a")
    world.put("src/sub/b.c", "b")
    world.put("src/a.h", "h")
    #expect(try await world.ran(steps) == ["all"])
    #expect(world.text("all") == "src/a.c=a\nsrc/sub/b.c=b")
    #expect(try await world.ran(steps) == [])
    world.put("src/sub/deep/c.c", "c")
    #expect(try await world.ran(steps) == ["all"])
    world.delete("src/a.c")
    #expect(try await world.ran(steps) == ["all"])
    #expect(world.text("all") == "src/sub/b.c=b\nsrc/sub/deep/c.c=c")
    world.put("src/other.h", "h")
    world.put("src/.hidden.c", "h")
    #expect(try await world.ran(steps) == [])
  }

  @Test func aFolderIsEverythingBelowIt() async throws {
    let steps = [world.collect("all", "all", [.path("R.bundle", here)])]
    world.put("R.bundle/a", "a")
    world.put("R.bundle/.b", "b")
    world.put("R.bundle/sub/c", "c")
    #expect(try await world.ran(steps) == ["all"])
    #expect(
      world.text("all") == "R.bundle=-\nR.bundle/.b=b\nR.bundle/a=a\nR.bundle/sub=-\nR.bundle/sub/c=c")
    world.disk.put(folder: "R.bundle/empty".inTree)
    #expect(try await world.ran(steps) == ["all"])
    world.delete("R.bundle/sub/c")
    #expect(try await world.ran(steps) == ["all"])
    #expect(try await world.ran(steps) == [])
  }

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

  @Test func namedLinksAreFollowedFoundOnesAreNot() async throws {
    world.put("real/lib.a", "lib")
    world.put("outside/secret", "s")
    world.disk.put(link: "lib.a".inTree, to: "real/lib.a")
    world.disk.put(link: "folder".inTree, to: "real")
    world.disk.put(link: "real/out".inTree, to: "/tree/outside")
    let steps = [
      world.collect("file", "1", [.path("lib.a", here)]), world.collect("folder", "2", [.path("folder", here)]),
      world.collect("glob", "3", [glob("real/**")]), world.collect("through", "4", [glob("folder/*.a")]),
    ]
    #expect(try await world.ran(steps) == ["file", "folder", "glob", "through"])
    #expect(world.text("1") == "lib.a=lib")
    #expect(world.text("2") == "folder=-\nfolder/lib.a=lib\nfolder/out=-")
    #expect(world.text("3") == "real/lib.a=lib\nreal/out=-")
    #expect(world.text("4") == "folder/lib.a=lib")
    // The content counts through the link.
    world.put("real/lib.a", "new")
    #expect(try await world.ran(steps) == ["file", "folder", "glob", "through"])
    world.disk.put(link: "real/out".inTree, to: "elsewhere")
    #expect(try await world.ran(steps) == ["folder", "glob"])
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

  /// Each file is digested once and each folder listed once, however many steps want them.
  @Test func nothingToDoReadsEverythingOnce() async throws {
    let steps = [
      world.collect("1", "o1", [glob("src/*.c")]), world.collect("2", "o2", [glob("src/*.c"), .path("src/a.c", here)]),
      world.collect("3", "o3", [glob("src/*.h"), .path("o1", here)]),
    ]
    for name in ["a.c", "b.c", "x.h"] { world.put("src/\(name)", name) }
    world.put("other/never", "x")
    _ = try await world.ran(steps)
    _ = world.disk.takeEvents()
    #expect(try await world.ran(steps) == [])
    let events = world.disk.takeEvents()
    let expected: [MemoryDisk.Event] = [
      .listed("/tree/src"), .read("/tree/.npi/log"), .digested("/tree/src/a.c"), .digested("/tree/src/b.c"),
      .digested("/tree/src/x.h"), .digested("/tree/o1"), .digested("/tree/o2"), .digested("/tree/o3"),
    ]
    #expect(Set(events) == Set(expected))
    #expect(events.count == expected.count)
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

  /// A literal beginning is not searched for, and a folder that the pattern cannot reach is not listed.
  @Test func globsListOnlyWhatTheyCanReach() async throws {
    let steps = [world.collect("1", "o", [glob("a/b/*/x.c")])]
    world.put("a/b/c/x.c", "x")
    world.put("a/b/c/deep/x.c", "x")
    world.put("a/other/x.c", "x")
    _ = try await world.ran(steps)
    let listed = Set(world.disk.takeEvents()).filter { if case .listed = $0 { true } else { false } }
    #expect(listed == [.listed("/tree/a/b")])
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

  @Test func globOverAFolderThatAStepMakes() async throws {
    let copy = Step(
      name: "copy", summary: "", inputs: [.path("src", here)], outputs: ["build/classes"],
      action: CommandAction(.words(["copy-tree", "src", "build/classes"])), place: here)
    let steps = [world.collect("use", "out", [glob("build/**/*.class")]), copy]
    world.put("src/A.class", "a")
    world.put("src/B.class", "b")
    #expect(try await world.ran(steps) == ["use", "copy"])
    #expect(world.text("out") == "build/classes/A.class=a\nbuild/classes/B.class=b")
    // What is no longer made is not left in the output.
    world.delete("src/A.class")
    #expect(try await world.ran(steps) == ["use", "copy"])
    #expect(world.text("out") == "build/classes/B.class=b")
    world.delete("src/B.class")
    world.put("src/readme", "r")
    let result = try await world.build(steps)
    #expect(result.ran.map(\.step.name) == ["copy"])
    #expect(
      result.failed.first?.failure?.mistakes.map(\.message) == [
        "the pattern 'build/**/*.class' of step 'use' matches nothing"
      ])
  }
}
