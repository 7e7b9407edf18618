import Check
import SystemPackage
import TestSupport
import Testing

@Suite struct ResponseFileTests {
  @Test(arguments: [
    ("-all_load liba.a", ["-all_load", "liba.a"]), (" a\t\r\n'b c' \"d e\"f\n", ["a", "b c", "d ef"]),
    ("a\\ b 'c\\d' \"e\\\"f\" ''", ["a b", "c\\d", "e\"f", ""]), ("", []), ("'open", ["open"]),
  ])
  func words(_ text: String, _ words: [String]) { #expect(ResponseFile.words(Array(text.utf8)) == words) }

  @Test func filesNameFiles() throws {
    let scratch = Scratch()
    try scratch.write("inner", "b 'c d'")
    try scratch.write("outer", "a @\(scratch("inner")) e")
    try scratch.write("self", "@\(scratch("self"))")
    #expect(
      try ResponseFile.expanded(["x", "@\(scratch("outer"))", "@gone"]) == ["x", "a", "b", "c d", "e", "@gone"])
    #expect(throws: (any Error).self) { try ResponseFile.expanded(["@\(scratch("self"))"]) }
    // Twenty files, each of which names the next one twenty times, stand for more words than there is time for.
    for number in 0..<20 {
      let next = "@\(scratch("chain\(number + 1)"))\n"
      try scratch.write("chain\(number)", (0..<20).map { _ in number == 19 ? "" : next }.joined())
    }
    #expect(throws: (any Error).self) { try ResponseFile.expanded(["@\(scratch("chain0"))"]) }
  }
}
