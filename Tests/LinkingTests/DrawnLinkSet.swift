import Findings
import Foundation
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// A link set drawn by chance: files in a folder of its own, and a line.
struct DrawnLinkSet: Sendable {
  let scratch = Scratch()
  var args: [String] = []
  /// For each name the labels of the inputs that define it.
  private(set) var definers: [String: [String]] = [:]

  mutating func define(_ names: [String], _ label: String) {
    for name in names { definers[name, default: []].append(label) }
  }

  /// Writes a file that is linked by itself.
  mutating func add(_ object: DrawnObject, as name: String? = nil) throws {
    let name = name ?? object.name
    try scratch.write(name, object.content)
    define(object.definitions, name.split(separator: "/").last.map(String.init) ?? name)
  }

  /// Writes a static library. Now and then all members have one name, and the table does not know all that they define.
  mutating func addLibrary(_ name: String, _ objects: [DrawnObject], _ random: inout Seeded) throws {
    // Of members of one name the map does not tell which it means: then none has as its own what another defines for all.
    let isTellable = objects.allSatisfy { object in
      object.locals.allSatisfy { name in !objects.contains { $0.definitions.contains(name) } }
    }
    let sameName = random.once(in: 8) && isTellable
    let members = objects.map { object in
      ArchiveFixture.Member(
        name: sameName ? "same.o" : object.name, content: object.content,
        names: object.definitions.filter { _ in !random.once(in: 40) })
    }
    try scratch.write(name, ArchiveFixture.bytes(members, isOdd: random.once(in: 16)))
    for (object, member) in zip(objects, members) { define(object.definitions, "\(name)(\(member.name))") }
  }

  /// How a line names a static library `libNAME.a`: once, or a second time.
  static func words(forLibrary name: String, _ random: inout Seeded) -> [[String]] {
    var words: [[String]] = []
    switch random.number(10) {
    case 0, 1: words.append(["-force_load", name])
    case 2: words.append(["-load_hidden", name])
    case 3: words.append(["-l\(name.dropFirst(3).dropLast(2))"])
    case 4: words.append(["-hidden-l\(name.dropFirst(3).dropLast(2))"])
    default: words.append([name])
    }
    if random.once(in: 8) { words.append([name]) }
    return words
  }
}

extension DrawnLinkSet {
  /// Links every seed's set by lld and by us, and expects that they say the same. `prepare` makes what `setsOfGroup` sets
  /// share, for that takes longer than linking; `NPI_KEEP=FOLDER` keeps the files of the sets that differ.
  static func compare<Objects: Sendable>(
    _ title: String, _ seeds: [Int], setsOfGroup: Int, prepare: (Int) async throws -> Objects,
    draw: @escaping @Sendable (Int, Objects) throws -> DrawnLinkSet
  ) async throws {
    var byVerdict: [String: Int] = [:]
    var failures: [String] = []
    for (group, members) in Dictionary(grouping: seeds, by: { $0 / setsOfGroup }).sorted(by: { $0.key < $1.key }) {
      let objects = try await prepare(group)
      var rest = members[...]
      try await withThrowingTaskGroup(of: (String, String?).self) { tasks in
        func add() {
          guard let seed = rest.popFirst() else { return }
          tasks.addTask { try await draw(seed, objects).compare(seed) }
        }
        for _ in 0..<4 { add() }
        while let (verdict, failure) = try await tasks.next() {
          byVerdict[verdict, default: 0] += 1
          if let failure { failures.append(failure) }
          add()
        }
      }
    }
    let verdicts = byVerdict.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print("\(title): \(seeds.count) sets drawn by chance: \(verdicts); \(failures.count) differ")
    if seeds.count > 50 {
      #expect(byVerdict["error"] != nil && (byVerdict["silent"] != nil || byVerdict["warning"] != nil))
    }
    #expect(failures.isEmpty, "\(failures.count) differ\n\(failures.prefix(20).joined(separator: "\n"))")
  }

  /// lld's verdict, and what is different in ours.
  private func compare(_ seed: Int) async throws -> (String, String?) {
    let (record, said) = try await LLD.link(args, in: scratch.path, definers: definers)
    // It crashed after it had read everything, and what it writes has no lines of its own then.
    if said.contains("PLEASE submit a bug report") { return ("crash", nil) }
    let line = try LinkLine(LLD.base + args)
    let link = LinkResult(line, .lld, LinkSet(.arm64, linkFolder(scratch.path), .lld))
    var found = record.differences(from: link, line, .lld)
    // With all files read beforehand, and only the names that matter.
    let files = LinkSet(.arm64, linkFolder(scratch.path), .lld)
    await files.read(line, .lld)
    var verdicts = [link.verdict, LinkResult(line, .lld, files).verdict]
    // Warnings that are not of one file come in no order that matters.
    for index in verdicts.indices { verdicts[index].remarks.sort { "\($0)" < "\($1)" } }
    let (whole, reduced) = ("\(verdicts[0])", "\(verdicts[1])")
    if whole != reduced { found.append("read at once: \(reduced), else \(whole)") }
    found += try await compareWithLD64().map { "ld64: \($0)" }
    guard !found.isEmpty else { return (record.verdict, nil) }
    if let folder = ProcessInfo.processInfo.environment["NPI_KEEP"] {
      try FileManager.default.copyItem(atPath: scratch.path.string, toPath: "\(folder)/\(seed)")
    }
    return (
      record.verdict,
      "seed \(seed): \(args.joined(separator: " "))\n  " + found.joined(separator: "\n  ") + "\n  lld: \(said)"
    )
  }
}

extension DrawnLinkSet {
  /// What is different from Apple's linker's verdict, where somebody has built it.
  private func compareWithLD64() async throws -> [String] {
    guard let program = LD64.program else { return [] }
    // Flags of lld's own.
    let args = args.filter { $0 != "--check-category-conflicts" && !$0.hasPrefix("--lto-") }
    guard let (record, said) = try await LD64.link(program, args, in: scratch.path, definers: definers) else {
      return []
    }
    // It may be built without what reads bitcode and text stubs, as the one whose verdicts are recorded.
    if record.verdict == "unsupported" || LD64.passesOver(said), try OracleTests.needsReader(scratch.path) {
      return []
    }
    let line = try LinkLine(LLD.base + args)
    let folder = WithoutStubs(folder: linkFolder(scratch.path))
    let link = LinkResult(line, .ld64, LinkSet(.arm64, folder, .ld64))
    // Without what reads bitcode it does not look at all members for `-ObjC`, and so does not see that some are nowhere.
    if args.contains("-ObjC"), link.verdict.refusals.contains(where: { "\($0)".contains("multiples of 4") }) {
      return []
    }
    var found = record.differences(from: link, line, .ld64)
    let set = LinkSet(.arm64, folder, .ld64)
    await set.read(line, .ld64)
    let reduced = LinkResult(line, .ld64, set).verdict
    if reduced.duplicates != link.verdict.duplicates || reduced.winners != link.verdict.winners {
      found.append("read at once: \(reduced), else \(link.verdict)")
    }
    return found.isEmpty ? [] : found + ["said: \(said)"]
  }
}

/// The files that a linker without a reader of text stubs finds: `-lNAME` is the image then, although a stub lies beside it.
private struct WithoutStubs: LinkFolder {
  let folder: any LinkFolder

  func bytes(at path: String) throws(Mistakes) -> (any LinkBytes)? {
    path.hasSuffix(".tbd") ? nil : try folder.bytes(at: path)
  }
}
