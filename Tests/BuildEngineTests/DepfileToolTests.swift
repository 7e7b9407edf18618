import Lanes
import BuildEngine
import Store
import SystemPackage
import Testing
import TestSupport

/// Against those who write such files, and against ninja, who reads them.
@Suite struct DepfileToolTests {
  let scratch = Scratch()

  private func names(_ path: String) throws -> [String] {
    try Depfile(parsing: try FileSystem.read(scratch(path))).prerequisites.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Names that a file can have and `#include "…"` can name; clang takes a backslash for a slash.
  static let oddNames = [
    "plain.h", "a b.h", "a  b.h", " lead.h", "end .h", "end ", "a#b.h", "#a.h", "a$b.h", "a$$b.h", "$(a).h", "é.h",
    "e\u{301}.h", "日本.h", "a:b.h", "a%b.h", "a~b.h", "a;b.h", "a|b.h", "a'b.h", "a&b*.h", "a=b.h", "(a)[b]{c}.h",
    "a# b$ c.h",
  ]

  @Test func clang() async throws {
    let headers = DepfileToolTests.oddNames
    for header in headers { try scratch.write(header, "/* \(header) */\n") }
    try scratch.write("m.c", headers.map { "#include \"\($0)\"\n" }.joined() + "int m;\n")
    _ = try await Tool.check(["clang", "-c", "m.c", "-MD", "-MP", "-MF", "m.d", "-o", "m.o"], in: scratch.path)
    #expect(try names("m.d").map { Array($0.utf8) } == (["m.c"] + headers).map { Array($0.utf8) })
  }

  /// Several outputs, a blank before the colon, absolute names.
  @Test func swiftc() async throws {
    try scratch.write("a b.swift", "public func a() {}\n")
    try scratch.write("c#d.swift", "public func c() { a() }\n")
    _ = try await Tool.check(
      ["swiftc", "-c", "-parse-as-library", "-module-name", "M", "-emit-dependencies", "a b.swift", "c#d.swift"],
      in: scratch.path)
    let real = try FileSystem.realPath(scratch.path)
    for file in ["a b.d", "c#d.d"] {
      let found = try names(file).map { $0.hasPrefix("\(real)/") ? String($0.dropFirst("\(real)/".utf8.count)) : $0 }
      #expect(Set(found).isSuperset(of: ["a b.swift", "c#d.swift"]), "\(file): \(found)")
    }
  }

  /// Through a link `..` leads elsewhere, a name in the tree may be absolute, and a folder's link may be named.
  @Test func whatClangReadIsFound() async throws {
    try scratch.write("real/src/a.c", "#include \"../x.h\"\n#include <y z.h>\nint a = X + Y;\n")
    try scratch.link("src", to: "real/src")
    try scratch.write("real/x.h", "#define X 1\n")
    try scratch.write("inc/y z.h", "#define Y 1\n")
    let root = try FileSystem.realPath(scratch.path)
    let words = ["clang", "-c", "-MD", "-MF", "a.d", "-I\(root)/inc", "src/a.c", "-o", "a.o"]
    let step = Step(
      name: "a", summary: "a", inputs: [.path("src/a.c", here)], outputs: ["a.o", "a.d"],
      action: CommandAction(.words(words), depfile: "a.d"), place: here)
    func ran() async throws -> Bool {
      let scheduler = Scheduler(
        graph: try Graph([step]), disk: try RealDisk(root),
        runner: ProcessRunner(root: root, temporaryFolder: root.appending(".npi/tmp")), host: .current, seal: .test,
        fingerprint: [1])
      let result = try await scheduler.run()
      if let failure = result.failed.first?.failure { throw failure }
      #expect(result.notes == [])
      return !result.nothingToDo
    }
    #expect(try await ran())
    #expect(try await !ran())
    let record = try #require(try BuildLog(root.appending(".npi/log"), seal: .test, disk: RealDisk(root))["a"])
    #expect(record.discovered == Discovered(["inc/y z.h", "src/../x.h"]))
    try scratch.write("real/x.h", "#define X 2\n")
    #expect(try await ran())
    try scratch.write("inc/y z.h", "#define Y 2\n")
    #expect(try await ran())
    #expect(try await !ran())
  }

  /// What ninja says that each text names; nil for one that it refuses.
  private func ninja(_ texts: [String]) async throws -> [[[UInt8]]?] {
    var rules = "rule r\n  command = cp $in $out.d && touch $out\n  depfile = $out.d\n  deps = gcc\n"
    for (index, text) in texts.enumerated() {
      try scratch.write("\(index).in", text)
      rules += "build o\(index): r \(index).in\n"
    }
    try scratch.write("build.ninja", rules)
    _ = try await Tool.run(["ninja", "-k", "0"], in: scratch.path)
    let blocks = try await Tool.check(["ninja", "-t", "deps"], in: scratch.path)
    var found: [[[UInt8]]?] = texts.map { _ in nil }
    var current: Int?
    for line in blocks.utf8.split(separator: 0x0A) {
      if line.starts(with: "    ".utf8) {
        if let current { found[current]?.append(Array(line.dropFirst(4))) }
      } else {
        current = line.split(separator: UInt8(ascii: ":")).first.flatMap { Int(String($0.dropFirst()) ?? "") }
        if let current { found[current] = [] }
      }
    }
    return found
  }

  /// Texts of a few pieces by chance.
  @Test(.tools) func ninjaReadsTheSame() async throws {
    var random = Seeded(seed: 7)
    let pieces = ["x", "yé", "\\ ", "\\#", "\\\\", "\\", "$$", "$$", ":", "\\:", " ", " \\\n ", " \\\r\n", "\\z", "@%"]
    var texts: [String] = []
    while texts.count < 400 {
      var text = "o: p"
      for _ in 0..<Int.random(in: 1...9, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      text += "q\nsecond: r\nr:\n"
      // It takes a name that ends with a colon for a target, wherever it stands; and a backslash before `$$` takes the
      // first `$` for it, while gcc writes the name `\$` so.
      let names = try Depfile(parsing: Array(text.utf8)).prerequisites
      if names.contains(where: { $0.last == UInt8(ascii: ":") }) || text.contains("\\$") { continue }
      texts.append(text)
    }
    for (text, theirs) in zip(texts, try await ninja(texts)) {
      #expect(try theirs == Depfile(parsing: Array(text.utf8)).prerequisites, "\(text.debugDescription)")
    }
  }
}
