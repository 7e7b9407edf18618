import Lanes
import LinkSupport
import Linking
import ObjectFiles
import Rewriting
import Testing
import TestSupport

@testable import LinkSupport

/// Libraries that are drawn by chance: two copies collide, and with a prefix they do not, as a real linker says.
@Suite("a prefix ends collisions", .tools, .timeLimit(.minutes(20)))
struct DrawnLibraryTests {
  /// A library of a few objects with functions, data, commons, aliases, weak and hidden names, classes and categories.
  private func library(_ seed: Int, in scratch: Scratch) async throws {
    var random = Seeded(seed: UInt64(seed))
    var members: [String] = []
    for number in 0..<4 {
      let object = RandomObject(number, of: 4, names: 400, &random)
      try scratch.write(object.name, try await Assembler.object(object.text))
      members.append(object.name)
    }
    try await Tool.check(["llvm-ar-19", "--format=darwin", "rcsD", "lib.a"] + members, in: scratch.path)
  }

  private func duplicates(_ inputs: [String], in scratch: Scratch) async throws -> [String] {
    let result = try await Tool.run(
      ["ld64.lld-19"] + LLD.base + ["-dylib", "-all_load", "--error-limit=0", "-o", "out"] + inputs, in: scratch.path)
    return result.all.split(separator: "\n").filter { $0.contains("duplicate symbol") }.map(String.init)
  }

  @Test("twenty libraries, under lld", arguments: Seeded.seeds(20))
  func twoCopies(_ seed: Int) async throws {
    let scratch = Scratch()
    try await library(seed, in: scratch)
    try await Tool.check(["cp", "lib.a", "copy.a"], in: scratch.path)
    let alone = try await duplicates(["lib.a"], in: scratch)
    #expect(try await duplicates(["lib.a", "copy.a"], in: scratch).count > alone.count)
    let renaming = try rename("copy.a", to: "new.a", SymbolRewrite("ZZ_", classes: true), in: scratch)
    #expect(renaming.count > 0)
    #expect(try await duplicates(["lib.a", "new.a"], in: scratch).count <= 2 * alone.count)
    #expect(try await duplicates(["new.a"], in: scratch).count == alone.count)
    // Every name of the one is no name of the other, but for protocols.
    let (old, new) = (try await scratch.defined("lib.a"), try await scratch.defined("new.a"))
    #expect(old.intersection(new).filter { !$0.contains("PROTOCOL_$_") }.isEmpty)
    #expect(old.count == new.count)
    try await Tool.check(["llvm-objdump-19", "-r", "new.a"], in: scratch.path)
  }
}
