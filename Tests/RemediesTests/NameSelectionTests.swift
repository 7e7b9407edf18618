import Foundation
import Lanes
import Testing
import TestSupport

@testable import Remedies

/// Lists of names and patterns select what they should, as Python's `fnmatch` says.
@Suite(.tools) struct NameSelectionTests {
  @Test(arguments: Seeded.seeds(12)) func patternsMatchTheChosenNamesOnly(_ seed: Int) async throws {
    var random = Seeded(seed: seed)
    let words = ["ssl", "SSL_CTX", "new", "free", "_", "x", "X509", "get0", "a", "b"]
    let all = Set(
      (0..<300).map { _ in "_" + (0...random.number(4)).map { _ in words[random.number(words.count)] }.joined() })
    let share = [2, 10, 50][random.number(3)]
    let chosen = all.filter { name in name.contains("ssl") || random.once(in: share) }
    func bytes(_ names: Set<String>) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }
    let patterns = NameSelection.patterns(of: bytes(chosen), among: bytes(all))
    let script = """
      import fnmatch, sys
      patterns, names = [part.split('\\n') for part in sys.argv[1:]]
      print('\\n'.join(n for n in names if any(fnmatch.fnmatchcase(n, p) for p in patterns)))
      """
    let matched = try await Tool.check(
      ["python3", "-c", script, patterns.joined(separator: "\n"), all.joined(separator: "\n")])
    #expect(Set(matched.split(separator: "\n").map(String.init)) == chosen)
    #expect(patterns.count <= chosen.count)
    #expect(patterns == patterns.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test func ofNothingThereIsNone() {
    #expect(NameSelection.patterns(of: [], among: [Array("_a".utf8)]).isEmpty)
    #expect(NameSelection.patterns(of: [Array("_a".utf8)], among: []) == ["_a"])
    #expect(NameSelection.patterns(of: [Array("_a[1]*".utf8)], among: [Array("_b".utf8)]) == ["_a[[]1][*]"])
    func bytes(_ names: [String]) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }
    #expect(NameSelection.patterns(of: bytes(["_äq", "_öq"]), among: bytes(["_é"])) == ["_äq", "_öq"])
  }
}
