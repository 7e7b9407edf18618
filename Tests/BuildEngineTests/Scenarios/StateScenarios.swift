import BuildEngine
import SystemPackage
import Testing

/// The engine's own files are lost or damaged.
@Suite struct StateScenarios {
  private let everything = ["/bin/join", "a.c", "b.c", "doc.txt", "out/a.o", "out/app", "out/b.o", "readme", "x.h"]
  private let never = "it has not been built yet"

  @Test func `the log is lost: everything runs, and no source is read again`() async throws {
    let scene = try await Scene.program()
    scene.delete(".npi/log")
    try await scene.expect(
      runs: ["a": never, "b": never, "app": never, "doc": never],
      reads: ["doc.txt", "out/a.o", "out/app", "out/b.o"])
  }

  @Test func `all state is lost`() async throws {
    let scene = try await Scene.program()
    scene.delete(".npi")
    try await scene.expect(
      runs: ["a": never, "b": never, "app": never, "doc": never], reads: everything)
  }

  /// The steps whose records lie before the cut are up to date.
  @Test func `the log is cut off at any byte`() async throws {
    let scene = try await Scene.program()
    let whole = try #require(scene.world.disk.raw("/tree/.npi/log"))
    var counts: Set<Int> = []
    for length in stride(from: 0, to: whole.count, by: 41) {
      scene.world.disk.put("/tree/.npi/log", raw: Array(whole.prefix(length)))
      let lost = try await scene.build([], BuildOptions(mode: .dryRun)).result.wouldRun.map(\.step.name)
      let (result, _, started) = try await scene.build()
      #expect(started.map(\.name) == Array(["a", "b", "app", "doc"].suffix(lost.count)), "cut at \(length)")
      #expect(started.map(\.name) == lost && result.succeeded)
      #expect(started.allSatisfy { $0.reason == .neverRan })
      #expect(try await scene.build().result.nothingToDo)
      counts.insert(lost.count)
    }
    #expect(counts == [1, 2, 3, 4])
  }

  @Test func `the state is lost: everything is read, and nothing runs`() async throws {
    let scene = try await Scene.program()
    scene.delete(".npi/state")
    try await scene.expect(reads: everything)
    try await scene.expect()
  }

  /// Cut off or changed anywhere, it is as if it were not there.
  @Test func `the state is damaged`() async throws {
    let scene = try await Scene.program()
    let whole = try #require(scene.world.disk.raw("/tree/.npi/state"))
    var damaged = stride(from: 0, to: whole.count, by: 61).map { Array(whole.prefix($0)) }
    for place in stride(from: 0, to: whole.count, by: 37) {
      damaged.append(whole)
      damaged[damaged.count - 1][place] ^= 0x21
    }
    for bytes in damaged {
      scene.world.disk.put("/tree/.npi/state", raw: bytes)
      let (result, events, _) = try await scene.build()
      #expect(result.nothingToDo)
      #expect(scene.readFiles(events) == everything)
    }
  }

  /// What it did not read it must not be wrong about.
  @Test func `with no state the same is decided`() async throws {
    let scene = try await Scene.program()
    scene.put("a.c", "new")
    try await scene.expect(
      runs: ["a": "a.c: … → …", "app": "out/a.o: … → …"], reads: everything, remembers: false)
  }

  @Test func `a log that is something else is none`() async throws {
    let scene = try await Scene.program()
    scene.put(".npi/log", "npi-pack build log 0\nrubbish")
    try await scene.expect(
      runs: ["a": never, "b": never, "app": never, "doc": never],
      reads: ["doc.txt", "out/a.o", "out/app", "out/b.o"])
  }
}
