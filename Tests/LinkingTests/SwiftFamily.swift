import TestSupport

@testable import LinkSupport

/// Modules of Swift that two plugins carry each a copy of, the same or another version, and what calls them.
struct SwiftGroup: Sendable {
  /// Of each module the copies, each of two object files.
  private(set) var modules: [[[DrawnObject]]] = []
  private(set) var callers: [DrawnObject] = []
  /// What Swift's objects ask for (`LC_LINKER_OPTION`).
  private(set) var asked: DrawnObject

  init(_ number: Int) async throws {
    var random = Seeded(seed: 5_000_011 &* (number + 1))
    for name in ["Models", "Net", "Views", "Store"] {
      let module = RandomSwiftModule(name, &random)
      let flags = [random.once(in: 3) ? "-O" : "-Onone"]
      var copies: [[DrawnObject]] = []
      for _ in 0..<3 { copies.append(try await module.varied(&random).compiled(flags)) }
      copies.append(copies[0])
      modules.append(copies)
    }
    let names = Set(modules.joined().joined().flatMap(\.definitions)).sorted()
    for index in 0..<6 {
      var text = Assembly()
      let calls = (0..<(1 + random.number(4))).compactMap { _ in random.one(of: names) }
      text.code("_start\(index)", .global, calls: [])
      for name in calls {
        text.lines += ["adrp x0, \"\(name)\"@GOTPAGE", "ldr x0, [x0, \"\(name)\"@GOTPAGEOFF]", "ret"]
      }
      var own = ["_start\(index)"]
      for name in ["_shared_helper", "_entry", "_other"] where random.once(in: 6) {
        text.code(name, [.global, .weak, .hidden][random.number(3)], calls: [])
        own.append(name)
      }
      text.lines += [".subsections_via_symbols", ""]
      callers.append(
        DrawnObject(
          name: "caller\(index).o", content: try await Assembler.object(text.lines.joined(separator: "\n")),
          definitions: own))
    }
    asked = try await Self.compatibility(&random)
  }

  private static func compatibility(_ random: inout Seeded) async throws -> DrawnObject {
    var text = Assembly()
    var names: [String] = []
    for version in ["51", "56", "Concurrency"] { names.append("__swift_FORCE_LOAD_$_swiftCompatibility\(version)") }
    if random.once(in: 3) { names.append("_shared_helper") }
    for name in names { text.data(name, .global, alignment: 2, words: 1) }
    let content = try await Assembler.object((text.lines + [""]).joined(separator: "\n"))
    return DrawnObject(name: "compatibility.o", content: content, definitions: names)
  }
}

extension DrawnLinkSet {
  init(_ seed: Int, _ group: SwiftGroup) throws {
    var random = Seeded(seed: 40_000_003 &+ seed)
    var words: [[String]] = []
    let callers = group.callers.shuffled(using: &random).prefix(1 + random.number(2))
    for caller in callers {
      try add(caller)
      words.append([caller.name])
    }
    var rest = group.modules.shuffled(using: &random)
    for plugin in ["a", "b", "c", "d"].prefix(2 + random.number(3)) {
      var members: [DrawnObject] = []
      for _ in 0..<(random.once(in: 3) ? 2 : 1) {
        // One of its own, or what another plugin may have.
        let copies = random.once(in: 5) ? random.one(of: group.modules) : rest.popLast()
        guard let copy = copies.flatMap({ random.one(of: $0) }) else { continue }
        members += random.once(in: 5) ? [copy[random.number(2)]] : copy
      }
      if members.isEmpty { continue }
      let name = "lib\(plugin).a"
      if random.once(in: 8) {
        // Swift's objects by themselves, as a build without archives has them.
        for member in members {
          try add(member, as: "\(plugin)\(member.name)")
          words.append(["\(plugin)\(member.name)"])
        }
      } else {
        try addLibrary(name, members, &random)
        words += DrawnLinkSet.words(forLibrary: name, &random)
      }
    }
    if random.once(in: 2) { try addLibrary("libswiftCompatibility51.a", [group.asked], &random) }
    words.shuffle(using: &random)
    args = ["-L."]
    args += random.once(in: 3) ? ["-execute", "-e", "_start\(random.number(6))"] : ["-dylib"]
    if random.once(in: 3) { args.append("-ObjC") }
    if random.once(in: 12) { args.append("-all_load") }
    if random.once(in: 2) { args.append("-dead_strip") }
    if random.once(in: 8) { args.append("--dead-strip-duplicates") }
    if random.once(in: 4) { args.append("-ignore_auto_link") }
    if random.once(in: 3) { args += ["-u", ["_shared_helper", "_entry", "_$s6Models7helper0yyF"][random.number(3)]] }
    if random.once(in: 8) { args += ["-exported_symbol", "_$s3Net*"] }
    args += words.flatMap { $0 }
  }
}
