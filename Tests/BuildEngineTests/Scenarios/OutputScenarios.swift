import BuildEngine
import SystemPackage
import Testing

/// Somebody touches what a build has made.
@Suite struct OutputScenarios {
  @Test func `a deleted output: it is made again, and nobody else notices`() async throws {
    let scene = try await Scene.program()
    scene.delete("out/a.o")
    try await scene.expect(runs: ["a": "'out/a.o' is missing"], reads: ["out/a.o"])
  }

  @Test func `all outputs deleted`() async throws {
    let scene = try await Scene.program()
    scene.delete("out")
    try await scene.expect(
      runs: ["a": "'out/a.o' is missing", "b": "'out/b.o' is missing", "app": "'out/app' is missing"],
      reads: ["out/a.o", "out/app", "out/b.o"])
  }

  @Test func `an edited output is made again, to the same size or not`() async throws {
    let scene = try await Scene.program()
    for text in ["edited", "JOIN 1[README]"] {
      scene.put("doc.txt", text)
      try await scene.expect(runs: ["doc": "'doc.txt' was changed by somebody else"], reads: ["doc.txt", "doc.txt"])
      #expect(scene.world.text("doc.txt") == "join 1[readme]")
    }
  }

  @Test func `an edited output does not reach those who need it`() async throws {
    let scene = try await Scene.program()
    scene.put("out/a.o", "edited")
    try await scene.expect(runs: ["a": "'out/a.o' was changed by somebody else"], reads: ["out/a.o", "out/a.o"])
  }

  @Test func `an output that became executable`() async throws {
    let scene = try await Scene.program()
    scene.world.disk.setExecutable("/tree/doc.txt", true)
    try await scene.expect(runs: ["doc": "'doc.txt' was changed by somebody else"], reads: ["doc.txt", "doc.txt"])
  }

  @Test func `a folder, or a link to the same content, in the place of an output`() async throws {
    let scene = try await Scene.program()
    scene.delete("doc.txt")
    scene.put("doc.txt/inside", "x")
    try await scene.expect(
      runs: ["doc": "'doc.txt' was changed by somebody else"], reads: ["doc.txt", "doc.txt/inside"])
    #expect(scene.world.text("doc.txt/inside") == nil)
    try await scene.settle()
    try scene.move("doc.txt", to: "kept.txt")
    scene.world.disk.put(link: "doc.txt".inTree, to: "kept.txt")
    try await scene.expect(runs: ["doc": "'doc.txt' was changed by somebody else"], reads: ["doc.txt", "doc.txt"])
  }

  private func tree() async throws -> Scene {
    try await Scene(["seed/a": "a", "seed/sub/b": "b"]) { _ in
      [
        Step(
          name: "copy", summary: "", inputs: [.path("seed", here)], outputs: ["build/tree"],
          action: CommandAction(.words(["copy-tree", "seed", "build/tree"])), place: here)
      ]
    }
  }

  @Test func `an output folder is all that is in it`() async throws {
    let changed = "'build/tree' was changed by somebody else"
    let scene = try await tree()
    scene.put("build/tree/sub/b", "B")
    try await scene.expect(
      runs: ["copy": changed], reads: ["build/tree/a", "build/tree/sub/b", "build/tree/sub/b"])
    try await scene.settle()
    scene.delete("build/tree/a")
    try await scene.expect(runs: ["copy": changed], reads: ["build/tree/a", "build/tree/sub/b"])
    try await scene.settle()
    scene.delete("build/tree")
    try await scene.expect(runs: ["copy": "'build/tree' is missing"], reads: ["build/tree/a", "build/tree/sub/b"])
  }

  @Test func `an extra file in an output folder goes away`() async throws {
    let scene = try await tree()
    scene.put("build/tree/.extra", "x")
    try await scene.expect(
      runs: ["copy": "'build/tree' was changed by somebody else"],
      reads: ["build/tree/.extra", "build/tree/a", "build/tree/sub/b"])
    #expect(scene.world.text("build/tree/.extra") == nil)
  }
}
