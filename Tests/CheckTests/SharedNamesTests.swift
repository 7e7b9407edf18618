import Check
import Artifacts
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
    // One file may be there twice.
    plugins.append(plugins[random.number(count)])
    let records = Self.records(of: plugins, &random)
    let before = await SharedNames.find(records, for: slice)
    #expect(await RelatedArtifacts.find(records, before, for: slice) == Self.expected(plugins))
    for round in 0..<4 {
      // Each time some others are another plugin than before, or a copy of one.
      let changed = Set((0..<(1 + random.number(max(1, count / 10)))).map { _ in random.number(count) }).sorted()
      var (now, facts) = (plugins, records)
      for number in changed { now[number] = try await Plugin(number, "round\(round)", size, scratch, &random) }
      for (number, fresh) in zip(changed, Self.records(of: changed.map { now[$0] }, &random)) { facts[number] = fresh }
      if random.once(in: 2) {
        let (copy, original) = (changed[0], random.number(count))
        (now[copy], facts[copy]) = (now[original], facts[original])
      }
      let shared = await SharedNames.find(facts, for: slice, known: before, changed: changed)
      #expect(shared == (await SharedNames.find(facts, for: slice)))
      #expect(await RelatedArtifacts.find(facts, shared, for: slice) == Self.expected(now))
      // Some are taken out of their records into one of their own.
      for number in facts.indices where random.once(in: 3) {
        facts[number] = try #require(NameRecord([ArtifactNames(facts[number])]).facts.first)
      }
      #expect(shared == (await SharedNames.find(facts, for: slice)))
      #expect(await RelatedArtifacts.find(facts, shared, for: slice) == Self.expected(now))
    }
    let kept = try #require(SharedNames(count: plugins.count, rows: before.rows))
    #expect(kept == before)
    #expect(SharedNames(count: count + 64, rows: before.rows) == nil || before.rows.isEmpty)
  }

  /// What is kept of them, several in a record, the same one as the same entry.
  private static func records(of plugins: [Plugin], _ random: inout Seeded) -> [NameFacts] {
    var facts: [String: NameFacts] = [:]
    var rest = plugins.enumerated().filter { index, plugin in
      plugins.firstIndex { $0.file == plugin.file } == index
    }.map(\.element)
    while !rest.isEmpty {
      let part = rest.prefix(1 + random.number(20))
      rest.removeFirst(part.count)
      for (plugin, entry) in zip(part, NameRecord(part.map(\.names)).facts) { facts[plugin.file] = entry }
    }
    return plugins.compactMap { facts[$0.file] }
  }

  private struct Plugin {
    let file: String
    let names: ArtifactNames
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
      file = "\(what)-\(number).o"
      try await Tool.check(
        ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "a.s", "-o", file], in: scratch.path)
      let path = scratch(file)
      names = ArtifactNames(Artifact(path, temporary: scratch.path), isForApple: true)
      var texts: [Bool: [String]] = [:]
      for line in try await Tool.check(["llvm-nm-19", "-g", file], in: scratch.path).split(separator: "\n") {
        let parts = line.split(separator: " ")
        texts[parts.contains("U"), default: []].append(String(parts[parts.count - 1]))
      }
      defined = texts[false] ?? []
      wanted = texts[true] ?? []
    }
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
