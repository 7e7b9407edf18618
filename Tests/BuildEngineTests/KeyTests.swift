@testable import BuildEngine
import Store
import SystemPackage
import Testing

@Suite struct KeyTests {
  private func feed(_ encoder: inout some KeyEncoder) {
    encoder.add("word", "é")
    encoder.add("tool", .bytes([0, 255]))
    encoder.add("key", -2)
    encoder.add("flag", true)
    encoder.add("content", Digest(of: "abc"))
    encoder.add("output", FilePath("out/a"))
    encoder.add(
      "input",
      .input(
        ResolvedInput(
          path: "src/l", match: "src", kind: .symbolicLink, digest: Digest(of: "abc"), executable: true,
          linkTarget: "../t",
          size: 3)))
    encoder.add(
      "input",
      .input(
        ResolvedInput(
          path: "src", match: "src", kind: .directory, digest: nil, executable: false, linkTarget: nil, size: 0)))
  }

  /// A CR and its LF are one `Character`, and still a line's end.
  @Test func aValueIsOneLine() {
    var encoder = TextEncoder()
    encoder.add("word", "a\r\nb\nc")
    #expect(encoder.lines == [KeyLine(label: "word", value: "a\r\\nb\\nc")])
  }

  /// Made apart, with Python's struct and hashlib, from the description of `HashEncoder`: keys must not change unseen,
  /// because results are stored under them.
  @Test func theEncodingIsFixed() {
    var encoder = HashEncoder()
    feed(&encoder)
    #expect(encoder.finish().hex == "3743595733279705e2e0ae1af6fe06945605734688884497526e7ea5b6563e1a")
  }

  @Test func theTextIsForReading() {
    var encoder = TextEncoder()
    feed(&encoder)
    let abc = Digest(of: "abc")
    #expect(
      encoder.lines == [
        KeyLine(label: "word", value: "é"), KeyLine(label: "tool", value: Digest(of: [0, 255]).hex),
        KeyLine(label: "key", value: "-2"), KeyLine(label: "flag", value: "yes"),
        KeyLine(label: "content", value: abc.hex), KeyLine(label: "output", value: "out/a"),
        KeyLine(label: "input", name: "src/l -> ../t", value: "\(abc.hex.prefix(8)) executable", content: abc),
        KeyLine(label: "input", name: "src", value: "folder"),
      ])
  }

  /// Values that run together without their lengths.
  @Test func noTwoSequencesAreTheSame() {
    let sequences: [[(String, String)]] = [
      [("a", "bc")], [("ab", "c")], [("a", "b"), ("c", "")], [("a", ""), ("bc", "")], [("a", "b"), ("", "c")], [],
      [("a", "\u{E9}")], [("a", "e\u{301}")],
    ]
    let digests = sequences.map { sequence in
      var encoder = HashEncoder()
      for (label, value) in sequence { encoder.add(label, value) }
      return encoder.finish()
    }
    #expect(Set(digests).count == sequences.count)
  }

  @Test func theOrderOfVariablesDoesNotCount() {
    func key(_ environment: [(name: String, value: String)]) -> ActionKey {
      ActionKey(
        KeyMaterial(
          tool: [], action: CommandAction(.words(["x"]), environment: environment), programs: [], inputs: [],
          outputs: []))
    }
    #expect(key([("A", "1"), ("B", "2")]) == key([("B", "2"), ("A", "1")]))
    #expect(key([("A", "1"), ("B", "2")]).digest != key([("A", "2"), ("B", "1")]).digest)
  }

  /// What is there twice is told from what is there once.
  @Test func aLineMoreOrLessIsNamed() {
    func line(_ label: String, _ value: String, name: String = "") -> KeyLine {
      KeyLine(label: label, name: name, value: value)
    }
    let (a, b) = (line("word", "a"), line("word", "b"))
    let (one, two) = ([line("word", "make"), a], [line("word", "make"), a, a])
    #expect(KeyChange(from: one, to: two)?.description == "word 'a' is new")
    #expect(KeyChange(from: two, to: one)?.description == "word 'a' is gone")
    #expect(KeyChange(from: two, to: two) == nil)
    let x = line("input", "1", name: "x executable")
    let both = [line("input-group", "1"), x, line("input-group", "2"), x]
    #expect(KeyChange(from: both, to: Array(both.prefix(3)))?.description == "x executable is gone")
    #expect(KeyChange(from: [a, b], to: [b, a])?.description == "the order of what it depends on")
  }
}
