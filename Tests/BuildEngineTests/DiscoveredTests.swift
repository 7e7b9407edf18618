import BuildEngine
import Findings
import Store
import Synchronization
import SystemPackage
import Testing

/// What a depfile names decides the next time.
@Suite struct DiscoveredTests {
  let world = World()
  let steps = [compile("a", "build/a.o", "a.c"), join("lib", "build/lib", ["build/a.o"])]

  init() async throws {
    world.put("a.c", "#include inc/x.h\n#include /usr/include/s.h\nint a\n")
    world.put("inc/x.h", "int x\n")
    world.disk.put("/usr/include/s.h", "int s\n")
    #expect(try await world.ran(steps) == ["a", "lib"])
    #expect(try await world.ran(steps) == [])
  }

  private func ran() async throws -> [String] { try await world.ran(steps) }

  private func record() throws -> BuildRecord {
    try #require(try BuildLog("/tree/.npi/log", disk: world.disk)["a"])
  }

  @Test func aHeaderThatIsNotDeclared() async throws {
    world.put("inc/x.h", "int y\n")
    #expect(try await ran() == ["a", "lib"])
    #expect(try await ran() == [])
    // Outside of the tree, too.
    world.disk.put("/usr/include/s.h", "int t\n")
    #expect(try await ran() == ["a", "lib"])
    #expect(try await ran() == [])
    world.disk.touch("/usr/include/s.h")
    #expect(try await ran() == [])
  }

  @Test func aCommentInAHeaderStopsAtTheObject() async throws {
    world.put("inc/x.h", "// new\nint x\n")
    #expect(try await ran() == ["a"])
    #expect(try await ran() == [])
  }

  @Test func theRecordNamesThem() async throws {
    let record = try record()
    #expect(record.discovered == Discovered(["/usr/include/s.h", "inc/x.h"]))
    #expect(
      record.lines.suffix(2) == [
        "discovered /usr/include/s.h \(Digest(of: "int s\n").hex)", "discovered inc/x.h \(Digest(of: "int x\n").hex)",
      ])
    #expect(record.declared != record.key)
    // The same declared material, another content of what was discovered.
    world.put("inc/x.h", "int y\n")
    _ = try await ran()
    #expect(try self.record().declared == record.declared)
    #expect(try self.record().key != record.key)
  }

  @Test func headersComeAndGo() async throws {
    world.put("inc/x.h", "#include inc/y.h\nint x\n")
    world.put("inc/y.h", "int y\n")
    #expect(try await ran() == ["a", "lib"])
    world.put("inc/y.h", "int z\n")
    #expect(try await ran() == ["a", "lib"])
    world.put("a.c", "int a\n")
    #expect(try await ran() == ["a", "lib"])
    #expect(try record().discovered == Discovered())
    for path in ["inc/x.h", "inc/y.h"] { world.delete(path) }
    #expect(try await ran() == [])
  }

  /// The command says what is wrong, if anything is.
  @Test func aVanishedHeader() async throws {
    world.delete("inc/x.h")
    let result = try await world.build(steps)
    #expect(
      result.failed.first.map { String(decoding: $0.output, as: UTF8.self) } == "compile: /tree/inc/x.h: not there\n")
    world.put("a.c", "int a\n")
    #expect(try await ran() == ["a", "lib"])
  }

  @Test func theDepfileItselfIsAnOutput() async throws {
    world.delete("build/a.o.d")
    #expect(try await ran() == ["a"])
    world.put("build/a.o.d", "nonsense")
    #expect(try await ran() == ["a"])
  }

  @Test func nothingToDoReadsWhatWasDiscoveredOnce() async throws {
    let steps = steps + [compile("b", "build/b.o", "b.c")]
    world.put("b.c", "#include inc/x.h\n")
    _ = try await world.ran(steps)
    _ = world.disk.takeEvents()
    #expect(try await world.ran(steps) == [])
    let events = world.disk.takeEvents()
    #expect(events.count { $0 == .digested("/tree/inc/x.h") } == 1)
    #expect(events.count { $0 == .digested("/usr/include/s.h") } == 1)
    #expect(!events.contains { if case .listed = $0 { true } else { false } })
    // When what is declared has changed nothing of the rest is looked at.
    world.put("a.c", "int a\n")
    let result = try await world.build(steps, ["a"], BuildOptions(mode: .dryRun))
    #expect(result.wouldRun.map(\.step.name) == ["a"])
    #expect(!world.disk.takeEvents().contains(.digested("/tree/inc/x.h")))
  }

  @Test func oddNames() async throws {
    world.put("a.c", "#include inc/a b.h\n#include /usr/../usr/include/s.h\n#include inc/../inc/é.h\n")
    world.put("inc/a b.h", "x")
    world.put("inc/é.h", "x")
    #expect(try await ran() == ["a", "lib"])
    #expect(try record().discovered == Discovered(["/usr/include/s.h", "inc/a b.h", "inc/é.h"]))
  }

  @Test func aHeaderThatAnotherStepMakes() async throws {
    let gen = join("gen", "inc/x.h", ["seed"])
    world.put("seed", "int x")
    // What was noted before the other step was there is not trusted.
    let result = try await world.build([steps[0], gen], ["a"])
    #expect(result.failed.map(\.step.name) == ["a"])
    let failure = try #require(result.failed.first?.failure)
    #expect(failure.message == "'inc/x.h' is made by step 'gen', and step 'a' does not say that it needs it")
    #expect(failure.hint == "add 'inc/x.h' to the inputs of 'a'")
    // The old object is there.
    #expect(world.text("build/a.o") == "int a\nint s\nint x\n")
    let ordered = [gen, compile("a", "build/a.o", "a.c", inputs: ["inc/x.h"])]
    #expect(try await world.ran(ordered) == ["gen", "a"])
    #expect(world.text("build/a.o") == "int a\nint s\njoin 1[int x]\n")
    #expect(try await world.ran(ordered) == [])
    #expect(try record().discovered == Discovered(["/usr/include/s.h"]))
    // It is enough to come after it for any reason.
    let other = join("other", "other", ["inc/x.h"])
    #expect(try await world.ran([gen, other, compile("a", "build/a.o", "a.c", inputs: ["other"])]) == ["other", "a"])
    #expect(try record().discovered == Discovered(["/usr/include/s.h", "inc/x.h"]))
  }

  private func failure(depfile: String?, ofStep text: String = "idle") async throws -> StepFailure {
    let world = World()
    world.put("in", "1")
    world.put("out", "old")
    world.runner.meanwhile.withLock {
      $0 = { _ in
        world.put("out", "new")
        if let depfile { world.put("out.d", depfile) }
      }
    }
    let step = Step(
      name: "s", summary: "s", inputs: [.path("in", here)], outputs: ["out", "out.d"],
      action: CommandAction(.words([text]), depfile: "out.d"), place: here)
    let failure = try #require(try await world.build([step]).failed.first?.failure)
    #expect(world.text("out") == "old")
    return failure
  }

  @Test func depfilesThatCannotBeUsed() async throws {
    var failure = try await failure(depfile: nil)
    #expect(failure.message == "it ended well but did not write its depfile 'out.d'")
    failure = try await self.failure(depfile: "out: in\nrubbish\n")
    #expect(
      failure.message
        == "its depfile 'out.d' cannot be read: line 2: there is no ':' after the name that it begins with")
    failure = try await self.failure(depfile: "out: in x.h y.h\n")
    #expect(failure.message == "its depfile 'out.d' names 'x.h', 'y.h': not there")
    #expect(failure.hint == "names in it are relative to the folder in which the command runs: '.'")
    failure = try await self.failure(depfile: "")
    #expect(failure.message.hasSuffix("line 1: it holds no rule, 'made: what it was made of'"))
  }

  /// A step whose record from the time before it had a depfile.
  @Test func aDepfileIsPartOfTheKey() async throws {
    let plain = Step(
      name: "a", summary: "a", inputs: [.path("a.c", here)], outputs: ["build/a.o", "build/a.o.d"],
      action: CommandAction(.words(["compile", "build/a.o", "build/a.o.d", "a.c"])), place: here)
    #expect(try await world.ran([plain]) == ["a"])
    #expect(try await world.ran([plain]) == [])
    world.put("inc/x.h", "int y\n")
    #expect(try await world.ran([plain]) == [])
    #expect(try await ran() == ["a", "lib"])
  }
}
