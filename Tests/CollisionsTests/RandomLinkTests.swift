import Artifacts
import Collisions
import Foundation
import ObjectFiles
import SystemPackage
import TestSupport
import Testing

/// Link sets drawn by chance, by lld and by us. `NPI_SEEDS=5000` for a long run; `NPI_SEED=17` for one that failed, with
/// `NPI_KEEP=FOLDER` to keep its files there.
@Suite("link sets drawn by chance")
struct RandomLinkTests {
  /// How many sets share their objects: assembling takes longer than linking.
  static let setsOfGroup = 25

  @Test("lld's verdicts are ours", .timeLimit(.minutes(30)))
  func random() async throws {
    let seeds = Seeded.seeds(300)
    var byVerdict: [String: Int] = [:]
    var failures: [String] = []
    for (group, members) in Dictionary(grouping: seeds, by: { $0 / Self.setsOfGroup }).sorted(by: { $0.key < $1.key }) {
      let objects = try await ObjectGroup(group)
      for start in stride(from: 0, to: members.count, by: 2) {
        try await withThrowingTaskGroup(of: (String, String?).self) { tasks in
          for seed in members[start..<min(start + 2, members.count)] {
            tasks.addTask { try await Self.compare(seed, objects) }
          }
          for try await (verdict, failure) in tasks {
            byVerdict[verdict, default: 0] += 1
            if let failure { failures.append(failure) }
          }
        }
      }
    }
    print(
      "\(seeds.count) link sets drawn by chance: \(byVerdict.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })"
    )
    #expect(failures.isEmpty, "\(failures.count) differ\n\(failures.prefix(20).joined(separator: "\n"))")
  }

  /// lld's verdict, and what is different in ours.
  private static func compare(_ seed: Int, _ objects: ObjectGroup) async throws -> (String, String?) {
    let set = try RandomLinkSet(seed, objects)
    let (record, said) = try await LLD.link(set.args, in: set.scratch.path, definers: set.definers)
    let line = try LinkLine(LLD.base + set.args)
    let link = LinkSimulator(line, .lld, LinkSet(.arm64, InputFolder(set.scratch.path)))
    var found = record.differences(from: link, line, .lld)
    // With all files read beforehand, and only the names that matter.
    let files = LinkSet(.arm64, InputFolder(set.scratch.path))
    await files.read(line, .lld)
    let (whole, reduced) = ("\(link.verdict)", "\(LinkSimulator(line, .lld, files).verdict)")
    if whole != reduced { found.append("read at once: \(reduced), else \(whole)") }
    guard !found.isEmpty else { return (record.verdict, nil) }
    if let folder = ProcessInfo.processInfo.environment["NPI_KEEP"] {
      try FileManager.default.copyItem(atPath: set.scratch.path.string, toPath: "\(folder)/\(seed)")
    }
    return (
      record.verdict,
      "seed \(seed): \(set.args.joined(separator: " "))\n  " + found.joined(separator: "\n  ") + "\n  lld: \(said)"
    )
  }
}

/// Objects that draw from the same names, assembled, and a dynamic library of some.
final class ObjectGroup: Sendable {
  let objects: [RandomObject]
  let contents: [[UInt8]]
  let library: [UInt8]
  let exports: [String]

  init(_ number: Int) async throws {
    var random = Seeded(seed: 1_000_003 &* (number + 1))
    let count = 12
    var drawn: [RandomObject] = []
    for index in 0..<count { drawn.append(RandomObject(index, of: count, &random)) }
    let scratch = Scratch()
    var contents: [[UInt8]] = []
    for object in drawn {
      try scratch.write("\(object.name).s", object.text)
      try await Tool.check(
        ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "\(object.name).s", "-o", object.name],
        in: scratch.path)
      contents.append(try scratch.read(object.name))
    }
    // The library has functions and data by names of the group, some of them weak.
    var text = Assembly()
    var exports: [String] = []
    for index in 0..<RandomObject.names where random.once(in: 3) {
      text.code("_f\(index)", random.once(in: 3) ? .weak : .global, calls: [])
      exports.append("_f\(index)")
    }
    for index in 0..<RandomObject.names where random.once(in: 4) {
      text.data("_d\(index)", random.once(in: 3) ? .weak : .global, alignment: 2, words: 1)
      exports.append("_d\(index)")
    }
    text.code("_library", .global, calls: [])
    try scratch.write("library.s", text.lines.joined(separator: "\n") + "\n.subsections_via_symbols\n")
    try await Tool.check(
      ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "library.s", "-o", "library.o"],
      in: scratch.path)
    try await Tool.check(
      ["ld64.lld-19"] + LLD.base + ["-dylib", "-install_name", "@rpath/libdy.dylib", "-o", "libdy.dylib", "library.o"],
      in: scratch.path)
    objects = drawn
    self.contents = contents
    library = try scratch.read("libdy.dylib")
    self.exports = exports + ["_library"]
  }
}

/// Some of a group's objects, in archives or by themselves, and a line.
struct RandomLinkSet: Sendable {
  let scratch = Scratch()
  private(set) var args: [String] = []
  private(set) var definers: [String: [String]] = [:]

  init(_ seed: Int, _ group: ObjectGroup) throws {
    var random = Seeded(seed: seed)
    var rest = Array(group.objects.indices).shuffled(using: &random)
    rest.removeLast(random.number(4))
    var words: [[String]] = []
    for number in 0..<(1 + random.number(3)) {
      guard let index = rest.popLast() else { break }
      let name = number == 0 ? "main.o" : group.objects[index].name
      try scratch.write(name, group.contents[index])
      define(group.objects[index].definitions, name)
      words.append([name])
    }
    for name in ["liba.a", "libb.a", "libc.a", "libx.a", "liby.a"] where !rest.isEmpty {
      let isAsked = name == "libx.a" || name == "liby.a"
      if isAsked, random.once(in: 2) { continue }
      let members = rest.suffix(1 + random.number(3))
      rest.removeLast(members.count)
      try write(name, Array(members), group, &random)
      if isAsked, !random.once(in: 3) { continue }
      switch random.number(10) {
      case 0, 1: words.append(["-force_load", name])
      case 2: words.append(["-load_hidden", name])
      case 3: words.append(["-l\(name.dropFirst(3).dropLast(2))"])
      case 4: words.append(["-hidden-l\(name.dropFirst(3).dropLast(2))"])
      default: words.append([name])
      }
      if random.once(in: 8) { words.append([name]) }
    }
    if random.once(in: 3) {
      try scratch.write("libdy.dylib", group.library)
      define(group.exports, "libdy.dylib")
      words.append([random.once(in: 2) ? "libdy.dylib" : "-ldy"])
    }
    words.shuffle(using: &random)
    args = ["-L."]
    // Code must be able to call what has an absolute address.
    args +=
      random.once(in: 4) ? ["-execute", "-pagezero_size", "0x4000", "-e", "_use\(random.number(12))"] : ["-dylib"]
    for flag in ["-ObjC", "-all_load", "-dead_strip", "-ignore_auto_link"]
    where random.once(in: flag == "-dead_strip" ? 2 : 6) {
      args.append(flag)
    }
    if random.once(in: 2) { args.append("--check-category-conflicts") }
    if random.once(in: 8) { args.append("--dead-strip-duplicates") }
    if random.once(in: 3) { args += ["-u", "_use\(random.number(12))"] }
    if random.once(in: 8) {
      args += ["-exported_symbol", random.once(in: 2) ? "_f\(random.number(RandomObject.names))" : "_use*"]
    }
    if random.once(in: 8) { args += ["-unexported_symbol", "_f\(random.number(RandomObject.names))"] }
    if random.once(in: 8) { args += ["-alias", "_use\(random.number(12))", "_f\(random.number(RandomObject.names))"] }
    args += words.flatMap { $0 }
  }

  private mutating func define(_ names: [String], _ label: String) {
    for name in names { definers[name, default: []].append(label) }
  }

  private mutating func write(_ name: String, _ indices: [Int], _ group: ObjectGroup, _ random: inout Seeded) throws {
    let sameName = random.once(in: 8)
    let members = indices.map { index in
      // Now and then a table that does not know all.
      let names = group.objects[index].definitions.filter { _ in !random.once(in: 40) }
      return ArchiveFixture.Member(
        name: sameName ? "same.o" : group.objects[index].name, content: group.contents[index], names: names)
    }
    try scratch.write(name, ArchiveFixture.bytes(members))
    for (index, member) in zip(indices, members) { define(group.objects[index].definitions, "\(name)(\(member.name))") }
  }
}
