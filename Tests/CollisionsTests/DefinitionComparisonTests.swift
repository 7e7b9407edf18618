import Lanes
import Artifacts
@testable import Collisions
import Findings
import Foundation
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

@Suite("definitions of one name")
struct DefinitionComparisonTests {
  static let targets = [
    "arm64-apple-ios13.0", "arm64e-apple-ios14.0", "arm64_32-apple-watchos5.0", "armv7-apple-ios7.0",
    "armv7k-apple-watchos3.0",
    "armv6-apple-ios3.0", "x86_64-apple-ios13.0-simulator", "i386-apple-ios7.0-simulator",
  ]

  private func object(_ scratch: Scratch, _ name: String, _ text: String, _ words: [String], language: String = "c")
    async throws -> (CodeFile, Range<Int>)
  {
    try scratch.write("\(name).\(language)", text)
    try await Tool.check(
      ["clang", "-ffreestanding", "-c"] + words + ["\(name).\(language)", "-o", "\(name).o"], in: scratch.path)
    return try await self.object(scratch("\(name).o"), scratch)
  }

  private func object(_ path: FilePath, _ scratch: Scratch) async throws -> (CodeFile, Range<Int>) {
    let file = try #require(CodeFiles(path, temporary: scratch.path).files.first)
    return (file, try #require(file.units.units.first).range)
  }

  /// The pieces in two orders, with other things around them; then each piece changed.
  @Test(arguments: targets, ["-O0", "-Os", "-O2"])
  func changes(_ target: String, _ level: String) async throws {
    let scratch = Scratch()
    let words = ["-target", target, level, "-fno-inline", "-fno-common"]
    let plain = DefinitionSamples.pieces.map(\.text).joined(separator: "\n")
    let moved = DefinitionSamples.junk + DefinitionSamples.pieces.reversed().map(\.text).joined(separator: "\n")
    var comparison = DefinitionComparison()
    let first = try await object(scratch, "first", DefinitionSamples.head + plain, words)
    let second = try await object(scratch, "second", DefinitionSamples.head + moved, words + ["-g"])
    let (one, two) = (comparison.add(first), comparison.add(second))
    // Tables in x86 code are aligned by padding of their own: another place is another code.
    func mayMove(_ name: String) -> Bool { name == "choose" && level == "-Os" && !target.hasPrefix("a") }
    for (name, _) in DefinitionSamples.pieces {
      #expect(comparison.compare("_\(name)", one, two) == (mayMove(name) ? .unknown : .same), "\(name)")
      #expect(comparison.compare("_\(name)", two, one) == (mayMove(name) ? .unknown : .same), "\(name)")
    }
    let changes = DefinitionSamples.pieces.map { "-DCHANGE_\($0.name)" }
    let third = try await object(scratch, "third", DefinitionSamples.head + moved, words + changes)
    let three = comparison.add(third)
    for (name, _) in DefinitionSamples.pieces {
      #expect(comparison.compare("_\(name)", one, three) == (mayMove(name) ? .unknown : .different), "\(name)")
      #expect(comparison.compare("_\(name)", three, one) == (mayMove(name) ? .unknown : .different), "\(name)")
    }
    // One change shows in what it is a change of, and in nothing else.
    for (index, change) in changes.enumerated() where target.hasPrefix("arm64-") || level == "-Os" {
      let object = try await object(scratch, "fourth", DefinitionSamples.head + plain, words + [change])
      let four = comparison.add(object)
      let found = DefinitionSamples.pieces.indices.filter {
        comparison.compare("_\(DefinitionSamples.pieces[$0].name)", mayMove("choose") ? one : two, four) != .same
      }
      #expect(found == [index], "\(change): \(found.map { DefinitionSamples.pieces[$0].name })")
    }
    #expect(comparison.compare("_nothing", one, two) == .unknown)
  }

  @Test func commons() async throws {
    let scratch = Scratch()
    var comparison = DefinitionComparison()
    var sources: [ComparedObject] = []
    for (name, text) in [("a", "int c[4];"), ("b", "int c[4];"), ("c", "int c[5];")] {
      let object = try await object(scratch, name, text, ["-target", "arm64-apple-ios13.0", "-fcommon"])
      sources.append(comparison.add(object))
    }
    let defined = try await object(scratch, "d", "int c[4] = {0};", ["-target", "arm64-apple-ios13.0"])
    let zeros = comparison.add(defined)
    #expect(comparison.compare("_c", sources[0], sources[1]) == .same)
    #expect(comparison.compare("_c", sources[0], sources[2]) == .different)
    #expect(comparison.compare("_c", zeros, sources[0]) == .same)
    #expect(comparison.compare("_c", sources[2], zeros) == .different)
  }

  /// Texts, method lists and selectors of classes are the file's own.
  @Test(arguments: [
    "arm64-apple-ios13.0", "armv7-apple-ios7.0", "x86_64-apple-ios13.0-simulator", "i386-apple-ios7.0-simulator",
  ])
  func classes(_ target: String) async throws {
    let scratch = Scratch()
    let root = "__attribute__((objc_root_class)) @interface Root @end\n@class Text;\n"
    func text(_ number: Int, _ selector: String) -> String {
      """
      @interface RC : Root { int value; } - (int)add:(int)x; - (void)\(selector); + (id)shared; @end
      @implementation RC
      - (int)add:(int)x { value += x; return value + \(number); }
      - (void)\(selector) { [self add:3]; }
      + (id)shared { return (id)self; }
      @end

      """
    }
    let other =
      "@interface Z : Root - (void)zeta; - (int)add:(int)x; @end\n@implementation Z - (void)zeta { [self add:1]; } - (int)add:(int)x { return x; } @end\n"
    let words = [
      "-target", target, "-Os", "-fobjc-runtime=\(target.hasPrefix("i386") ? "ios-7.0" : "ios-13.0")",
      "-Wno-everything",
    ]
    var comparison = DefinitionComparison()
    var sources: [ComparedObject] = []
    for (name, text) in [
      ("a", root + text(1, "go")), ("b", root + other + text(1, "go")), ("c", root + other + text(2, "go")),
      ("d", root + text(1, "run")),
    ] {
      let object = try await object(scratch, name, text, words, language: "m")
      sources.append(comparison.add(object))
    }
    #expect(comparison.compare("_OBJC_CLASS_$_RC", sources[0], sources[1]) == .same)
    #expect(comparison.compare("_OBJC_METACLASS_$_RC", sources[0], sources[1]) == .same)
    #expect(comparison.compare("_OBJC_IVAR_$_RC.value", sources[0], sources[1]) == .same)
    #expect(comparison.compare("_OBJC_CLASS_$_RC", sources[1], sources[2]) == .different)
    #expect(comparison.compare("_OBJC_CLASS_$_RC", sources[0], sources[3]) == .different)
    #expect(comparison.compare("_OBJC_METACLASS_$_RC", sources[0], sources[3]) == .same)
  }

  /// Swift's metadata refers to each other by distances.
  @Test(.tools) func swift() async throws {
    let scratch = Scratch()
    func text(_ callee: String) -> String {
      """
      precedencegroup AssignmentPrecedence { assignment: true }
      public final class RC {
        var value: Builtin.Int64
        init(_ v: Builtin.Int64) { value = v }
        @inline(never) public func call() { \(callee)() }
      }
      @_silgen_name("outside") func outside()
      @_silgen_name("other") func other()
      public struct Pair { var a: Builtin.Int64; var b: RC }

      """
    }
    let more =
      "public final class Before { var other: Builtin.Int32\n init(_ v: Builtin.Int32) { other = v } }\nfunc zeta() { outside() }\n"
    var comparison = DefinitionComparison()
    var sources: [ComparedObject] = []
    for (name, text) in [("a", text("outside")), ("b", more + text("outside")), ("c", more + text("other"))] {
      try scratch.write("\(name).swift", text)
      try await Tool.check(
        [
          "swiftc", "-frontend", "-c", "-parse-stdlib", "-parse-as-library", "-enable-objc-interop", "-module-name",
          "M",
          "-target", "arm64-apple-ios13.0", "\(name).swift", "-o", "\(name).o",
        ], in: scratch.path)
      let object = try await object(scratch("\(name).o"), scratch)
      sources.append(comparison.add(object))
    }
    let names = try await Tool.check(["llvm-nm-19", "-gU", "--format=just-symbols", scratch("a.o").string]).split(
      separator: "\n")
    for name in names {
      let result = comparison.compare(String(name), sources[0], sources[1])
      #expect(result == .same, "\(name)")
      let isCaller = name == "_$s1M2RCC4callyyF"
      #expect(comparison.compare(String(name), sources[1], sources[2]) == (isCaller ? .different : .same), "\(name)")
    }
    #expect(names.count > 20)
  }

  /// Exceptions, virtual functions, templates, thread-local and static objects.
  @Test(.tools, arguments: targets.filter { !$0.hasPrefix("armv6") }, ["-O0", "-O2"])
  func cplusplus(_ target: String, _ level: String) async throws {
    let scratch = Scratch()
    var comparison = DefinitionComparison()
    var sources: [ComparedObject] = []
    for (name, more) in [("a", []), ("b", ["-DMOVED"])] {
      let object = try await object(
        scratch, name, DefinitionSamples.cplusplus,
        ["-target", target, level, "-std=c++17", "-fexceptions", "-fcxx-exceptions"] + more, language: "cpp")
      sources.append(comparison.add(object))
    }
    let names = try await Tool.check(["llvm-nm-19", "-gU", "--format=just-symbols", scratch("a.o").string])
      .split(separator: "\n")
    for name in names { #expect(comparison.compare(String(name), sources[0], sources[1]) == .same, "\(name)") }
    #expect(names.count > 15)
  }

  /// Inline functions of one name that differ: no linker says anything.
  @Test func inlineFunctions() async throws {
    let scratch = Scratch()
    var comparison = DefinitionComparison()
    var sources: [ComparedObject] = []
    for (name, number) in [("a", 1), ("b", 1), ("c", 2)] {
      let text =
        "struct S { virtual int f(); virtual ~S() {} int x; };\ninline int g(int y) { static int n; return n += y + \(number); }\n"
        + "int \(name)(int y) { S s; return g(y) + s.x; }\nint S::f() { return g(x); }"
      let object = try await object(
        scratch, name, text, ["-target", "arm64-apple-ios13.0", "-O1", "-fno-inline"], language: "cpp")
      sources.append(comparison.add(object))
    }
    for (name, differs) in [
      ("__Z1gi", true), ("__ZN1S1fEv", false), ("__ZTV1S", false), ("__ZTS1S", false), ("__ZZ1giE1n", false),
    ] {
      #expect(comparison.compare(name, sources[0], sources[1]) == .same, "\(name)")
      #expect(comparison.compare(name, sources[0], sources[2]) == (differs ? .different : .same), "\(name)")
    }
  }

  /// Not cut at symbols: the same as a whole, or nobody knows. Bitcode, ELF and other processors neither.
  @Test func unknown() async throws {
    let scratch = Scratch()
    var comparison = DefinitionComparison()
    func source(_ name: String, _ text: String, _ words: [String], language: String = "c") async throws
      -> ComparedObject
    {
      let object = try await object(scratch, name, text, words, language: language)
      return comparison.add(object)
    }
    let apple = ["-target", "arm64-apple-ios13.0"]
    let text = "int f(void) { return 1; }"
    let plain = try await source("a", text, apple)
    #expect(comparison.compare("_f", plain, plain) == .same)
    #expect(comparison.compare("_f", plain, try await source("b", text, apple + ["-flto"])) == .unknown)
    #expect(
      comparison.compare("_f", plain, try await source("c", text, ["-target", "x86_64-apple-ios13.0-simulator"]))
        == .unknown)
    #expect(
      comparison.compare("_f", plain, try await source("d", text, ["-target", "aarch64-linux-android21"])) == .unknown)
    // Copies are copies, whatever they are.
    for words in [apple + ["-flto"], ["-target", "aarch64-linux-android21"]] {
      let (one, two) = (try await source("i", text, words), try await source("i", text, words))
      #expect(comparison.compare("_f", one, two) == .same)
    }
    let assembly = ".globl _f\n_f: mov w0, #1\nret\n.globl _g\n_g: b _f\n"
    let whole = try await source("e", assembly, apple, language: "s")
    let same = try await source("g", assembly, apple, language: "s")
    let moved = try await source("h", "nop\n" + assembly, apple, language: "s")
    #expect(comparison.compare("_f", whole, same) == .same)
    #expect(comparison.compare("_f", whole, moved) == .unknown)
  }

  /// Of the recorded link sets: object files that are the same bytes have the same definitions.
  @Test(.tools) func recorded() async throws {
    var counts: [DefinitionComparison.Result: Int] = [:]
    var copies = 0
    let oracle = try await Oracle()
    for item in oracle.cases {
      await Task.yield()
      let folder = item.folder
      let set = LinkSet(.arm64, InputFolder(folder), .lld)
      let line = try LinkLine(Oracle.base + item.args)
      let search = CollisionSearch(line, .lld, set, isOpen: true)
      let found = await DefinitionComparison.results(
        search.candidates.map(search.definitions), in: set)
      for (collision, results) in zip(search.symbols, found) {
        let result: DefinitionComparison.Result =
          results.areSame.map { $0 ? .same : .different } ?? .unknown
        counts[result, default: 0] += 1
        guard collision.sites.allSatisfy({ $0.kind != .alias && $0.member == nil }) else { continue }
        let contents = try Set(
          collision.sites.map {
            try Data(contentsOf: URL(fileURLWithPath: folder.pushing(FilePath($0.artifact.parts[0])).string))
          })
        guard contents.count == 1, contents.first?.prefix(4) == Data([0xCF, 0xFA, 0xED, 0xFE]) else { continue }
        copies += 1
        #expect(result == .same, "\(item.id) \(collision.name.text)")
      }
    }
    print("definitions of recorded link sets: \(counts), \(copies) of copies of one file")
    #expect((counts[.different] ?? 0) > 100 && (counts[.same] ?? 0) > 100)
  }

  /// Whatever is in a damaged file, there is an answer.
  @Test(arguments: [
    "arm64-apple-ios13.0", "armv7-apple-ios7.0", "x86_64-apple-ios13.0-simulator", "i386-apple-ios7.0-simulator",
  ])
  func damage(_ target: String) async throws {
    let scratch = Scratch()
    let text = DefinitionSamples.head + DefinitionSamples.pieces.map(\.text).joined(separator: "\n")
    let whole = try await object(scratch, "whole", text, ["-target", target, "-Os", "-fno-common"])
    let bytes = try scratch.read("whole.o")
    var random = Seeded(seed: 11)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try scratch.write("damaged.o", damaged)
      guard let file = CodeFiles(scratch("damaged.o"), temporary: scratch.path).files.first,
        let unit = file.units.units.first
      else { continue }
      var comparison = DefinitionComparison()
      let (one, two) = (comparison.add(whole), comparison.add((file, unit.range)))
      for (name, _) in DefinitionSamples.pieces { _ = comparison.compare("_\(name)", one, two) }
      await Task.yield()
    }
  }

  /// Code that one compiler makes of one source: assemblers for x86 pad it so that no branch behind it crosses 32 bytes,
  /// and what several functions of a file have in common becomes a function of its own.
  @Test func sameCodeInOtherFiles() async throws {
    let scratch = Scratch()
    func assembled(_ name: String, _ target: String, _ body: String) async throws -> (CodeFile, Range<Int>) {
      let text = ".globl _f\n.globl _next\n_f:\n\(body)\n_next:\n ret\n.subsections_via_symbols\n"
      return try await object(scratch, name, text, ["-target", target], language: "s")
    }
    for target in ["x86_64-apple-ios13.0-simulator", "i386-apple-ios7.0-simulator"] {
      var comparison = DefinitionComparison()
      let short = comparison.add(try await assembled("short", target, " jmp _free\n nop"))
      let long = comparison.add(
        try await assembled("long", target, " jmp _free\n" + String(repeating: " nop\n", count: 9)))
      let other = comparison.add(
        try await assembled("other", target, " jmp _exit\n" + String(repeating: " nop\n", count: 9)))
      #expect(comparison.compare("_f", short, long) == .same, "\(target)")
      #expect(comparison.compare("_f", short, other) == .different, "\(target)")
    }
    let target = "arm64-apple-ios13.0"
    let outlined = "_OUTLINED_FUNCTION_0:\n ldr x0, [x0]\n b _free\n"
    var comparison = DefinitionComparison()
    let plain = comparison.add(try await assembled("plain", target, " ldr x0, [x0]\n bl _free\n ret"))
    let call = comparison.add(try await assembled("call", target, " bl _OUTLINED_FUNCTION_0\n ret\n\(outlined)"))
    let other = comparison.add(try await assembled("another", target, " ldr x0, [x1]\n bl _free\n ret"))
    #expect(comparison.compare("_f", plain, call) == .unknown)
    #expect(comparison.compare("_f", plain, other) == .different)
  }
}

/// An object file and what it defines, by name.
private struct ComparedObject {
  let source: DefinitionComparison.Source
  var definitions: [String: DefinitionComparison.Definition] = [:]
}

extension DefinitionComparison {
  fileprivate mutating func add(_ object: (file: CodeFile, range: Range<Int>)) -> ComparedObject {
    var added = ComparedObject(source: add(object.file, object.range))
    object.file.withReader { reader in
      guard let part = try? reader.slice(object.range, "object file"), let file = try? MachOFile(part),
        let table = try? MachOSymbolTable(file, part)
      else { return }
      try? table.forEach(part) { entry in
        guard entry.isExternal, !entry.isDebug, let range = table.name(at: entry.nameOffset, part) else { return }
        let name = part.text(range)
        switch entry.kind {
        case .section: added.definitions[name] = .place(section: Int(entry.section), address: entry.value)
        case .absolute: added.definitions[name] = .absolute(entry.value)
        default: if entry.isCommon { added.definitions[name] = .common(entry.value) }
        }
      }
    }
    return added
  }

  fileprivate mutating func compare(_ name: String, _ a: ComparedObject, _ b: ComparedObject) -> Result {
    if a.source == b.source { return .same }
    guard let one = a.definitions[name], let other = b.definitions[name] else { return .unknown }
    return compare((a.source, one), (b.source, other))
  }
}
