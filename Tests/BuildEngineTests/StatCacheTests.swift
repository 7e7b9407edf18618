import BuildEngine
import Store
import SystemPackage
import Testing

/// What has not changed is not read again, and nothing that has changed is ever missed.
@Suite struct StatCacheTests {
  private let world = World()
  private let steps: [Step]

  init() {
    world.put("a.txt", "one")
    world.put("b.txt", "two")
    steps = [world.collect("all", "build/all", [.path("a.txt", here), .path("b.txt", here)])]
  }

  private func ran(_ mode: BuildOptions.Mode = .build) async throws -> (steps: [String], read: Set<String>) {
    _ = world.disk.takeEvents()
    let result = try await world.build(steps, [], BuildOptions(mode: mode), remembers: true)
    let read = world.disk.takeEvents().compactMap { event -> String? in
      if case .digested(let path) = event { path.string } else { nil }
    }
    return ((result.ran + result.wouldRun).map(\.step.name), Set(read))
  }

  private let everything: Set<String> = ["/tree/a.txt", "/tree/b.txt"]

  @Test func onlyWhatChangedIsRead() async throws {
    #expect(try await ran() == (["all"], everything.union(["/tree/build/all"])))
    // The output is newer than the time that the disk gave: it is read once more.
    #expect(try await ran() == ([], ["/tree/build/all"]))
    #expect(try await ran() == ([], []))
    world.put("b.txt", "TWO")
    let (steps, read) = try await ran()
    #expect(steps == ["all"] && read.contains("/tree/b.txt") && !read.contains("/tree/a.txt"))
    #expect(world.text("build/all")?.contains("TWO") == true)
  }

  @Test func touchedAndTheSame() async throws {
    _ = try await ran()
    _ = try await ran()
    world.disk.touch("/tree/a.txt")
    #expect(try await ran() == ([], ["/tree/a.txt"]))
    #expect(try await ran() == ([], []))
  }

  /// Size, times and inode stay: a second write in the same tick as the first. What was read in between is not kept.
  @Test func writtenTwiceInOneTick() async throws {
    _ = try await ran()
    world.disk.freeze(true)
    world.put("a.txt", "ONE")
    #expect(try await ran().steps == ["all"])
    world.put("a.txt", "uno")
    #expect(try await ran().steps == ["all"])
    world.disk.freeze(false)
    #expect(world.text("build/all")?.contains("uno") == true)
    #expect(try await ran().steps == [])
  }

  @Test func theClockIsSetBack() async throws {
    _ = try await ran()
    _ = try await ran()
    world.disk.setClock(by: -1000)
    world.put("a.txt", "ONE")
    #expect(try await ran().steps == ["all"])
    world.put("a.txt", "uno")
    #expect(try await ran().steps == ["all"])
    world.disk.setClock(by: 5000)
    #expect(try await ran().steps == [])
  }

  /// Of a time after all others nothing is kept, and nothing is missed.
  @Test func timesInTheFuture() async throws {
    world.disk.setClock(by: 10_000)
    world.put("a.txt", "ONE")
    world.disk.setClock(by: -10_000)
    _ = try await ran()
    _ = try await ran()
    let read = try await ran().read
    #expect(read.contains("/tree/a.txt") && !read.contains("/tree/b.txt"))
  }

  @Test func aReplacedFileIsAnother() async throws {
    _ = try await ran()
    _ = try await ran()
    world.put("new", "ONE")
    try world.disk.rename("/tree/new", to: "/tree/a.txt")
    #expect(try await ran().steps == ["all"])
  }

  /// A dry run reads what it must and writes nothing.
  @Test func dryRun() async throws {
    let (steps, read) = try await ran(.dryRun)
    #expect(steps == ["all"] && read == everything)
    #expect(world.disk.raw("/tree/.npi/stats") == nil)
    _ = try await ran()
    _ = try await ran()
    #expect(try await ran(.dryRun) == ([], []))
  }

  /// Cut off or flipped anywhere, it is as if it were not there.
  @Test func damaged() async throws {
    _ = try await ran()
    _ = try await ran()
    let whole = try #require(world.disk.raw("/tree/.npi/stats"))
    for length in stride(from: 0, to: whole.count, by: 7) {
      world.disk.put("/tree/.npi/stats", raw: Array(whole[..<length]))
      #expect(try await ran().steps == [])
    }
    for place in stride(from: 0, to: whole.count, by: 5) {
      var bytes = whole
      bytes[place] ^= 0x21
      world.disk.put("/tree/.npi/stats", raw: bytes)
      #expect(try await ran() == ([], everything.union(["/tree/build/all"])))
    }
  }
}
