import Lanes
import Artifacts
import Check
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

/// Which plugins have to do with each other, against what `llvm-nm` says of them.
@Suite("the symbol index", .tools)
struct SymbolIndexTests {
  @Test("plugins drawn by chance, and then some of them changed", arguments: [(12, 30), (150, 500)])
  func changes(_ count: Int, _ size: Int) async throws {
    var random = Seeded(seed: count)
    let scratch = Scratch()
    var plugins: [Plugin] = []
    for number in 0..<count { plugins.append(try await Plugin(number, "first", size, scratch, &random)) }
    // One file may be there twice.
    plugins.append(plugins[random.number(count)])
    let before = await Self.index(plugins).relations()
    #expect(before.related == Self.expected(plugins))
    for round in 0..<4 {
      // Each time some others are another plugin than before, or a copy of one.
      let changed = Set((0..<(1 + random.number(max(1, count / 10)))).map { _ in random.number(count) }).sorted()
      var now = plugins
      for number in changed { now[number] = try await Plugin(number, "round\(round)", size, scratch, &random) }
      if random.once(in: 2) { now[changed[0]] = now[random.number(count)] }
      let relations = await Self.index(now).relations(known: before.shared, changed: changed)
      #expect(relations == (await Self.index(now).relations()))
      #expect(relations.related == Self.expected(now))
    }
  }

  @Test func bytes() async throws {
    var random = Seeded(seed: 3)
    let names = try await Plugin(0, "first", 300, Scratch(), &random).names
    let record = names.record
    #expect(SymbolNames(EntryBytes(record))?.record == record)
    for length in 0..<record.count { #expect(SymbolNames(EntryBytes(Array(record.prefix(length)))) == nil) }
    #expect(SymbolNames(EntryBytes(record + [0])) == nil)
    // Whatever is in it, it is read to its end.
    for _ in 0..<2000 {
      var damaged = record
      damaged[random.number(damaged.count - 8)] = UInt8(random.number(256))
      #expect(damaged == record || SymbolNames(EntryBytes(damaged)) == nil)
      let sum = ByteReader(damaged.span).sum(of: 0..<(damaged.count - 8))
      for index in 0..<8 { damaged[damaged.count - 8 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
      guard let names = SymbolNames(EntryBytes(damaged)) else { continue }
      _ = await SymbolIndex(count: 2, for: Slice(platform: "ios", architecture: "arm64")) { _ in names }.relations()
    }
  }

  private static func index(_ plugins: [Plugin]) -> SymbolIndex {
    let names = plugins.map(\.names)
    return SymbolIndex(count: plugins.count, for: Slice(platform: "ios", architecture: "arm64")) { names[$0] }
  }

  private struct Plugin {
    let file: String
    let names: SymbolNames
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
      names = SymbolNames(FoundNames.all(of: Artifact(path, temporary: scratch.path)).names)
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
