import BuildEngine
import SystemPackage
import Testing

@Suite struct BuildLogTests {
  /// Whatever is left of the log, a build does not crash, ends with everything right, and what a record says is not run
  /// again.
  @Test func survivesBeingCutOffAtEveryByte() async throws {
    let world = World()
    world.put("in", "1")
    let steps = [join("a", "a", ["in"]), join("b", "b", ["a"]), join("c", "c", ["in"])]
    _ = try await world.ran(steps)
    let whole = try #require(world.disk.raw("/tree/.npi/log"))
    var counts: Set<Int> = []
    for length in 0...whole.count {
      world.disk.put("/tree/.npi/log", raw: Array(whole.prefix(length)))
      let ran = try await world.ran(steps)
      counts.insert(ran.count)
      #expect(ran == Array(["a", "b", "c"].suffix(ran.count)))
      #expect(try await world.ran(steps) == [])
    }
    #expect(counts == [0, 1, 2, 3])
  }

  @Test func survivesEveryFlippedByte() async throws {
    let world = World()
    world.put("in", "1")
    let steps = [join("a", "a", ["in"]), join("b", "b", ["a"])]
    _ = try await world.ran(steps)
    let whole = try #require(world.disk.raw("/tree/.npi/log"))
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= 0xFF
      world.disk.put("/tree/.npi/log", raw: bytes)
      #expect(try await !world.ran(steps).isEmpty)
      #expect(try await world.ran(steps) == [])
    }
  }

  @Test func doesNotGrowForEver() async throws {
    let world = World()
    let steps = [join("a", "a", ["in"])]
    var longest = 0
    for round in 0..<400 {
      world.put("in", "\(round % 7)")
      _ = try await world.ran(steps)
      longest = max(longest, world.disk.raw("/tree/.npi/log")?.count ?? 0)
    }
    let one = 300
    #expect(longest < 130 * one)
  }

  @Test func theFolderIsKeptOutOfGit() async throws {
    let world = World()
    world.put("in", "1")
    _ = try await world.ran([join("a", "a", ["in"])])
    #expect(world.text(".npi/.gitignore") == "*\n")
  }
}
