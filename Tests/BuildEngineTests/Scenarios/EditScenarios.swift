import SystemPackage
import Testing

/// Somebody edits sources.
@Suite struct EditScenarios {
  @Test func `nothing to do: only the engine's own files are read`() async throws {
    try await Scene.program().expect()
  }

  @Test func `nothing to do and no state: everything is read, once`() async throws {
    try await Scene.program().expect(
      reads: ["/bin/join", "a.c", "b.c", "doc.txt", "out/a.o", "out/app", "out/b.o", "readme", "x.h"], remembers: false)
  }

  @Test func `an edited source: its step runs, and what is made of it`() async throws {
    let scene = try await Scene.program()
    scene.put("a.c", "new")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "app": "out/a.o: … → …"], reads: ["a.c", "out/a.o", "out/app"])
    #expect(scene.world.text("out/app") == "join 1[join 1[new][x.h]][join 1[b.c][x.h]]")
  }

  @Test func `a diamond: the header of both, and what is made of both runs once`() async throws {
    let scene = try await Scene.program()
    scene.put("x.h", "new")
    try await scene.expect(
      runs: ["a": "x.h: … → …", "b": "x.h: … → …", "app": "out/a.o: … → …"],
      reads: ["out/a.o", "out/app", "out/b.o", "x.h"])
  }

  @Test func `edited and taken back before a build: it is read, and nothing runs`() async throws {
    let scene = try await Scene.program()
    scene.put("a.c", "new")
    scene.put("a.c", "a.c")
    try await scene.expect(reads: ["a.c"])
  }

  @Test func `edited and taken back after a build: it runs again`() async throws {
    let scene = try await Scene.program()
    scene.put("a.c", "new")
    try await scene.settle()
    scene.put("a.c", "a.c")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "app": "out/a.o: … → …"], reads: ["a.c", "out/a.o", "out/app"])
  }

  @Test func `touched: it is read, and nothing runs`() async throws {
    let scene = try await Scene.program()
    for path in ["a.c", "readme", "out/b.o"] { scene.world.disk.touch(path.inTree) }
    try await scene.expect(reads: ["a.c", "out/b.o", "readme"])
  }

  @Test func `an edit that seems to be as old as the content before it is seen`() async throws {
    let scene = try await Scene.program()
    scene.world.disk.put(backdated: "/tree/a.c", "A.C")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "app": "out/a.o: … → …"], reads: ["a.c", "out/a.o", "out/app"])
  }

  /// Size, times and inode stay: a second write in the same tick as the first. What was read in between is not kept.
  @Test func `an edit of the same size in the same tick of the clock is seen`() async throws {
    let scene = try await Scene.program()
    scene.world.disk.freeze(true)
    scene.put("readme", "README")
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"])
    scene.put("readme", "ReadMe")
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"])
    scene.put("readme", "rEADmE")
    scene.world.disk.freeze(false)
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"])
  }

  @Test func `edits after the clock was set back are seen`() async throws {
    let scene = try await Scene.program()
    scene.world.disk.setClock(by: -1000)
    scene.put("readme", "README")
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"])
    scene.put("readme", "ReadMe")
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"])
    scene.world.disk.setClock(by: 5000)
    try await scene.expect()
  }

  /// Nothing is kept of a time after all others.
  @Test func `a file from the future is read each time`() async throws {
    let scene = try await Scene.program()
    scene.world.disk.setClock(by: 10_000)
    scene.put("readme", "readme")
    scene.world.disk.setClock(by: -10_000)
    for _ in 0..<3 { try await scene.expect(reads: ["readme"]) }
  }

  @Test func `another file of the same size that takes its place is seen`() async throws {
    let scene = try await Scene.program()
    scene.put("new", "README")
    try scene.move("new", to: "readme")
    try await scene.expect(runs: ["doc": "readme: … → …"], reads: ["doc.txt", "readme"])
  }

  @Test func `files that nobody declares are not looked at`() async throws {
    let scene = try await Scene.program()
    scene.put("a.h", "x")
    scene.put("out/other", "x")
    try await scene.expect(lists: [])
  }

  @Test func `an input that became executable is changed`() async throws {
    let scene = try await Scene.program()
    scene.world.disk.setExecutable("/tree/readme", true)
    try await scene.expect(runs: ["doc": "readme: … → … executable"], reads: ["doc.txt", "readme"])
  }

  /// The object comes out as it was: whoever needs it does not run.
  @Test func `a chain ends where an output comes out as it was`() async throws {
    let scene = try await Scene(["a.c": "one\n// a comment\n", "b.c": "two\n"]) { _ in
      [
        compile("a", "a.o", "a.c"), compile("b", "b.o", "b.c"), join("lib", "lib", ["a.o", "b.o"]),
        join("app", "app", ["lib"]),
      ]
    }
    scene.put("a.c", "one\n// another\n")
    try await scene.expect(runs: ["a": "a.c: … → …"], reads: ["a.c", "a.o", "a.o.d", "a.o.d"])
    scene.put("a.c", "two\n")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "lib": "a.o: … → …", "app": "lib: … → …"],
      reads: ["a.c", "a.o", "a.o.d", "a.o.d", "app", "lib"])
  }

  @Test func `an input that vanished is a mistake, and nothing is done`() async throws {
    let scene = try await Scene.program()
    scene.delete("a.c")
    let before = scene.world.disk.contents(below: "/tree/out")
    await #expect(throws: (any Error).self) { try await scene.build() }
    #expect(scene.world.disk.contents(below: "/tree/out") == before)
    scene.put("a.c", "a.c")
    try await scene.expect(reads: ["a.c"])
  }
}
