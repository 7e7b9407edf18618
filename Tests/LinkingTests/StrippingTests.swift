import Lanes
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// What ld64 makes of duplicates that only one of its own steps decides, each by itself. What is expected was measured with
/// ld64-951.9; where `NPI_LD64` names the program, it is measured again.
@Suite("duplicates as ld64 strips them", .tools)
struct StrippingTests {
  private static let stripped = ["-execute", "-e", "_main", "-dead_strip"]

  @Test("names of one place are live one by one", arguments: ["_aaa", "_zzz"])
  func names(_ name: String) async throws {
    // The name that sorts first has the content; the others lead to it, and not the other way round.
    let main = code("_main", calls: []) + ".globl \(name)\n.set \(name), _main\n"
    let found = try await duplicates(Self.stripped + ["a.o", "b.o"], ["a.o": main, "b.o": code(name)])
    #expect(found == (name == "_aaa" ? ["_aaa": ["a.o", "b.o"]] : [:]))
  }

  @Test("hidden names are kept if they are spelled out", arguments: ["_hidden", "_hid*"])
  func hidden(_ name: String) async throws {
    let text = ".private_extern _hidden\n" + code("_hidden")
    let found = try await duplicates(
      ["-dylib", "-dead_strip", "-exported_symbol", name, "a.o", "b.o"], ["a.o": text, "b.o": text])
    #expect(found == (name == "_hidden" ? ["_hidden": ["a.o", "b.o"]] : [:]))
  }

  @Test("a list of names to export keeps no others", arguments: ["_one", "_o*"])
  func exported(_ name: String) async throws {
    let found = try await duplicates(
      ["-dylib", "-dead_strip", "-exported_symbol", name, "a.o", "b.o"],
      ["a.o": code("_one") + code("_two"), "b.o": code("_two") + code("_other")])
    #expect(found == [:])
    let others = try await duplicates(
      ["-dylib", "-dead_strip", "-exported_symbol", name, "a.o", "b.o"],
      ["a.o": code("_one") + code("_other"), "b.o": code("_other")])
    #expect(others == (name == "_o*" ? ["_other": ["a.o", "b.o"]] : [:]))
  }

  @Test(
    "of files that come late the later on the line is taken, so that the first may be dead", arguments: [true, false])
  func late(_ isEarlier: Bool) async throws {
    let objects = ["a.o", "b.o"]
    let found = try await duplicates(
      Self.stripped + (isEarlier ? ["liba.a"] + objects : objects + ["liba.a"]),
      [
        "a.o": code("_main", calls: ["_late", "_f"]) + code("_f"), "b.o": code("_f"),
        "liba.a": code("_late") + code("_f"),
      ],
      table: ["_late"])
    // An error says nothing of what is only warned of.
    #expect(found == ["_f": isEarlier ? ["a.o", "b.o"] : ["a.o", "liba.a(m.o)"]])
  }

  @Test("a definition that was not taken is no root", arguments: [true, false])
  func replaced(_ isReplaced: Bool) async throws {
    // Nothing is stripped of b.o, which may not be cut, but its `_f` if there is a better one.
    let weak = ".weak_definition _f\n" + code("_f", calls: ["_g"], isCut: false)
    let found = try await duplicates(
      Self.stripped + ["a.o", "b.o", "c.o", "d.o"],
      [
        "a.o": code("_main") + (isReplaced ? code("_f") : ""), "b.o": weak + code("_h", isCut: false),
        "c.o": code("_g"), "d.o": code("_g"),
      ])
    #expect(found == (isReplaced ? [:] : ["_g": ["c.o", "d.o"]]))
  }

  @Test("of a number and something else the earlier one is taken")
  func numbers() async throws {
    let weak = ".weak_definition _f\n" + code("_f")
    let found = try await duplicates(
      ["-dylib", "-u", "_late", "liba.a", "a.o", "b.o"],
      ["a.o": weak, "b.o": ".globl _f\n_f = 40\n", "liba.a": code("_late") + weak], table: ["_late"])
    #expect(found == ["_f": ["a.o", "b.o"]])
    let late = try await duplicates(
      ["-dylib", "-u", "_late", "liba.a", "a.o", "b.o"],
      ["a.o": ".globl _f\n_f = 40\n", "b.o": weak, "liba.a": code("_late") + weak], table: ["_late"])
    #expect(late == ["_f": ["a.o", "b.o", "liba.a(m.o)"]])
  }

  @Test("a common symbol that is earlier on the line than a number is taken", arguments: [true, false])
  func commons(_ isEarlier: Bool) async throws {
    let files = ["a.o": ".globl _v\n_v = 40\n", "liba.a": code("_late") + ".comm _v, 8, 3\n"]
    let set = try await link(
      ["-dylib", "-u", "_late"] + (isEarlier ? ["liba.a", "a.o"] : ["a.o", "liba.a"]), files, table: ["_late"])
    #expect(set.winners.map(\.place.description) == [isEarlier ? "liba.a(m.o)" : "a.o"])
  }

  @Test("-alias meets the definitions of its own file in the order of their places", arguments: ["_aaa", "_zzz"])
  func aliasOfOnePlace(_ name: String) async throws {
    // The other name is dead; of two of one path the first is looked at.
    let text = ".globl \(name)\n\(name):\n" + code("_use") + code("_other")
    let flags = ["-dylib", "-dead_strip", "-exported_symbol", "_other", "-u", "_use", "-alias", "_use", name]
    #expect(try await duplicates(flags + ["a.o"], ["a.o": text]) == [:])
    let visible = ["-dylib", "-alias", "_use", name, "a.o"]
    #expect(try await duplicates(visible, ["a.o": text]) == [name: ["a.o"]])
  }

  @Test("of three names of one place the last of the alphabet comes first", arguments: [true, false])
  func aliasOfThree(_ isOfLast: Bool) async throws {
    let text = [".globl _aaa", "_aaa:", ".globl _mmm", "_mmm:"].joined(separator: "\n") + "\n" + code("_use")
    let alias = isOfLast ? ["-alias", "_use", "_mmm"] : ["-alias", "_mmm", "_use"]
    let found = try await duplicates(
      ["-dylib", "-dead_strip", "-exported_symbol", "_other", "-u", "_use"] + alias + ["a.o"], ["a.o": text])
    // The alias `_mmm`, which is dead, comes before the file's own; the alias `_use` after it, which is live.
    #expect(found == (isOfLast ? [:] : ["_use": ["a.o"]]))
  }

  @Test("-alias comes before the numbers of its own file")
  func aliasAndNumber() async throws {
    let found = try await duplicates(
      ["-dylib", "-alias", "_use", "_n", "a.o", "b.o"],
      ["a.o": ".weak_definition _n\n" + code("_n"), "b.o": ".globl _n\n_n = 40\n" + code("_use")])
    #expect(found == ["_n": ["b.o"]])
  }

  // MARK: Helpers

  private func code(_ name: String, calls: [String] = [], isCut: Bool = true) -> String {
    let text = [".text", ".globl \(name)", ".p2align 2", "\(name):"] + calls.map { "bl \($0)" } + ["ret"]
    return (text + (isCut ? [".subsections_via_symbols"] : [])).joined(separator: "\n") + "\n"
  }

  private func duplicates(
    _ args: [String], _ files: [String: String], table: [String] = []
  ) async throws -> [String: [String]] {
    let verdict = try await link(args, files, table: table)
    return Dictionary(
      uniqueKeysWithValues: verdict.duplicates.map { duplicate in
        (duplicate.name, Set(duplicate.pairs.flatMap { $0.map(\.label) }).sorted())
      })
  }

  /// `table`: what the tables of the static libraries, of one member each, tell of.
  private func link(_ args: [String], _ files: [String: String], table: [String]) async throws -> LinkVerdict {
    let scratch = Scratch()
    for (name, text) in files {
      let object = try await Assembler.object(text)
      let isLibrary = name.hasSuffix(".a")
      try scratch.write(
        name, isLibrary ? ArchiveFixture.bytes([.init(name: "m.o", content: object, names: table)]) : object)
    }
    let line = try LinkLine(LLD.base + args)
    let link = LinkResult(line, .ld64, LinkSet(.arm64, linkFolder(scratch.path), .ld64))
    if let program = LD64.program,
      let (record, said) = try await LD64.link(program, args, in: scratch.path, definers: [:])
    {
      let own = Oracle.Record(link.verdict, .ld64)
      #expect(record.duplicate_files == own.duplicate_files, "\(said)")
    }
    return link.verdict
  }
}
