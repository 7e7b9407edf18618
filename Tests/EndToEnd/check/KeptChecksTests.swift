import Foundation
import SystemPackage
import Testing
import TestSupport

/// A check that finds in the store what earlier checks knew says what a check says that knows nothing.
@Suite("checks with a store")
struct KeptChecksTests {
  /// A container is known by its content, too. As many as need several to a file, where names are kept.
  private static let plugins = (0..<38).map { "p\($0).a" } + ["p38.zip", "p39.zip"]

  @Test("plugins that are other ones from check to check", .timeLimit(.minutes(20)))
  func changes() async throws {
    var random = Seeded(seed: 4711)
    let scratch = Scratch()
    let store = scratch("store")
    let variants = try await Self.makeVariants(24, in: scratch.path, &random)
    // A file that was written to just now is not known by its time.
    try await Task.sleep(for: .seconds(2.5))
    for name in Self.plugins { try Self.replace(name, random.one(of: variants), in: scratch.path) }
    let first = [Scenario.binary.string, "check", "--linker", "lld"] + Self.plugins
    _ = try await Tool.run(first, in: scratch.path, environment: ["NPI_PACK_STORE": store.string])
    // With those for what the plugins have to do with each other.
    #expect(try Self.files(store.appending("ac")).count < Self.plugins.count * 3 / 4)
    var kept: Set<String> = []
    for round in 0..<40 {
      for _ in 0..<random.number(3) {
        try Self.replace(Self.plugins[random.number(Self.plugins.count)], random.one(of: variants), in: scratch.path)
      }
      // A library beside them that some plugins ask the linker for.
      if random.once(in: 3) {
        let variant = random.once(in: 2) ? nil : random.one(of: variants)
        try Self.link("libextra.a", variant.map { $0 + ".a" }, in: scratch.path)
      }
      if random.once(in: 4) { try Self.damage(store, &random) }
      var names = Self.plugins
      if random.once(in: 5) { names.shuffle(using: &random) }
      if random.once(in: 5) { names.removeLast() }
      // A few of many: hardly anything of what is kept together is used.
      if random.once(in: 4) { names = Array(names.shuffled(using: &random).prefix(1 + random.number(3))) }
      let flags = random.once(in: 2) ? ["--", "-ObjC", "-L."] : ["--", "-L."]
      let words = [Scenario.binary.string, "check", "--format", "json", "--linker", "lld"] + names + flags
      let known = try await Tool.run(words, in: scratch.path, environment: ["NPI_PACK_STORE": store.string])
      let new = try await Tool.run(words, in: scratch.path)
      #expect(known.out == new.out && known.err == new.err && known.status == new.status, "round \(round)")
      kept.insert(new.out)
    }
    // It was not the same all the time, and there was something to know.
    #expect(kept.count > 8)
    #expect(try !Self.files(store.appending("ac")).isEmpty)
  }

  @Test("a library beside the plugins that comes, changes and goes")
  func besidePlugins() async throws {
    let scratch = Scratch()
    let sources = [
      "a.o": ".globl _f, _a\n_f:\n_a: .quad 0\n.linker_option \"-lextra\"\n", "b.o": ".globl _f\n_f: .quad _wanted\n",
      "c.o": ".globl _wanted, _a\n_wanted:\n_a: .quad 0\n", "d.o": ".globl _wanted\n_wanted: .quad 1\n",
    ]
    for (name, text) in sources {
      try (".data\n" + text).write(toFile: scratch("a.s").string, atomically: false, encoding: .utf8)
      try await Tool.check(
        ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "a.s", "-o", name], in: scratch.path)
      let library = name.replacingOccurrences(of: ".o", with: ".a")
      try await Tool.check(["llvm-libtool-darwin-19", "-static", "-D", "-o", library, name], in: scratch.path)
    }
    try await Task.sleep(for: .seconds(2.5))
    let words = [Scenario.binary.string, "check", "--linker", "lld", "a.a", "b.a", "--", "-all_load", "-L."]
    var said: [String] = []
    for extra in [nil, "c.a", "d.a", "c.a", nil] {
      try Self.link("libextra.a", extra, in: scratch.path)
      let known = try await Tool.run(words, in: scratch.path, environment: ["NPI_PACK_STORE": scratch("store").string])
      let new = try await Tool.run(words, in: scratch.path)
      #expect(known.all == new.all)
      said.append(new.all)
    }
    #expect(Set(said).count > 1 && said[1] != said[2] && said[1] == said[3] && said[0] == said[4])
  }

  @Test("what a slice's link comes to does not depend on other slices' plugins")
  func slices() async throws {
    let scratch = Scratch()
    let sources = [
      ("m0.o", "x86_64", "_own0"), ("m1.o", "arm64", "_own1"), ("m2.o", "arm64", "_shared"), ("q0.o", "x86_64", "_dup"),
      ("q1.o", "arm64", "_shared"), ("r0.o", "x86_64", "_dup"),
    ]
    for (file, architecture, name) in sources {
      try scratch.write("a.s", ".data\n.globl \(name)\n\(name): .quad 0\n")
      let triple = "\(architecture)-apple-macos13.0"
      try await Tool.check(["llvm-mc-19", "-filetype=obj", "-triple", triple, "a.s", "-o", file], in: scratch.path)
    }
    // Without a table of contents, which linkers refuse.
    try await Tool.check(["llvm-ar-19", "rcSD", "p1.a", "m0.o", "m1.o"], in: scratch.path)
    try await Tool.check(["llvm-ar-19", "rcSD", "p2.a", "m0.o", "m2.o"], in: scratch.path)
    for (library, members) in [("q.a", ["q0.o", "q1.o"]), ("r.a", ["r0.o"])] {
      try await Tool.check(["llvm-libtool-darwin-19", "-static", "-D", "-o", library] + members, in: scratch.path)
    }
    try await Task.sleep(for: .seconds(2.5))
    let words = [Scenario.binary.string, "check", "--linker", "lld", "p.a", "q.a", "r.a"]
    var said: Set<String> = []
    for target in ["p1.a", "p2.a", "p1.a"] {
      try Self.link("p.a", target, in: scratch.path)
      let known = try await Tool.run(words, in: scratch.path, environment: ["NPI_PACK_STORE": scratch("store").string])
      let new = try await Tool.run(words, in: scratch.path)
      #expect(known.all == new.all && known.status == new.status)
      said.insert(new.all)
    }
    #expect(said.count == 2)
  }

  /// Static libraries that draw from the same names.
  private static func makeVariants(_ count: Int, in folder: FilePath, _ random: inout Seeded) async throws -> [String] {
    var variants: [String] = []
    for number in 0..<count {
      var members: [String] = []
      for member in 0..<(1 + random.number(3)) {
        var text = [".data"]
        for _ in 0..<(1 + random.number(4)) {
          let name = random.once(in: 3) ? "_shared\(random.number(12))" : "_own\(number)_\(member)_\(random.number(99))"
          if text.contains("\(name):") { continue }
          text += [".globl \(name)", "\(name):", ".quad \(random.number(3))"]
          if random.once(in: 4) { text.append(".weak_definition \(name)") }
        }
        if random.once(in: 3) { text.append(".quad _shared\(random.number(16))") }
        if random.once(in: 4) { text.append(".linker_option \"-lextra\"") }
        let name = random.once(in: 2) ? "shared\(member).o" : "v\(number)-\(member).o"
        let path = folder.appending("a.s").string
        try (text.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        try await Tool.check(
          ["llvm-mc-19", "-filetype=obj", "-triple", "arm64-apple-ios13.0", "a.s", "-o", name], in: folder)
        if !members.contains(name) { members.append(name) }
      }
      let library = "variant\(number).a"
      try await Tool.check(["llvm-libtool-darwin-19", "-static", "-D", "-o", library] + members, in: folder)
      try await Tool.check(["zip", "-q", "variant\(number).zip", library], in: folder)
      variants.append("variant\(number)")
    }
    return variants
  }

  /// A library is a link to a variant, a zip a copy of one.
  private static func replace(_ name: String, _ variant: String?, in folder: FilePath) throws {
    guard let variant else { return }
    if name.hasSuffix(".a") { return try link(name, variant + ".a", in: folder) }
    try? FileManager.default.removeItem(atPath: folder.appending(name).string)
    try FileManager.default.copyItem(
      atPath: folder.appending(variant + ".zip").string, toPath: folder.appending(name).string)
  }

  /// A link is another file than before as soon as it leads to one; the files themselves stay as they are.
  private static func link(_ name: String, _ target: String?, in folder: FilePath) throws {
    let path = folder.appending(name).string
    try? FileManager.default.removeItem(atPath: path)
    if let target { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target) }
  }

  private static func files(_ folder: FilePath) throws -> [String] {
    (FileManager.default.enumerator(atPath: folder.string)?.allObjects as? [String] ?? []).sorted()
      .map { folder.appending($0).string }
      .filter { (try? FileManager.default.contentsOfDirectory(atPath: $0)) == nil }
  }

  /// A byte of what is kept is another one.
  private static func damage(_ store: FilePath, _ random: inout Seeded) throws {
    guard let path = try random.one(of: files(store.appending("map")) + files(store.appending("ac"))) else { return }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    guard !bytes.isEmpty else { return }
    bytes[random.number(bytes.count)] ^= 1 << UInt8(random.number(8))
    try FileManager.default.removeItem(atPath: path)
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
