import Lanes
import Documents
import TestSupport
import Testing

/// What is written as YAML, read again by our own reader and by PyYAML.
@Suite struct YAMLEmitterTests {
  private static let words = [
    "a", "a b", "1.10", "1e5", "0x10", "1.4.0", "1.4.0-rc.1", "null", "~", "", "yes", "No", ".5", ".inf", "- a", "a: b",
    "a #b", "#",
    "'", "\"", "\\", "*a", "&a", "!a", "|", ">", "%", "@", "`", "{", "[a]", "<<", "---", "...", "\n", "a\nb\n", "\r\n",
    "\t", "\u{85}",
    "\u{2028}", "\u{2029}", "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{202E}a", "\u{200B}", "\u{FEFF}", "\u{FFFE}",
    "\u{0D4E}\"", "\"\u{301}",
    "\u{0D4E}'", "\u{E9}", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}", "**/*.{h,m}", "$(SRCROOT)/build",
    String(repeating: "long ", count: 400),
  ]

  @Test(.tools) func everyTextIsReadAgain() async throws {
    let scratch = Scratch()
    let value = YAMLValue.map([
      .init("texts", .texts(Self.words)), .init("keys", .map(Self.words.map { .init($0, .text($0)) })),
      .init("deep", .list([.map([.init("a", .list([])), .init("b", .map([]))])])),
    ])
    let text = try YAMLEmitter.text([.init([], nil), .init(["a\rb\u{2028}c\u{202E}"], .init("top", value))])
    let node = try #require(YAMLValue(try YAMLText.parse(Array(text.utf8), name: "t")))
    #expect(node.isSame(as: .map([.init("top", value)])))
    try scratch.write("t.yml", text)
    let script =
      "import json,sys,yaml; d = yaml.load(open('t.yml', newline='', encoding='utf-8'), yaml.BaseLoader)['top']; print(json.dumps([d['texts'], list(d['keys'])]))"
    let out = try await Tool.check(["python3", "-c", script], in: scratch.path)
    let read = try JSONText.parse(Array(out.utf8), name: "json")
    for list in read.list ?? [] {
      let texts = list.list?.compactMap(\.text) ?? []
      #expect(texts.count == Self.words.count && zip(texts, Self.words).allSatisfy { sameBytes($0, $1) })
    }
  }

  /// PyYAML's other loader gives words and numbers their types: each must stay a text.
  @Test(.tools) func noTextIsAnotherType() async throws {
    let scratch = Scratch()
    try scratch.write("t.yml", try YAMLEmitter.text(.texts(Self.words)))
    let script =
      "import yaml; print(all(type(x) is str for x in yaml.safe_load(open('t.yml', newline='', encoding='utf-8'))))"
    #expect(try await Tool.check(["python3", "-c", script], in: scratch.path) == "True\n")
  }

  @Test func commentsEndWithNoLine() {
    let text = YAMLEmitter.comment("a\r\nb\u{85}c\u{2028}d\u{2029}e\u{0}\u{202E}")
    #expect(text == "# a\n#\n# b\n# c\n# d\n# e\\u{0}\\u{202e}\n")
  }
}
