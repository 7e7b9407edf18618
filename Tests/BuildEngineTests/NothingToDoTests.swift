@testable import BuildEngine
import Store
import SystemPackage
import Testing
import TestSupport

/// A decision that was kept is given only if a whole run would come to the same one.
@Suite struct NothingToDoTests {
  private let world = World()
  private let steps: [Step]
  private let question = Digest(of: "question")
  private let answer = "nothing to do\n"

  init() {
    world.put("npi.yml", "manifest")
    world.put("src/a.txt", "one")
    world.put("src/b.txt", "two")
    world.put("src/deep/c.txt", "three")
    world.put("named", "four")
    world.disk.put(link: "src/link".inTree, to: "../named")
    world.disk.put("/usr/lib/codec", "codec")
    steps = [
      join("first", "build/first", ["named", "src/b.txt"]),
      world.collect("all", "build/all", [glob("src/**/*.txt"), glob("src/l*"), .path("build/first", here)]),
    ]
  }

  private func run(keeps: Bool = true, mode: BuildOptions.Mode = .build) async throws -> BuildResult {
    let disk = world.disk
    let conclusion = TreeState.Conclusion(
      question: question, answer: answer, sources: ["/usr/lib/codec", "/usr/lib/none"],
      read: [("/tree/npi.yml", Digest(of: disk.raw("/tree/npi.yml") ?? []))])
    let scheduler = Scheduler(
      graph: try Graph(steps, hidden: [".npi", "dist"]), disk: disk, runner: world.runner,
      host: HostEnvironment(path: Array("/sbin:/bin".utf8), home: nil), seal: .test, fingerprint: [1],
      memory: keeps ? TreeState(disk, seal: .test, writes: mode == .build, conclusion: conclusion) : nil)
    return try await scheduler.run([], options: BuildOptions(mode: mode))
  }

  private func settle() async throws {
    for _ in 0..<3 { _ = try await run() }
    try #require(given() == answer)
  }

  private func given(_ question: Digest? = nil) -> String? {
    TreeState.Decision(on: question ?? self.question, world.disk, .test)?.answerIfSame(world.disk)
  }

  @Test func nothingIsReadButTheAnswer() async throws {
    _ = try await run()
    #expect(given() == nil)
    _ = try await run()
    #expect(given() == answer)
    _ = world.disk.takeEvents()
    #expect(given() == answer)
    let events = world.disk.takeEvents()
    let read = events.filter { if case .listed = $0 { false } else { true } }
    #expect(read == [.read("/tree/.npi/state")])
    #expect(given(Digest(of: "another question")) == nil)
  }

  /// What was changed, and how.
  private static let edits: [(String, @Sendable (World) throws -> Void)] = [
    ("an input", { $0.put("src/a.txt", "ONE") }),
    ("a named input", { $0.put("named", "FOUR") }),
    ("an input's permissions", { $0.disk.put("src/a.txt".inTree, "one", executable: true) }),
    ("an input's time", { $0.disk.touch("src/a.txt".inTree) }),
    ("an input that is gone", { $0.delete("src/b.txt") }),
    ("a file that is new", { $0.put("src/d.txt", "") }),
    ("a file that is new further down", { $0.put("src/deep/deeper/d.txt", "") }),
    (
      "a file in the place of a folder",
      {
        $0.delete("src/deep"); $0.put("src/deep", "")
      }
    ),
    ("another file of the same name", { try $0.disk.rename("named".inTree, to: "src/a.txt".inTree) }),
    ("a link", { $0.disk.put(link: "src/link".inTree, to: "../src/a.txt") }),
    ("what a link leads to", { $0.delete("named") }),
    ("an output", { $0.put("build/first", "mine") }),
    ("an output that is gone", { $0.delete("build/all") }),
    ("a program", { $0.disk.put("/bin/join", "join 2", executable: true) }),
    ("a program found earlier", { $0.disk.put("/sbin/join", "join 2", executable: true) }),
    ("a library", { $0.disk.put("/usr/lib/codec", "CODEC") }),
    ("a library that was not there", { $0.disk.put("/usr/lib/none", "x") }),
    ("the manifest", { $0.put("npi.yml", "MANIFEST") }),
    ("the log", { $0.delete(".npi/log") }),
    ("the state", { $0.delete(".npi") }),
    (".gitignore", { $0.delete(".npi/.gitignore") }),
    ("what a killed build left", { $0.put(".npi/aside/0-0", "old") }),
    ("what a killed command left", { $0.put(".npi/tmp/1-1.held.npi-tmp", "") }),
  ]

  @Test(arguments: edits.indices) func everyEditIsSeen(_ index: Int) async throws {
    try await settle()
    let (name, edit) = NothingToDoTests.edits[index]
    try edit(world)
    #expect(given() == nil, "\(name)")
  }

  /// Whatever is changed: an answer that is given is the one that a run that knows nothing of it gives.
  @Test(arguments: 0..<16) func neverDiffersFromAWholeRun(_ seed: Int) async throws {
    var random = Random(state: UInt64(seed) * 7_919 + 1)
    let names = [
      "src/a.txt", "src/b.txt", "src/deep/c.txt", "named", "src/e.txt", "src/.hidden", "other", "src/deep/f.c",
    ]
    try await settle()
    for _ in 0..<8 {
      let name = names[Int(random.next() % UInt64(names.count))]
      switch random.next() % 4 {
      case 0: world.put(name, "\(random.next() % 2)")
      case 1: world.disk.touch(name.inTree)
      case 2 where world.disk.raw(name.inTree) == nil: world.put(name, "new")
      default: _ = try? await run()
      }
      let given = given()
      guard given != nil else { continue }
      let whole = try await run(keeps: false, mode: .dryRun)
      #expect(whole.nothingToDo)
    }
  }

  /// On a real disk, where things are looked at by an open folder.
  @Test func aRealTree() async throws {
    struct Write: Action {
      func encode(into encoder: inout some KeyEncoder) { encoder.add("action", "write") }

      func run(_ context: ActionContext) async throws -> ActionReport {
        for output in context.outputs { try context.disk.write(context.absolute(output), [1]) }
        return ActionReport()
      }
    }
    let scratch = Scratch()
    for index in 0..<40 { try scratch.write("src/\(index % 4)/ü\(index).txt", "\(index)") }
    try scratch.link("src/0/link", to: "../1")
    try scratch.link("src/0/nowhere", to: "nothing")
    let step = Step(
      name: "all", summary: "all", inputs: [glob("src/**/*.txt"), glob("src/0"), .path("src/0/link", here)],
      outputs: ["out/all"], action: Write(), place: here)
    let disk = try RealDisk(scratch.path)
    func settle() async throws {
      for _ in 0..<20 where given() == nil {
        let conclusion = TreeState.Conclusion(question: question, answer: answer, sources: ["/bin/sh"], read: [])
        let scheduler = Scheduler(
          graph: try Graph([step]), disk: disk, runner: world.runner,
          host: HostEnvironment(path: nil, home: nil), seal: .test, fingerprint: [1],
          memory: TreeState(disk, seal: .test, writes: true, conclusion: conclusion))
        _ = try await scheduler.run()
        try await Task.sleep(for: .milliseconds(10))
      }
      try #require(given() == answer)
    }
    func given() -> String? {
      TreeState.Decision(on: question, disk, .test)?.answerIfSame(disk)
    }
    for edit in [
      "echo new > src/3/ü7.txt", "touch src/2/new.txt", "rm src/1/ü1.txt", "ln -sfn ../2 src/0/link", "rm out/all",
      "touch src/0/nothing", "mv src/1 src/9", "chmod +x src/3/ü7.txt", "cp -p src/3/ü7.txt t; mv t src/3/ü7.txt",
    ] {
      try await settle()
      try await Tool.check(["sh", "-ec", edit], in: scratch.path)
      #expect(given() == nil, "\(edit)")
      if edit.hasPrefix("mv") { try await Tool.check(["mv", "src/9", "src/1"], in: scratch.path) }
    }
  }

  /// A file that was changed within the tick in which it was looked at may be changed again and look the same.
  @Test func nothingIsKeptWithinOneTick() async throws {
    try await settle()
    world.disk.freeze(true)
    world.put("src/a.txt", "ONE")
    for _ in 0..<3 { _ = try await run() }
    #expect(given() == nil)
    world.put("src/a.txt", "uno")
    #expect(given() == nil)
    world.disk.freeze(false)
    try await settle()
  }

  @Test func dryRunsKeepNothing() async throws {
    _ = try await run()
    let before = world.disk.raw("/tree/.npi/state")
    for mode in [BuildOptions.Mode.dryRun, .question] {
      #expect(try await run(mode: mode).nothingToDo)
      #expect(world.disk.raw("/tree/.npi/state") == before && given() == nil)
    }
  }

  /// The manifest was changed after it was read: what was decided is of the old one.
  @Test func aSourceThatChangesMeanwhile() async throws {
    for _ in 0..<2 { _ = try await run() }
    world.delete(".npi/state")
    let old = TreeState.Conclusion(
      question: question, answer: answer, sources: [], read: [("/tree/npi.yml", Digest(of: "what was read"))])
    let scheduler = Scheduler(
      graph: try Graph(steps, hidden: [".npi", "dist"]), disk: world.disk, runner: world.runner,
      host: HostEnvironment(path: Array("/sbin:/bin".utf8), home: nil), seal: .test, fingerprint: [1],
      memory: TreeState(world.disk, seal: .test, writes: true, conclusion: old))
    #expect(try await scheduler.run().nothingToDo)
    #expect(given() == nil)
  }

  @Test func damaged() async throws {
    try await settle()
    let whole = try #require(world.disk.raw("/tree/.npi/state"))
    // The decision, behind the header, its length and its seal.
    let start = "npi-pack state 1\n".utf8.count
    let record = whole[(start + 4 + Seal.size)...].prefix(
      whole[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | Int($1) })
    for length in stride(from: 0, to: record.endIndex, by: 11) {
      world.disk.put("/tree/.npi/state", raw: Array(whole[..<length]))
      #expect(given() == nil)
    }
    for place in stride(from: 0, to: record.endIndex, by: 7) {
      var bytes = whole
      bytes[place] ^= 0x21
      world.disk.put("/tree/.npi/state", raw: bytes)
      #expect(given() == nil)
    }
    // Lengths that lie, under a right seal.
    for place in stride(from: Digest.byteCount, to: record.count, by: 5) {
      var lying = Array(record)
      lying[place] = 0xFF
      world.disk.put(
        "/tree/.npi/state", raw: Array(whole[..<(start + 4)]) + Seal.test(lying) + lying)
      #expect(given() == nil || given() == answer)
    }
  }

  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }
}
