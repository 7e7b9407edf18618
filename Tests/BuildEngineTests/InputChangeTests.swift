import BuildEngine
import Synchronization
import SystemPackage
import Testing

/// Somebody writes while a step runs.
@Suite struct InputChangeTests {
  let world = World()
  let steps = [compile("a", "build/a.o", "a.c")]

  init() {
    world.put("a.c", "#include x.h\nint a\n")
    world.put("x.h", "int x\n")
  }

  /// Builds, and does something while the command runs, but only this time.
  private func build(_ steps: [Step], meanwhile: @escaping @Sendable (World) -> Void) async throws -> BuildResult {
    let world = world
    world.runner.meanwhile.withLock { $0 = { _ in meanwhile(world) } }
    defer { world.runner.meanwhile.withLock { $0 = nil } }
    return try await world.build(steps)
  }

  private func note(_ path: String) -> [String] {
    ["'\(path)' was changed while 'a' ran, so that it runs again the next time"]
  }

  /// There and back while it ran: which one it saw nobody knows.
  @Test func thereAndBack() async throws {
    let result = try await build(steps) { world in
      world.put("a.c", "int b\n")
      world.put("a.c", "#include x.h\nint a\n")
    }
    #expect(result.notes == note("a.c"))
    #expect(try await world.ran(steps) == ["a"])
  }

  @Test func aDiscoveredInput() async throws {
    // Not known before the first time.
    var result = try await build(steps) { $0.put("x.h", "int y\n") }
    #expect(result.notes == note("x.h"))
    #expect(try await world.ran(steps) == ["a"])
    // Known from the last time.
    world.put("a.c", "#include x.h\nint b\n")
    result = try await build(steps) { world in
      world.put("x.h", "int z\n")
      world.put("x.h", "int y\n")
    }
    #expect(result.notes == note("x.h"))
    #expect(try await world.ran(steps) == ["a"])
    #expect(try await world.ran(steps) == [])
  }

  @Test func aVanishedInput() async throws {
    let result = try await build([join("a", "o", ["x.h", "a.c"], program: "idle")]) { world in
      world.put("o", "made")
      world.delete("x.h")
    }
    #expect(result.notes == note("x.h"))
  }

  @Test func theProgram() async throws {
    let result = try await build(steps) { $0.disk.put("/bin/compile", "compile 2", executable: true) }
    #expect(result.notes == note("/bin/compile"))
    #expect(try await world.ran(steps) == ["a"])
  }

  /// What was made just before by a step that it needs is no change, and a file that is nobody's input is none.
  @Test func noFalseAlarm() async throws {
    world.put("seed", "int x")
    let steps = [
      join("gen", "x.h", ["seed"]), join("then", "then", ["x.h"]), compile("a", "build/a.o", "a.c", inputs: ["then"]),
    ]
    let result = try await build(steps) { $0.put("src/other", "x") }
    #expect(result.notes == [])
    #expect(result.ran.count == 3)
    #expect(try await world.ran(steps) == [])
  }

  /// The folder that tells the time of the disk does not stay.
  @Test func nothingIsLeftBehind() async throws {
    _ = try await world.ran(steps)
    #expect(try world.disk.status("/tree/.npi/aside/0-begin", followingLinks: false) == nil)
  }
}
