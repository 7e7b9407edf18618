import Lanes
import LinkSupport
import ObjectFiles
import Rewriting
import Testing
import TestSupport

@testable import LinkSupport

/// Parts of files that compilers seldom write, names that stay, and names that cannot be given.
@Suite("new names at the edges", .tools, .timeLimit(.minutes(20)))
struct RenamingEdgeTests {
  let scratch = Scratch()

  private func assemble(_ lines: [String], for triple: String = "arm64-apple-ios13.0") async throws {
    try scratch.write("old.o", try await Assembler.object(lines.joined(separator: "\n") + "\n", for: triple))
  }

  @Test("words of linker options that are symbols")
  func linkerOption() async throws {
    try await assemble([
      ".globl _own", "_own: ret", #".linker_option "-u", "_own""#, #".linker_option "-lother""#,
      #".linker_option "-framework", "_own""#, ".data", ".globl _late", "_late: .quad _own",
    ])
    _ = try rename("old.o", to: "new.o", SymbolRewrite("A_LONG_PREFIX_"), in: scratch)
    func commands(_ file: String) async throws -> [Substring] {
      try await Tool.check(["llvm-otool-19", "-l", file], in: scratch.path).split(separator: "\n")
        .filter { $0.contains(" string #") }
    }
    #expect(
      try await commands("new.o").map { String($0.split(separator: " ").last ?? "") }
        == ["-u", "_A_LONG_PREFIX_own", "-lother", "-framework", "_A_LONG_PREFIX_own"])
    #expect(try await Tool.check(["llvm-objdump-19", "-r", "new.o"], in: scratch.path).contains("_A_LONG_PREFIX_own"))
  }

  @Test("labels of linkers keep their first letter, by which these tell them")
  func labels() async throws {
    try await assemble([
      ".private_extern l018", ".section __TEXT,__cstring,cstring_literals", "l018: .asciz \"text\"", ".globl l019",
      "l019: .asciz \"more\"",
      ".data", ".globl _own", "_own: .quad l018",
    ])
    _ = try rename("old.o", to: "new.o", in: scratch)
    #expect(try await scratch.defined("new.o") == ["lZZ_018", "lZZ_019", "_ZZ_own"])
  }

  @Test("another name for a symbol, in a place of its own")
  func indirect() async throws {
    try await assemble([".globl _target", "_target: ret", ".data", ".quad _alias"])
    var bytes = try scratch.read("old.o")
    let file = try MachOFile(ByteReader(bytes.span))
    let table = try #require(try MachOSymbolTable(file, ByteReader(bytes.span)))
    let names = try (0..<table.count).map { try table.entry($0, ByteReader(bytes.span)) }
    let alias = try #require(names.indices.first { names[$0].isUndefined })
    let target = try #require(names.indices.first { !names[$0].isUndefined && names[$0].isExternal })
    let place = table.range.lowerBound + 16 * alias
    bytes[place + 4] = 0x0B
    for byte in 0..<4 {
      bytes[place + 8 + byte] = UInt8(truncatingIfNeeded: names[target].nameOffset >> (8 * UInt32(byte)))
    }
    try scratch.write("old.o", bytes)
    _ = try rename("old.o", to: "new.o", in: scratch)
    let lines = try await Tool.check(["llvm-nm-19", "-m", "new.o"], in: scratch.path)
    #expect(lines.contains("_ZZ_alias (for _ZZ_target)"))
  }

  @Test("kept names, patterns, and those that are no symbol's")
  func kept() async throws {
    try await scratch.makeLibrary("arm64-apple-ios13.0")
    let renaming = try rename(
      "lib.a", to: "new.a", SymbolRewrite("ZZ_", keep: ["_rally_open", "_rally_[wc]*", "__ZN*", "_none"]), in: scratch)
    #expect(renaming.unmatched == ["_none"])
    let names = try await scratch.defined("new.a")
    #expect(names.isSuperset(of: ["_rally_open", "_rally_weak", "_rally_count", "_ZZ_rally_hidden", "_ZZ_rally_late"]))
    #expect(names.contains { $0.hasPrefix("__ZN5rally") } && names.contains { $0.hasPrefix("_ZZ__ZTV") })
  }

  @Test(
    "a name that is there already is not given twice", arguments: ["arm64-apple-ios13.0", "aarch64-linux-android21"])
  func rivals(_ triple: String) async throws {
    let underscore = triple.contains("apple") ? "_" : ""
    let names = ["rally", "ZZ_rally"].map { underscore + $0 }
    try await assemble(names.flatMap { [".globl \($0)", "\($0): ret"] }, for: triple)
    for prefix in [SymbolRewrite("ZZ_", keep: [names[1]]), SymbolRewrite("ZZ_", .remove)] {
      let error = #expect(throws: LibraryError.self) { _ = try rename("old.o", to: "new.o", prefix, in: scratch) }
      #expect(error?.description.contains("would get") ?? false)
    }
    // Both get another one.
    _ = try rename("old.o", to: "new.o", in: scratch)
    #expect(try await scratch.defined("new.o").count == 2)
    // A reference to it is as much in the way as a definition.
    try await assemble([".globl \(names[0])", "\(names[0]): ret", ".data", ".long \(names[1])-."], for: triple)
    #expect(throws: LibraryError.self) { _ = try rename("old.o", to: "new.o", in: scratch) }
  }

  @Test("what a prefix is")
  func prefixes() {
    #expect(["ZZ_", "_x", "a1"].allSatisfy { SymbolRewrite.fault(in: $0) == nil })
    #expect(["", "1a", "a-b", "a b", "\u{E9}_", "a$"].allSatisfy { SymbolRewrite.fault(in: $0) != nil })
  }

  @Test("tables of contents of other archivers", arguments: ["__.SYMDEF SORTED", "#1/20"])
  func tables(_ name: String) async throws {
    try await scratch.makeLibrary("arm64-apple-ios13.0")
    var bytes = try scratch.read("lib.a")
    // llvm-ar writes "#1/12" and "__.SYMDEF", and three zeros.
    if name.hasPrefix("_") {
      bytes.replaceSubrange(8..<24, with: Array(name.utf8))
      bytes.removeSubrange(68..<80)
      let size = String(decoding: bytes[56..<66], as: UTF8.self).split(separator: " ")[0]
      let new = "\((Int(size) ?? 0) - 12)"
      bytes.replaceSubrange(56..<66, with: Array(new.padding(10).utf8))
      // The members moved by 12 bytes.
      let table = 68
      let count = (0..<4).reduce(0) { $0 | Int(bytes[table + $1]) << (8 * $1) } / 8
      for index in 0..<count {
        let place = table + 4 + 8 * index + 4
        let offset = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } - 12
        for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: offset >> (8 * byte)) }
      }
    }
    try scratch.write("lib.a", bytes)
    _ = try rename("lib.a", to: "new.a", SymbolRewrite("ZZ_", keep: ["_rally_late"]), in: scratch)
    let map = try await scratch.nm("new.a", ["--print-armap", "-g"]).filter { $0.contains(" in ") }
    let expected = try await scratch.nm("lib.a", ["--print-armap", "-g"]).filter { $0.contains(" in ") }.map { line in
      let name = String(line.prefix { $0 != " " })
      return (name == "_rally_late" ? name : prefixed(name, isApples: true)) + line.dropFirst(name.count)
    }
    #expect(name.hasPrefix("_") ? map == expected.sorted() : map == expected)
  }

  @Test("files that are no libraries, and linked ones, are refused")
  func refused() async throws {
    try await scratch.makeLibrary("arm64-apple-ios13.0")
    try await Tool.check(
      ["ld64.lld-19"] + LLD.base + ["-dylib", "-all_load", "lib.a", "-o", "lib.dylib"], in: scratch.path)
    try await Tool.check(["llvm-ar-19", "--format=gnu", "rcsTD", "thin.a", "c.o"], in: scratch.path)
    try scratch.write("text", "hello")
    try await Tool.check(
      ["clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-emit-llvm", "-c", "c.c", "-o", "b.o"],
      in: scratch.path)
    for name in ["lib.dylib", "thin.a", "text", "b.o"] {
      let error = #expect(throws: LibraryError.self) { _ = try rename(name, to: "new", in: scratch) }
      #expect(error?.description.hasPrefix(name) ?? false)
    }
  }
}

extension String {
  fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - utf8.count)) }
}
