import BuildEngine
import SystemPackage
import Testing

/// What a step's depfile names decides the next time.
@Suite struct DepfileScenarios {
  /// `a` declares its source only; what that includes is found out.
  private func compiled() async throws -> Scene {
    let sources: KeyValuePairs = ["a.c": "#include inc/x.h\n#include /usr/include/s.h\nint a\n", "inc/x.h": "int x\n"]
    return try await Scene(sources) { world in
      world.disk.put("/usr/include/s.h", "int s\n")
      return [compile("a", "build/a.o", "a.c"), join("lib", "build/lib", ["build/a.o"])]
    }
  }

  /// The depfile is read for its names, and digested as an output.
  private let made = ["build/a.o", "build/a.o.d", "build/a.o.d"]
  private let lib = ["build/lib"]

  @Test func `nothing to do: headers are looked at, and not read`() async throws {
    try await compiled().expect(lists: [])
    try await compiled().expect(
      reads: ["/bin/compile", "/bin/join", "/usr/include/s.h", "a.c"] + made.dropLast() + lib + ["inc/x.h"],
      remembers: false)
  }

  @Test func `an edited header, in the tree or outside`() async throws {
    let scene = try await compiled()
    scene.put("inc/x.h", "int y\n")
    try await scene.expect(
      runs: ["a": "inc/x.h: … → …", "lib": "build/a.o: … → …"], reads: made + lib + ["inc/x.h"])
    try await scene.settle()
    scene.world.disk.put("/usr/include/s.h", "int t\n")
    try await scene.expect(
      runs: ["a": "/usr/include/s.h: … → …", "lib": "build/a.o: … → …"], reads: ["/usr/include/s.h"] + made + lib)
    try await scene.settle()
    scene.world.disk.touch("/usr/include/s.h")
    try await scene.expect(reads: ["/usr/include/s.h"])
  }

  @Test func `a comment in a header stops at the object`() async throws {
    let scene = try await compiled()
    scene.put("inc/x.h", "// new\nint x\n")
    try await scene.expect(runs: ["a": "inc/x.h: … → …"], reads: made + ["inc/x.h"])
  }

  @Test func `where the source is edited, headers are not looked at before it runs`() async throws {
    let scene = try await compiled()
    scene.put("a.c", "int a\n")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "lib": "build/a.o: … → …"], reads: ["a.c"] + made + lib)
  }

  @Test func `a header that is no longer included may change and go`() async throws {
    let scene = try await compiled()
    scene.put("a.c", "#include /usr/include/s.h\nint a\n")
    try await scene.settle()
    scene.put("inc/x.h", "int y\n")
    try await scene.expect()
    scene.delete("inc/x.h")
    try await scene.expect()
  }

  @Test func `a header that comes to be included, by way of another one`() async throws {
    let scene = try await compiled()
    scene.put("inc/y.h", "int y\n")
    try await scene.expect()
    scene.put("inc/x.h", "#include inc/y.h\nint x\n")
    try await scene.expect(
      runs: ["a": "inc/x.h: … → …", "lib": "build/a.o: … → …"], reads: made + lib + ["inc/x.h", "inc/y.h"])
    try await scene.settle()
    scene.put("inc/y.h", "int z\n")
    try await scene.expect(
      runs: ["a": "inc/y.h: … → …", "lib": "build/a.o: … → …"], reads: made + lib + ["inc/y.h"])
  }

  /// The compiler says what is wrong, if anything is.
  @Test func `a deleted header: the step runs and fails, and is well when it is there again`() async throws {
    let scene = try await compiled()
    scene.delete("inc/x.h")
    try await scene.expect(runs: ["a": "inc/x.h is gone"], fails: ["a"])
    #expect(scene.world.text("build/a.o") == "int a\nint s\nint x\n")
    // What it made is still there, and is what it would make.
    scene.put("inc/x.h", "int x\n")
    try await scene.expect(reads: ["build/a.o", "build/a.o.d", "inc/x.h"])
  }

  @Test func `a header that was deleted and is not needed any more`() async throws {
    let scene = try await compiled()
    scene.delete("inc/x.h")
    scene.put("a.c", "#include /usr/include/s.h\nint a\n")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "lib": "build/a.o: … → …"], reads: ["a.c"] + made + lib)
  }

  @Test func `a header that became executable`() async throws {
    let scene = try await compiled()
    scene.world.disk.setExecutable("/tree/inc/x.h", true)
    try await scene.expect(runs: ["a": "inc/x.h: … → … executable"], reads: made + ["inc/x.h"])
  }

  @Test func `a depfile that is missing or was edited`() async throws {
    let scene = try await compiled()
    scene.delete("build/a.o.d")
    try await scene.expect(runs: ["a": "'build/a.o.d' is missing"], reads: made)
    try await scene.settle()
    scene.put("build/a.o.d", "nonsense")
    try await scene.expect(
      runs: ["a": "'build/a.o.d' was changed by somebody else"], reads: (made + ["build/a.o.d"]).sorted())
  }

  /// Of a step that comes before for another output's sake.
  @Test func `a generated header`() async throws {
    let scene = try await Scene(["seed": "int x", "a.c": "#include gen/x.h\nint a\n"]) { _ in
      let gen = Step(
        name: "gen", summary: "", inputs: [.path("seed", here)], outputs: ["gen/x.h"],
        action: CommandAction(.words(["join", "gen/x.h", "seed"])), place: here)
      return [
        compile("a", "a.o", "a.c", inputs: ["stamp"]), gen,
        Step(
          name: "stamp", summary: "", inputs: [.path("gen/x.h", here)], outputs: ["stamp"],
          action: CommandAction(.words(["join", "stamp"])), place: here),
      ]
    }
    scene.put("seed", "int y")
    // What the header's change does to the stamp is nothing: the object is made for its own sake.
    try await scene.expect(
      runs: ["gen": "seed: … → …", "stamp": "gen/x.h: … → …", "a": "gen/x.h: … → …"],
      reads: ["a.o", "a.o.d", "a.o.d", "gen/x.h", "seed", "stamp"])
    #expect(scene.world.text("a.o") == "int a\njoin 1[int y]\n")
  }

  @Test func `a step that had no depfile gets one`() async throws {
    let scene = try await Scene(["a.c": "#include x.h\nint a\n", "x.h": "int x\n"]) { _ in
      [
        Step(
          name: "a", summary: "a", inputs: [.path("a.c", here)], outputs: ["a.o", "a.o.d"],
          action: CommandAction(.words(["compile", "a.o", "a.o.d", "a.c"])), place: here)
      ]
    }
    scene.put("x.h", "int y\n")
    try await scene.expect()
    scene.steps = [compile("a", "a.o", "a.c")]
    try await scene.expect(runs: ["a": "depfile 'a.o.d' is new"], reads: ["a.o", "a.o.d", "a.o.d", "x.h"])
  }
}
