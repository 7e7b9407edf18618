import Lanes
import Artifacts
@testable import Collisions
import Foundation
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// Plugins drawn by chance, for apps that nobody knows: what is said to be possible is what lld reports once an object
/// file of the app refers to the triggers, and lld reports nothing else, whatever the app refers to. `NPI_SEEDS=500` for a
/// long run; `NPI_SEED=17` for one that failed, with `NPI_KEEP=FOLDER` to keep its files there.
@Suite("plugins drawn by chance, the app unknown", .tools)
struct OpenWorldTests {
  @Test("what is possible, lld reports", .timeLimit(.minutes(30)))
  func random() async throws {
    let seeds = Seeded.seeds(100)
    var totals = Totals()
    var failures: [String] = []
    for (group, members) in Dictionary(grouping: seeds, by: { $0 / 25 }).sorted(by: { $0.key < $1.key }) {
      let objects = try await ObjectGroup(1000 + group)
      for seed in members { failures += try await Self.compare(seed, objects, &totals) }
    }
    print("\(seeds.count) sets of plugins drawn by chance: \(totals)")
    #expect(totals.possible > seeds.count / 2 && totals.certain > 0)
    #expect(failures.isEmpty, "\(failures.count) differ\n\(failures.prefix(20).joined(separator: "\n"))")
  }

  private struct Totals {
    var certain = 0
    var possible = 0
    var apps = 0
  }

  private static func compare(
    _ seed: Int, _ group: ObjectGroup, _ totals: inout Totals
  ) async throws -> [String] {
    var random = Seeded(seed: 7_000_003 &* (seed + 1))
    let scratch = Scratch()
    let (files, flags) = try plugins(group, scratch, &random)
    var line = try LinkLine(LLD.base + ["-dylib"] + flags)
    line.inputs = files.map { LinkLine.Input(path: $0) }
    let set = LinkSet(.arm64, InputFolder(scratch.path), .lld)
    await set.read(line, .lld)
    let search = CollisionSearch(line, .lld, set, isOpen: true)
    // Names that do not matter make no difference.
    let whole = CollisionSearch(line, .lld, LinkSet(.arm64, InputFolder(scratch.path), .lld), isOpen: true)
    var certain: Set<String> = []
    var possible: [String: [String]] = [:]
    for collision in search.symbols {
      switch collision.verdict {
      case .error: certain.insert(collision.name.text)
      case .possible: possible[collision.name.text] = collision.triggers.map(\.text)
      case .warning, .silent: break
      }
    }
    totals.certain += certain.count
    totals.possible += possible.count
    var failures: [String] = []
    func fail(_ what: String) { failures.append("seed \(seed): \((flags + files).joined(separator: " "))\n  \(what)") }
    let (told, all) = (search.symbols.map(\.told), whole.symbols.map(\.told))
    if told != all { fail("with only the names that matter: \(told.filter { !all.contains($0) }), else \(all)") }
    func link(_ references: [String]) async throws -> Set<String> {
      var words = flags + files
      if !references.isEmpty {
        let text = ".globl _app\n.data\n_app:\n" + references.map { ".quad \($0)\n" }.joined()
        try scratch.write("app.o", try await Assembler.object(text))
        words.insert("app.o", at: 0)
      }
      totals.apps += 1
      let said = try await LLD.link(["-dylib"] + words, in: scratch.path, definers: [:])
      return Set(said.record.duplicates)
    }
    let own = try await link([])
    if own != certain { fail("without an app lld reports \(own.sorted()), ours is \(certain.sorted())") }
    // A main object for each set of triggers, and some that refer to anything.
    var apps = Set(possible.values.map { $0.sorted() }).sorted { $0.lexicographicallyPrecedes($1) }
    let names = (0..<8).flatMap { ["_f\($0)", "_d\($0)"] } + (0..<12).map { "_use\($0)" }
    for _ in 0..<3 { apps.append(names.filter { _ in random.once(in: 3) }) }
    apps.append(names)
    for app in apps where !app.isEmpty {
      let reported = try await link(app)
      for name in reported.subtracting(certain).subtracting(possible.keys) {
        fail("an app that refers to \(app) makes \(name) a duplicate: nothing was said of it")
      }
      for (name, triggers) in possible where triggers.sorted() == app && !reported.contains(name) {
        fail("\(name) is no duplicate in an app that refers to \(triggers)")
      }
    }
    if !failures.isEmpty, let folder = ProcessInfo.processInfo.environment["NPI_KEEP"] {
      try FileManager.default.copyItem(atPath: scratch.path.string, toPath: "\(folder)/\(seed)")
    }
    return failures
  }

  /// Two to four plugins with a static library each; two may have the same object file.
  private static func plugins(
    _ group: ObjectGroup, _ scratch: Scratch, _ random: inout Seeded
  ) throws -> (files: [String], flags: [String]) {
    var files: [String] = []
    for plugin in ["a", "b", "c", "d"].prefix(2 + random.number(3)) {
      let members = Array(group.objects.indices).shuffled(using: &random).prefix(1 + random.number(4)).map { index in
        ArchiveFixture.Member(
          name: group.objects[index].name, content: group.objects[index].content,
          names: group.objects[index].definitions.filter { _ in !random.once(in: 8) })
      }
      try scratch.write("lib\(plugin).a", ArchiveFixture.bytes(members))
      files.append("lib\(plugin).a")
      if random.once(in: 8), let index = random.one(of: group.objects.indices) {
        try scratch.write("\(plugin).o", group.objects[index].content)
        files.append("\(plugin).o")
      }
    }
    let flags = random.once(in: 8) ? ["-all_load"] : random.once(in: 3) ? [] : ["-ObjC"]
    return (files, flags)
  }
}

extension Collision {
  /// All that a report says of it.
  fileprivate var told: String {
    let sites = sites.map { "\($0.place) \($0.kind) \($0.reason.map { "\($0)" } ?? "-")" }
    return "\(name.text) \(verdict) \(triggers.map(\.text)) \(winner ?? "-") \(sites)"
  }
}
