import Findings
import Testing

/// Each sign that means something is met with an accent on it, and behind a letter that is drawn before what follows
/// (U+0D4E): both make it another `Character`, and the sign stays what it is.
@Suite struct EscapingTests {
  private static func disguised(_ sign: String) -> [String] {
    [sign, sign + "\u{301}", "\u{0D4E}" + sign, "\r\n" + sign]
  }

  private func expect(
    _ escape: (String) -> String, of signs: KeyValuePairs<String, String>, _ location: SourceLocation = #_sourceLocation
  ) {
    for (sign, escaped) in signs {
      for text in Self.disguised(sign) {
        let found = escape(text).unicodeScalars.filter { !"\u{301}\u{0D4E}".unicodeScalars.contains($0) }
        let expected = escape("\r\n") + escaped
        let isPlain = !text.hasPrefix("\r\n")
        #expect(String(String.UnicodeScalarView(found)) == (isPlain ? escaped : expected), sourceLocation: location)
      }
    }
  }

  @Test func `XML and HTML`() {
    expect(
      { escapedMarkup($0, isAttribute: true) },
      of: ["<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"])
    expect({ escapedMarkup($0) }, of: ["<": "&lt;", "&": "&amp;", "\"": "\"", "\n": "\n", "\r": "&#13;"])
  }

  @Test func `Swift`() {
    expect(
      { String(swiftQuoted($0).unicodeScalars.dropFirst().dropLast()) },
      of: ["\"": "\\\"", "\\": "\\\\", "\n": "\\u{a}", "\u{202E}": "\\u{202e}", "'": "'"])
    #expect(swiftQuoted("\\(x)") == "\"\\\\(x)\"")
  }

  @Test func `parts of a URL`() {
    #expect(percentEncoded("a/b-c_d.e~f") == "a/b-c_d.e~f")
    #expect(percentEncoded("1.4+2 %é?#") == "1.4%2B2%20%25%C3%A9%3F%23")
  }

  @Test func `Graphviz and Mermaid`() {
    let inside = { (text: String) in String(text.unicodeScalars.dropFirst().dropLast()) }
    expect({ inside(graphvizQuoted($0)) }, of: ["\"": "\\\"", "\\": "\\\\", "&": "&amp;"])
    expect({ inside(mermaidQuoted($0)) }, of: ["\"": "#34;", "]": "#93;", "`": "#96;", "#": "#35;"])
  }

  @Test func `Markdown`() {
    expect(escapedMarkdown, of: ["<": "\\<", "*": "\\*", "|": "\\|", "[": "\\[", "`": "\\`", "@": "@\u{2060}"])
    #expect(markdownCode("a``\u{301}b") == "``` a``\u{301}b ```")
    #expect(markdownCode("a|\u{301}", inTable: true).utf8.elementsEqual("`a\\|\u{301}`".utf8))
  }

  @Test func `JSON`() {
    let inside = { (text: String) in String(JSONValue.string(text).compact.unicodeScalars.dropFirst().dropLast()) }
    expect(inside, of: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\0": "\\u0000"])
  }

  @Test func `commands of GitHub`() {
    let name = "\u{0D4E}:,\u{301}%\u{301}"
    let text = GitHubRenderer().render(Report([Finding("config-keys", .error, name, at: [Place(name)])]))
    let expected = "::error file=\u{0D4E}%3A%2C\u{301}%25\u{301},title=config-keys::\u{0D4E}:,\u{301}%25\u{301}\n"
    #expect(text.utf8.elementsEqual(expected.utf8))
  }

  @Test(arguments: [0, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] as [UInt32])
  func `what Unicode says is no character is shown by its number`(_ value: UInt32) throws {
    let text = String(try #require(Unicode.Scalar(value)))
    #expect(printable("a\(text)b") == "a\\u{\(String(value, radix: 16))}b")
    #expect(JSONValue.string(text).shown.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `addresses in SARIF`() {
    var context = ReportContext()
    context.folder = "/tree"
    let report = Report([Finding("config-keys", .error, "x", at: [Place("a/../\u{301}b")])])
    #expect(SARIFRenderer(context).render(report).contains("\"uri\": \"%CC%81b\""))
  }

  @Test func `words of a shell`() {
    #expect(ShellText.quoted("a'\u{301}b").utf8.elementsEqual(#"'a'\''\#u{301}b'"#.utf8))
    #expect(ShellText.quoted(path: "-\u{301}x").utf8.elementsEqual("'./-\u{301}x'".utf8))
  }

  @Test func `text is cut by scalars`() {
    #expect(" \u{301}a \n".trimmed.utf8.elementsEqual("\u{301}a".utf8) && "\r\n ".trimmed.isEmpty)
    #expect("a\r\nb\n\nc\rd\u{2028}".lines == ["a", "b", "c", "d\u{2028}"])
    #expect("a \u{301}b\tc".words.map { Array($0.utf8) } == ["a", "\u{301}b", "c"].map { Array($0.utf8) })
    #expect("/a/\u{301}b//".pathParts.map { Array($0.utf8) } == ["a", "\u{301}b"].map { Array($0.utf8) })
    #expect(
      ["/a/\u{301}b//", "c", "//", ""].map { Array($0.lastPathPart.utf8) }
        == ["\u{301}b", "c", "", ""].map { Array($0.utf8) })
    #expect("a.\u{301}b".with("/", for: ".").utf8.elementsEqual("a/\u{301}b".utf8))
  }
}
