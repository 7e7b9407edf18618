import Artifacts
import Collisions
import SystemPackage
import TestSupport
import Testing

/// Which plugins have to do with each other, against what `llvm-nm` says of them.
@Suite("names that plugins share")
struct SharedNamesTests {
  @Test("plugins drawn by chance, and then some of them changed", arguments: [(12, 30), (150, 500)])
  func changes(_ count: Int, _ size: Int) async throws {
    var random = Seeded(seed: count)
    let scratch = Scratch()
    var plugins: [Plugin] = []
    for number in 0..<count { plugins.append(try await Plugin(number, "first", size, scratch, &random)) }
    let slice = Slice(platform: "ios", architecture: "arm64")
    let before = await SharedNames.find(plugins.map(\.facts), for: slice)
    #expect(Self.related(plugins, before, slice) == Self.expected(plugins))
    for round in 0..<4 {
      // Each time some others are another plugin than before.
      let changed = (0..<(1 + random.number(max(1, count / 10)))).map { _ in random.number(count) }
      var now = plugins
      for number in changed { now[number] = try await Plugin(number, "round\(round)", size, scratch, &random) }
      let shared = await SharedNames.find(now.map(\.facts), for: slice, known: before, changed: Set(changed).sorted())
      #expect(shared == (await SharedNames.find(now.map(\.facts), for: slice)))
      #expect(Self.related(now, shared, slice) == Self.expected(now))
    }
    let kept = try #require(SharedNames(count: count, rows: before.rows))
    #expect(kept == before)
    #expect(SharedNames(count: count + 64, rows: before.rows) == nil || before.rows.isEmpty)
  }

  private struct Plugin {
    let facts: NameFacts
    let defined: [String]
    let wanted: [String]

    init(_ number: Int, _ what: String, _ size: Int, _ scratch: Scratch, _ random: inout Seeded) async throws {
      var text: [String] = []
      for index in 0..<size { text += [".globl _\(what)_\(number)_\(index)", "_\(what)_\(number)_\(index): .quad 0"] }
      if random.once(in: 6) {
        let name = "_library\(random.number(8))"
        text += [".globl \(name)", "\(name): .quad 0"]
      }
      if random.once(in: 8) { text.append(".quad _library\(random.number(12))") }
      if random.once(in: 8) { text.append(".quad _first_\(random.number(20))_\(random.number(size))") }
      try scratch.write("a.s", ([".data"] + text).joined(separator: "\n") + "\n")
      let file = "\(what)-\(number).o"
      try await Tool.check(
        ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "a.s", "-o", file], in: scratch.path)
      let path = scratch(file)
      facts = NameFacts(Artifact(path, temporary: scratch.path), isForApple: true)
      var names: [Bool: [String]] = [:]
      for line in try await Tool.check(["llvm-nm-19", "-g", file], in: scratch.path).split(separator: "\n") {
        let parts = line.split(separator: " ")
        names[parts.contains("U"), default: []].append(String(parts[parts.count - 1]))
      }
      defined = names[false] ?? []
      wanted = names[true] ?? []
    }
  }

  private static func related(_ plugins: [Plugin], _ shared: SharedNames, _ slice: Slice) -> [Int] {
    RelatedArtifacts.find(plugins.map(\.facts), shared, for: slice)
  }

  /// Those that define what another one defines, and whoever wants something of theirs, and of those, and so on.
  private static func expected(_ plugins: [Plugin]) -> [Int] {
    var owners: [String: [Int]] = [:]
    for (number, plugin) in plugins.enumerated() {
      for name in plugin.defined { owners[name, default: []].append(number) }
    }
    var related = Set(owners.values.filter { $0.count > 1 }.joined())
    while true {
      let more = plugins.indices.filter { number in
        !related.contains(number)
          && plugins[number].wanted.contains { name in owners[name]?.contains { related.contains($0) } ?? false }
      }
      if more.isEmpty { return related.sorted() }
      related.formUnion(more)
    }
  }
}
