import Artifacts
import Findings
import Rules
import Testing

@Suite struct UnportableNameTests {
  private func messages(_ names: [String]) -> [String] {
    let items = names.map { Item(path: Array($0.utf8), size: 1) }
    let inventory = Inventory(place: Place("A.zip"), role: .iosZip, items: items)
    return UnportableName.judge(inventory, Judging()).found.map(\.message)
  }

  /// The names that Microsoft reserves, with any ending, and the signs and endings that it does not take.
  @Test(arguments: [
    "CON", "con", "Prn.txt", "aux.tar.gz", "NUL.", "nul .txt", "com1", "COM9.a", "lpt1.h", "LPT\u{B9}", "com\u{B2}.x",
    "conin$", "CONOUT$.txt", "clock$",
    "a<b", "a>b", "a:b", "a\"b", "a|b", "a?b", "a*b", "a.", "a ", "x/con/y", "x/a./y", "...",
    String(repeating: "n", count: 256), String(repeating: "\u{E9}", count: 128),
  ])
  func refused(_ name: String) {
    #expect(messages([name]).count == 1)
  }

  @Test(arguments: [
    "console", "auxiliary.txt", "com", "com0", "com10", "lpt", "null", "xcon", "a.con", ".con", " a", "a b", ".hidden",
    "\u{E9}\u{301}.png", "日本/語.png", "a..b", "x/../y", "./a", String(repeating: "n", count: 255),
  ])
  func passes(_ name: String) {
    #expect(messages([name]) == [])
  }

  @Test func aFolderIsSaidOnce() {
    #expect(messages((1...100).map { "Notes./\($0).txt" }) == ["'Notes.' ends with a dot"])
  }

  @Test func isForArchivesOnly() {
    let items = [Item(path: Array("aux".utf8), size: 1)]
    let inventory = Inventory(place: Place("tree"), role: .tree, items: items)
    #expect(UnportableName.judge(inventory, Judging()).found.isEmpty)
  }
}
