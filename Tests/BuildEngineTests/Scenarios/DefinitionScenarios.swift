import BuildEngine
import SystemPackage
import Testing

/// The manifest, the tool or the machine is another one.
@Suite struct DefinitionScenarios {
  @Test func `another command`() async throws {
    let scene = try await Scene.program()
    scene.steps[3] = Step(
      name: "doc", summary: "", inputs: [.path("readme", here)], outputs: ["doc.txt"],
      action: CommandAction(.words(["join", "doc.txt", "readme", "readme"])), place: here)
    try await scene.expect(runs: ["doc": "word 'readme' is new"], reads: ["doc.txt"])
    #expect(scene.world.text("doc.txt") == "join 1[readme][readme]")
  }

  @Test func `another input, with the same command`() async throws {
    let scene = try await Scene.program()
    scene.steps[3] = Step(
      name: "doc", summary: "", inputs: [.path("readme", here), .path("x.h", here)], outputs: ["doc.txt"],
      action: CommandAction(.words(["join", "doc.txt", "readme"])), place: here)
    try await scene.expect(runs: ["doc": "x.h is new"], reads: ["doc.txt"])
  }

  @Test func `another environment; the order in which it is written is nothing`() async throws {
    let scene = try await Scene.program()
    func doc(_ environment: [(name: String, value: String)]) {
      scene.steps[3] = join("doc", "doc.txt", ["readme"], environment: environment)
    }
    doc([("B", "1"), ("A", "2")])
    try await scene.expect(runs: ["doc": "variable 'A' is new"], reads: ["doc.txt"])
    #expect(scene.world.text("doc.txt") == "join 1[readme]{A=2}{B=1}")
    try await scene.settle()
    doc([("A", "2"), ("B", "1")])
    try await scene.expect()
    doc([("A", "2"), ("B", "2")])
    try await scene.expect(runs: ["doc": "B: '6b86b273' → 'd4735e3a'"], reads: ["doc.txt"])
  }

  @Test func `another output: the old one stays where it is`() async throws {
    let scene = try await Scene.program()
    scene.steps[3] = Step(
      name: "doc", summary: "", inputs: [.path("readme", here)], outputs: ["guide.txt"],
      action: CommandAction(.words(["join", "guide.txt", "readme"])), place: here)
    try await scene.expect(runs: ["doc": "word: 'doc.txt' → 'guide.txt'"], reads: ["guide.txt"])
    #expect(scene.world.text("doc.txt") == "join 1[readme]")
  }

  @Test func `another npi-pack: everything runs`() async throws {
    let scene = try await Scene.program()
    scene.world.setTool("tool 2")
    // The objects come out as they were; what is made of them runs for the tool's own sake.
    let reason = "npi-pack itself has changed"
    try await scene.expect(
      runs: ["a": reason, "b": reason, "app": reason, "doc": reason],
      reads: ["doc.txt", "out/a.o", "out/app", "out/b.o"])
  }

  @Test func `another program: whoever runs it runs again; touching it is nothing`() async throws {
    let scene = try await Scene.program()
    scene.steps[3] = join("doc", "doc.txt", ["readme"], program: "/opt/join")
    scene.world.disk.put("/opt/join", "join 1", executable: true)
    try await scene.settle()
    scene.world.disk.touch("/bin/join")
    try await scene.expect(reads: ["/bin/join"])
    scene.world.disk.put("/bin/join", "join 2", executable: true)
    let reason = "the program 'join' has changed"
    try await scene.expect(
      runs: ["a": reason, "b": reason, "app": reason],
      reads: ["/bin/join", "out/a.o", "out/app", "out/b.o"])
  }

  /// A step makes the program of another one.
  @Test func `a program that is built first`() async throws {
    let scene = try await Scene(["join.c": "1", "in": "1"]) { world in
      [
        join("use", "out", ["in"], program: "tools/join"),
        Step(
          name: "tool", summary: "", inputs: [.path("join.c", here)], outputs: ["tools/join"],
          action: MakeProgram(disk: world.disk), place: here),
      ]
    }
    scene.put("join.c", "2")
    try await scene.expect(
      runs: ["tool": "join.c: … → …", "use": "the program 'tools/join' has changed"],
      reads: ["join.c", "out", "tools/join"])
    #expect(scene.world.text("out") == "made of 2[1]")
  }

  @Test func `PATH and HOME do not matter, nor where the same program lies`() async throws {
    let scene = try await Scene.program()
    scene.host.home = Array("/elsewhere".utf8)
    try await scene.expect()
    scene.world.disk.put("/opt/join", "join 1", executable: true)
    scene.host.path = Array("/nothing:relative:/opt:/bin".utf8)
    try await scene.expect(reads: ["/opt/join"])
  }

  @Test func `another order of the steps`() async throws {
    let scene = try await Scene.program()
    scene.steps.reverse()
    try await scene.expect()
  }

  @Test func `a step with another name has not been built yet`() async throws {
    let scene = try await Scene.program()
    scene.steps[3] = join("guide", "doc.txt", ["readme"])
    try await scene.expect(runs: ["guide": "it has not been built yet"], reads: ["doc.txt"])
  }

  @Test func `a step that is removed and comes back is still up to date`() async throws {
    let scene = try await Scene.program()
    let all = scene.steps
    scene.steps.removeLast()
    try await scene.expect()
    scene.steps = all
    try await scene.expect()
  }

  @Test func `two steps exchange their outputs`() async throws {
    let scene = try await Scene.program()
    scene.steps[0] = join("a", "out/b.o", ["a.c", "x.h"])
    scene.steps[1] = join("b", "out/a.o", ["b.c", "x.h"])
    try await scene.expect(
      runs: [
        "a": "word: 'out/a.o' → 'out/b.o'", "b": "word: 'out/b.o' → 'out/a.o'", "app": "out/a.o: … → …",
      ], reads: ["out/a.o", "out/app", "out/b.o"])
    #expect(scene.world.text("out/app") == "join 1[join 1[b.c][x.h]][join 1[a.c][x.h]]")
  }

  @Test func `a step is put before another one: what it makes was a source`() async throws {
    let scene = try await Scene.program()
    scene.put("template", "readme 2")
    scene.steps.append(join("gen", "readme", ["template"]))
    try await scene.expect(
      runs: ["gen": "it has not been built yet", "doc": "readme: … → …"], reads: ["doc.txt", "readme", "template"])
  }
}

private struct MakeProgram: Action {
  let disk: MemoryDisk

  func encode(into encoder: inout some KeyEncoder) { encoder.add("action", "make-program") }

  func run(_ context: ActionContext) async throws -> ActionReport {
    let text = "made of \(disk.text(context.absolute("join.c")) ?? "")"
    disk.put(context.absolute(context.outputs[0]), text, executable: true)
    return ActionReport()
  }
}
