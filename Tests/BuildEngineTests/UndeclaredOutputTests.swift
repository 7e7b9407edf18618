import BuildEngine
import Synchronization
import SystemPackage
import Testing

@Suite struct UndeclaredOutputTests {
  let world = World()

  init() { world.put("in", "1") }

  private func build(
    _ steps: [Step], jobs: Int = 1, leaving files: @escaping @Sendable (_ out: String) -> [String]
  ) async throws -> [String] {
    let world = world
    world.runner.meanwhile.withLock {
      $0 = { command in for path in files(command.words[1]) { world.put(path, "left") } }
    }
    let result = try await world.build(steps, [], BuildOptions(jobs: jobs))
    #expect(result.succeeded)
    return result.notes
  }

  private func told(_ names: String, many: Bool = false) -> String {
    "made \(names) too, which no step declares: declare \(many ? "them as outputs or remove them" : "it as an output or remove it")"
  }

  @Test func whatIsNewIsNamed() async throws {
    let steps = [join("a", "build/a", ["in"])]
    #expect(try await build(steps) { _ in ["build/x.tmp"] } == [told("'build/x.tmp'")])
    // Nothing ran.
    #expect(try await build(steps) { _ in ["build/y.tmp"] } == [])
    // It was there before, and is made anew.
    world.put("in", "2")
    #expect(try await build(steps) { _ in [] } == [])
    world.put("in", "3")
    #expect(try await build(steps) { _ in ["build/x.tmp"] } == [told("'build/x.tmp'")])
  }

  /// And what is in folders that no output is in.
  @Test func foldersAndManyNames() async throws {
    let steps = [join("a", "lib/a", ["in"])]
    let notes = try await build(steps) { _ in
      (0..<7).map { "lib/\($0).tmp" } + ["lib/sub/deep", "build/log", "src/made", "lib/.hidden"]
    }
    #expect(
      notes == [told("'build/log', 'lib/0.tmp', 'lib/1.tmp', 'lib/2.tmp', 'lib/3.tmp' and 3 more", many: true)])
  }

  @Test func whatOthersMakeIsNotNamed() async throws {
    let steps = [
      join("a", "build/a", ["in"]), join("b", "build/b", ["in"]), join("c", "build/sub/deep/c", ["in"]),
      compile("d", "build/d", "in"),
    ]
    #expect(try await build(steps, jobs: 4) { _ in [] } == [])
    // A file of the tool's own making, in the same folder: no command made it.
    let own = [world.collect("e", "build/e", [.path("in", here)])]
    #expect(try await build(own) { _ in [] } == ["collected 1"])
  }

  @Test func onceAndNotWhoseItMayNotBe() async throws {
    let steps = (0..<4).map { join("s\($0)", "build/s\($0)", ["in"]) }
    let notes = try await build(steps, jobs: 4) { out in out == "build/s1" ? ["build/x.tmp"] : [] }
    #expect(notes.count == 1)
    #expect(notes.allSatisfy { $0.hasPrefix("'build/x.tmp' was made in this build") })
  }

  /// Sources that are edited while something is made beside them.
  @Test func editedSourcesAreNotOutputs() async throws {
    world.put("src/b.c", "b")
    let steps = [
      join("a", "src/a.gen", ["in"]),
      Step(
        name: "z", summary: "z", inputs: [glob("src/*.c")], outputs: ["z"],
        action: CommandAction(.words(["join", "z"])), place: here),
    ]
    #expect(try await build(steps) { out in out == "src/a.gen" ? ["src/b.c"] : [] } == [])
  }

  /// A large folder is listed twice and not after each step.
  @Test func largeFoldersAreListedAtTheEnd() async throws {
    for number in 0..<100 { world.put("build/old\(number)", "x") }
    let steps = (0..<40).map { join("s\($0)", "build/s\($0)", ["in"]) }
    let notes = try await build(steps) { out in out == "build/s7" ? ["build/x.tmp"] : [] }
    #expect(
      notes == [
        "'build/x.tmp' was made in this build, which no step declares: declare it as an output or remove it"
      ])
    #expect(world.disk.takeEvents().count { $0 == .listed("/tree/build") } == 2)
  }
}
