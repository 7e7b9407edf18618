import Testing

@testable import Archives

@Suite struct EntryPathTests {
  @Test func parts() throws {
    let path = try EntryPath("Demo.framework/Versions/A/Demo")
    #expect(path.components.map { String(decoding: $0, as: UTF8.self) } == ["Demo.framework", "Versions", "A", "Demo"])
    #expect(path.parent == (try EntryPath("Demo.framework/Versions/A")))
    #expect(path.lastComponent == Array("Demo".utf8))
    #expect(try EntryPath("a").parent == nil)
    #expect(try EntryPath("..a/b..").description == "..a/b..")
  }

  @Test func refused() throws {
    func error(_ bytes: [UInt8]) -> EntryPathError? {
      do throws(EntryPathError) {
        _ = try EntryPath(bytes)
        return nil
      } catch { return error }
    }
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    #expect(error([]) == .empty)
    #expect(error(bytes("/etc")) == .absolute(bytes("/etc")))
    #expect(error(bytes("a//b")) == .emptyPart(bytes("a//b")))
    #expect(error(bytes("a/")) == .emptyPart(bytes("a/")))
    #expect(error(bytes("./a")) == .dotPart(bytes("./a")))
    #expect(error(bytes("a/../b")) == .parentPart(bytes("a/../b")))
    #expect(error([0x61, 0]) == .nul([0x61, 0]))
    #expect(error(bytes("a\\b")) == .backslash(bytes("a\\b")))
    #expect(error([0x61, 0xFF]) == .notUTF8([0x61, 0xFF]))
    // Overlong, a surrogate, beyond Unicode.
    for bad: [UInt8] in [[0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
      #expect(error(bad) == .notUTF8(bad))
    }
  }

  @Test func bytesAreTheIdentity() throws {
    let composed = try EntryPath("caf\u{E9}")
    let decomposed = try EntryPath("cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed.collisionKey == decomposed.collisionKey)
    // '-' sorts before '/', and upper case before lower.
    let sorted = try ["a/b", "a-b", "a", "B", "a/b/c", "\u{E9}"].map { try EntryPath($0) }.sorted()
    #expect(sorted.map(\.description) == ["B", "a", "a-b", "a/b", "a/b/c", "\u{E9}"])
  }

  @Test(arguments: [
    ("README", "readme"), ("stra\u{DF}e", "STRASSE"), ("\u{3A3}\u{3C2}", "\u{3C3}\u{3C3}"), ("\u{212A}", "k"),
    ("\u{C5}", "a\u{30A}"), ("\u{1E9E}", "ss"), ("\u{AC00}", "\u{1100}\u{1161}"),
  ])
  func collide(_ first: String, _ second: String) throws {
    #expect(try EntryPath(first).collisionKey == EntryPath(second).collisionKey)
  }

  @Test func whatIsNoUTF8IsEqualToItselfAlone() {
    let names: [[UInt8]] = [[0x61, 0xFF], [0x61, 0xFE], [0x61, 0xEF, 0xBF, 0xBD], [0x41, 0xFF], [0x61, 0xC3]]
    #expect(Set(names.map { EntryPath.collisionKey($0[...]) }).count == names.count)
  }

  @Test func canonicalOrderDropsFoldersThatAreNotEmpty() throws {
    let order = Entry.canonicalOrder([
      try .file("b/c/d", "x"), try .folder("b"), try .folder("b/c"), try .folder("b/e"), try .file("a", "x"),
    ])
    #expect(order.map(\.path.description) == ["a", "b/c/d", "b/e"])
  }
}
