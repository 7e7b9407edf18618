import BuildEngine
import Store
import SystemPackage
import TestSupport
import Testing

/// Against those who write such files, and against ninja, who reads them.
@Suite struct DepfileToolTests {
  let scratch = Scratch()

  private func names(_ path: String) throws -> Set<String> {
    Set(try Depfile(parsing: try FileSystem.read(scratch(path))).prerequisites.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Names that a file can have and `#include "…"` can name; clang takes a backslash for a slash.
  static let oddNames = [
    "plain.h", "a b.h", "a  b.h", " lead.h", "end .h", "end ", "a#b.h", "#a.h", "a$b.h", "a$$b.h", "$(a).h", "é.h",
    "e\u{301}.h", "日本.h", "a:b.h", "a%b.h", "a~b.h", "a;b.h", "a|b.h", "a'b.h", "a&b*.h", "a=b.h", "(a)[b]{c}.h",
    "a# b$ c.h",
  ]

  private func compile(_ compiler: [String], _ headers: [String], _ label: String) async throws {
    for header in headers { try scratch.write(header, "/* \(header) */\n") }
    try scratch.write("m.c", headers.map { "#include \"\($0)\"\n" }.joined() + "int m;\n")
    _ = try await Tool.check(
      compiler + ["-c", "m.c", "-MD", "-MP", "-MF", "\(label).d", "-o", "m.o"], in: scratch.path)
    let found = try names("\(label).d").filter { !$0.hasPrefix("/usr/include") }
    #expect(Set(found.map { Array($0.utf8) }) == Set((headers + ["m.c"]).map { Array($0.utf8) }))
  }

  @Test func clang() async throws {
    // A tab, which clang does not escape, cannot be read by anybody.
    try await compile(["clang"], DepfileToolTests.oddNames, "clang")
  }

  @Test func eachNameAlone() async throws {
    for (index, header) in DepfileToolTests.oddNames.enumerated() {
      try await compile(["clang"], [header], "\(index)")
    }
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

  /// What ninja says that a file names. It is a build of one step that writes the file.
  private func ninja(_ text: String) async throws -> [[UInt8]]? {
    try scratch.write("in.d", text)
    try scratch.write("build.ninja", "rule r\n  command = cp in.d o.d && touch o\n  depfile = o.d\n  deps = gcc\nbuild o: r\n")
    for path in ["o", "o.d", ".ninja_log", ".ninja_deps"] { try FileSystem.remove(scratch(path)) }
    guard try await Tool.run(["ninja"], in: scratch.path).status == 0 else { return nil }
    let lines = try await Tool.check(["ninja", "-t", "deps", "o"], in: scratch.path).utf8.split(separator: 0x0A)
    return lines.dropFirst().map { Array($0.dropFirst(4)) }
  }

  /// Every text of a few pieces, in which the names are ones that ninja does not split.
  @Test func ninjaReadsTheSame() async throws {
    var random = RandomGraphTests.Random(state: 7)
    let pieces = ["x", "yé", "\\ ", "\\#", "\\\\", "\\", "$$", "$$", ":", "\\:", " ", " \\\n ", " \\\r\n", "\\z", "@%"]
    var compared = 0
    for _ in 0..<150 {
      var text = "o: p"
      for _ in 0..<Int.random(in: 1...9, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      text += "q\nsecond: r\nr:\n"
      let ours = try? Depfile(parsing: Array(text.utf8)).prerequisites
      // It takes a name that ends with a colon for a target, wherever it stands, and says each name without `//` and `..`.
      if ours?.contains(where: { $0.last == UInt8(ascii: ":") }) != false { continue }
      let theirs = try await ninja(text)
      #expect(theirs == ours, "\(text.debugDescription)")
      compared += 1
    }
    #expect(compared > 50)
  }
}
