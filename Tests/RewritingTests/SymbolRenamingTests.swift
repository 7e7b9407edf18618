import Foundation
import Lanes
import ObjectFiles
import Rewriting
import Testing
import TestSupport

/// What llvm-nm, llvm-objdump, llvm-objcopy and linkers make of renamed libraries.
@Suite("new names for symbols", .tools, .timeLimit(.minutes(20)))
struct SymbolRenamingTests {
  static let apple = [
    "arm64-apple-ios13.0", "arm64e-apple-ios14.0", "armv7-apple-ios7.0", "arm64_32-apple-watchos5.0",
    "i386-apple-ios7.0-simulator", "x86_64-apple-ios13.0-simulator", "arm64-apple-macos14.0",
  ]
  static let android = [
    "aarch64-linux-android21", "armv7a-linux-androideabi21", "i686-linux-android21", "x86_64-linux-android21",
  ]

  let scratch = Scratch()

  /// Symbol for symbol, in the old order: the new name where one of the members defines the old one, else the same line.
  private func expect(_ old: String, _ new: String, isApples: Bool, _ options: [[String]] = [[]]) async throws {
    let names = try await scratch.defined(old)
    #expect(!names.isEmpty)
    for options in options + [["--print-armap", "-g"]] {
      let before = try await scratch.nm(old, options).map { line -> String in
        guard let space = line.lastIndex(of: " "), !line.contains(" in ") else {
          let name = line.prefix { $0 != " " }
          return line.contains(" in ") && names.contains(String(name))
            ? prefixed(String(name), isApples: isApples) + line[name.endIndex...] : line
        }
        let name = String(line[line.index(after: space)...])
        // A small letter is a symbol that others do not see; it may be called as a global one elsewhere.
        let letter = line[..<space].last ?? " "
        let isGlobal = letter.isUppercase || "wvu".contains(letter)
        let isGroup = letter == "n" && name.hasPrefix("_Z")
        return isGroup || names.contains(name) && isGlobal ? line[...space] + prefixed(name, isApples: isApples) : line
      }
      let after = try await scratch.nm(new, options)
      #expect(before == after, "\(options)")
    }
  }

  @Test("every symbol, table of contents and relocation", arguments: apple + android)
  func everything(_ target: String) async throws {
    let isApples = target.contains("apple")
    try await scratch.makeLibrary(target, ["-g"])
    _ = try rename("lib.a", to: "new.a", in: scratch)
    try await expect("lib.a", "new.a", isApples: isApples)
    // Relocations lead to the symbols of before.
    for (file, member) in [("lib.a", "old"), ("new.a", "new")] {
      let text = try await Tool.check(["llvm-objdump-19", "-r", file], in: scratch.path)
      try scratch.write(member, text.split(separator: "\n").dropFirst().joined(separator: "\n"))
    }
    let changed = try scratch.text("new").components(separatedBy: "ZZ_").joined()
    // Linkage names stand elsewhere among the strings of debugging information.
    let lines = { (text: String) in
      text.split(separator: "\n").filter { line in !["new.a", "lib.a", ".debug_str"].contains { line.contains($0) } }
    }
    #expect(lines(changed) == lines(try scratch.text("old")))
  }

  @Test("the names that llvm-objcopy gives", arguments: android)
  func objcopy(_ target: String) async throws {
    try await scratch.makeLibrary(target)
    _ = try rename("lib.a", to: "new.a", in: scratch)
    let names = try await scratch.defined("lib.a").sorted()
    try scratch.write("names", names.map { "\($0) ZZ_\($0)\n" }.joined())
    try await Tool.check(["llvm-objcopy-19", "--redefine-syms=names", "lib.a", "copy.a"], in: scratch.path)
    // Of groups with names of their own it leaves the names: linked beside another copy, they are taken for its groups.
    func lines(_ file: String) async throws -> [String] { try await scratch.nm(file).filter { !$0.contains(" n ") } }
    #expect(try await lines("new.a") == lines("copy.a"))
  }

  @Test("debugging information is whole, with the new linkage names", arguments: apple + android, [2, 4, 5])
  func debugging(_ target: String, _ version: Int) async throws {
    try await scratch.makeLibrary(
      target,
      ["-gdwarf-\(version)", "-fdebug-types-section"].filter {
        !target.contains("apple") || !$0.contains("types")
      })
    _ = try rename("lib.a", to: "new.a", in: scratch)
    func linkageNames(_ file: String) async throws -> [String] {
      try await Tool.check(["llvm-dwarfdump-19", "--verify", file], in: scratch.path)
      return try await Tool.check(["llvm-dwarfdump-19", file], in: scratch.path).split(separator: "\n")
        .filter { $0.contains("linkage_name") }.compactMap {
          $0.split(separator: "\"").dropFirst().first.map(String.init)
        }
    }
    let isApples = target.contains("apple")
    let names = try await scratch.defined("lib.a")
    let expected = try await linkageNames("lib.a").map { name in
      names.contains((isApples ? "_" : "") + name) ? "ZZ_" + name : name
    }
    #expect(try await linkageNames("new.a") == expected)
    #expect(expected.contains { $0.hasPrefix("ZZ_") })

    // Left out on request.
    _ = try rename("lib.a", to: "bare.a", keepsDebug: false, in: scratch)
    try await Tool.check(["llvm-dwarfdump-19", "--verify", "bare.a"], in: scratch.path)
    #expect(try await linkageNames("bare.a").isEmpty)
    try await expect("lib.a", "bare.a", isApples: isApples)
  }

  @Test("a prefix that is taken off again", arguments: apple + android)
  func roundTrip(_ target: String) async throws {
    try await scratch.makeLibrary(target, ["-g"])
    _ = try rename("lib.a", to: "new.a", in: scratch)
    _ = try rename("new.a", to: "back.a", SymbolRewrite("ZZ_", .remove), in: scratch)
    #expect(try await scratch.nm("back.a", ["--print-armap"]) == scratch.nm("lib.a", ["--print-armap"]))
    // All contents but those of the two tables that got longer, and of the index that is left out.
    func contents(_ file: String) async throws -> [String] {
      let text = try await Tool.check(["llvm-objdump-19", "-s", "-r", file], in: scratch.path)
      return text.components(separatedBy: "Contents of section ").dropFirst().filter { part in
        ![
          "__DWARF,__debug_str", "__DWARF,__apple_names", "__DWARF,__debug_names", ".strtab", ".debug_str",
          ".debug_names",
        ]
        .contains { part.hasPrefix("\($0):") } && !part.hasPrefix(".symtab")
      }.map { $0.components(separatedBy: "file format").first ?? "" }.map {
        $0.split(separator: "\n").filter { !$0.contains(".a(") }.joined()
      }
    }
    #expect(try await contents("back.a") == contents("lib.a"))
    func dwarf(_ file: String) async throws -> [Substring] {
      try await Tool.check(["llvm-dwarfdump-19", file], in: scratch.path).split(separator: "\n").filter {
        !$0.contains(file)
      }
    }
    #expect(try await dwarf("back.a") == dwarf("lib.a"))
  }

  @Test("universal files of libraries, and of objects")
  func universal() async throws {
    var thin: [(file: String, architecture: String)] = []
    for target in Self.apple.prefix(5).dropFirst(1) {
      let architecture = String(target.prefix { $0 != "-" })
      try await scratch.makeLibrary(target)
      _ = try rename("lib.a", to: "\(architecture)-new.a", in: scratch)
      try await Tool.check(["mv", "lib.a", "\(architecture).a"], in: scratch.path)
      thin.append(("\(architecture).a", architecture))
    }
    try await Tool.check(["llvm-lipo-19", "-create"] + thin.map(\.file) + ["-output", "fat.a"], in: scratch.path)
    _ = try rename("fat.a", to: "new.a", in: scratch)
    for (_, architecture) in thin {
      try await Tool.check(["llvm-lipo-19", "new.a", "-thin", architecture, "-output", "slice.a"], in: scratch.path)
      #expect(try scratch.read("slice.a") == scratch.read("\(architecture)-new.a"))
    }
  }

  @Test("the program does what it did, beside another copy", arguments: ["bfd", "lld"])
  func program(_ linker: String) async throws {
    // Optimized, clang puts the variants of a constructor into a group with a name of its own.
    try await scratch.makeLibrary("x86_64-linux-gnu", ["-fPIC", "-O1"])
    let groups = try await Tool.check(["llvm-readelf-19", "--section-groups", "lib.a"], in: scratch.path)
    #expect(groups.contains("[_ZN5rally4HeldIlEC5El]"))
    try scratch.write("main.c", Sources.program)
    try await Tool.check(["clang", "-target", "x86_64-linux-gnu", "-c", "main.c"], in: scratch.path)
    try await Tool.check(["cp", "lib.a", "other.a"], in: scratch.path)
    func link(_ other: String) async throws -> ToolResult {
      try await Tool.run(
        [
          "clang++", "-target", "x86_64-linux-gnu", "-fuse-ld=\(linker)", "main.o", "-Wl,--whole-archive", "lib.a",
          other, "-Wl,--no-whole-archive", "-o",
          "main",
        ],
        in: scratch.path)
    }
    #expect(try await link("other.a").all.contains("rally_open"))
    _ = try rename("other.a", to: "new.a", in: scratch)
    let renamed = try await Tool.check(["llvm-readelf-19", "--section-groups", "new.a"], in: scratch.path)
    #expect(renamed.contains("[ZZ__ZN5rally4HeldIlEC5El]") && !renamed.contains("[_Z"))
    let linked = try await link("new.a")
    #expect(linked.status == 0, "\(linked.all)")
    #expect(try await Tool.check(["./main"], in: scratch.path) == "old\nnew\n")
  }
}
