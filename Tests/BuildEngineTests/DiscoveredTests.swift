import BuildEngine
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
    try #require(try BuildLog("/tree/.npi/log", seal: .test, disk: world.disk)["a"])
  }

  private func discovered(_ name: String, _ text: String) -> KeyLine {
    let content = Digest(of: text)
    return KeyLine(label: "discovered", name: name, value: String(content.hex.prefix(8)), content: content)
  }

  @Test func theRecordNamesThem() async throws {
    let record = try record()
    #expect(record.discovered == Discovered(["/usr/include/s.h", "inc/x.h"]))
    #expect(
      record.lines.suffix(2) == [
        discovered("/usr/include/s.h", "int s\n"), discovered("inc/x.h", "int x\n"),
      ])
    #expect(record.declared != record.key)
    // The same declared material, another content of what was discovered.
    world.put("inc/x.h", "int y\n")
    _ = try await ran()
    #expect(try self.record().declared == record.declared)
    #expect(try self.record().key != record.key)
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
}
