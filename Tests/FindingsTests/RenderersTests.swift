import Findings
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct RenderersTests {
  let report = Report([
    Finding(
      "unprefixed-class", .warning, "the class <Main> is \"unprefixed\"", at: [Place("a b.zip", "lib.a(arm64)")],
      hint: "rename & rebuild"),
    Finding(
      "config-keys", .error, "no key", at: [Place("npi.yml", position: TextPosition(line: 3, column: 2, text: "x: y"))],
      notes: ["a\u{1B}[2J note"]),
  ])

  @Test func worstComesFirst() {
    #expect(report.findings.map(\.rule) == ["config-keys", "unprefixed-class"])
    #expect(report.summary == "1 error, 1 warning")
  }

  /// `--format` reads the list; text, the first, is the usual one and the one of two that are cut.
  @Test func everyFormatHasAName() {
    var context = ReportContext()
    (context.color, context.version) = (true, "1")
    #expect(Renderers.all.map { $0.name } == ["text", "json", "sarif", "github", "junit", "html", "markdown"])
    let all = Renderers.all.map { $0.init(context) }
    #expect(all.map { $0.detail == .short } == [true, false, false, false, false, false, true])
    #expect(all[0].render(report).contains("\u{1B}[1;31merror") && all[2].render(report).contains("\"version\": \"1\""))
  }

  @Test func textEscapesControlCharactersAndHasNoEscapeWithoutColour() {
    let text = TextRenderer().render(report)
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("\\u{1b}[2J note"))
    #expect(TextRenderer(color: true).render(report).contains("\u{1B}[1;31merror[config-keys]"))
  }

  @Test func caretStandsUnderTheWordEvenBehindTabs() {
    let position = TextPosition(line: 12, column: 3, length: 5, text: "\t\titmes: [a]")
    let text = TextRenderer().render(Mistake("unknown key 'itmes'", at: Place("npi.yml", position: position)))
    #expect(text == "npi.yml:12:3: error: unknown key 'itmes'\n  12 | \t\titmes: [a]\n     | \t\t^^^^^\n")
  }

  @Test func jsonIsReadByFoundation() throws {
    let data = Data(JSONRenderer().render(report).utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(findings.map { $0["rule"] as? String } == ["config-keys", "unprefixed-class"])
    #expect(findings[1]["message"] as? String == "the class <Main> is \"unprefixed\"")
  }

  @Test func canonicalJSONReadsBackAsWhatWentIn() throws {
    let text = "quote \" backslash \\ slash / newline \n nul \u{0} é e\u{301} 😀 \u{2028}"
    let data = Data(JSONValue.array([.string(text), .int(-5), .bool(true), .null, [:], []]).pretty.utf8)
    let back = try #require(try JSONSerialization.jsonObject(with: data) as? [Any])
    #expect((back[0] as? String).map { Array($0.utf8) } == Array(text.utf8))
    #expect(back[1] as? Int == -5)
  }

  @Test func sarifHasRulesResultsAndEscapedURIs() throws {
    let text = SARIFRenderer(ReportContext()).render(report)
    let data = Data(text.utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let run = try #require((object["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [[String: Any]])?.count == 2)
    #expect(text.contains("\"uri\": \"a%20b.zip\""))
  }

  @Test func junitIsXML() throws {
    final class Counter: NSObject, XMLParserDelegate {
      var cases = 0
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
      ) { if name == "testcase" { cases += 1 } }
    }
    for (report, count) in [(report, 2), (Report([]), 1)] {
      let counter = Counter()
      let parser = XMLParser(data: Data(JUnitRenderer().render(report).utf8))
      parser.delegate = counter
      #expect(parser.parse())
      #expect(counter.cases == count)
    }
  }

  @Test func githubAnnotationsEscapeWhatEndsThem() {
    let finding = Finding("odr-violation", .note, "a:b,c%\nd", at: [Place("x:y,z.a")])
    #expect(
      GitHubRenderer().render(Report([finding])) == "::notice file=x%3Ay%2Cz.a,title=odr-violation::a:b,c%25\\nd\n")
  }

  @Test func htmlEscapes() {
    #expect(HTMLRenderer().render(report).contains("the class &lt;Main&gt; is &quot;unprefixed&quot;"))
  }

  @Test(arguments: [
    ("plain ä 一 😀 ❤️ a:b # [x]", "plain ä 一 😀 ❤️ a:b # [x]"), ("a\u{1B}[2J", "a\\u{1b}[2J"),
    ("a\nb\rc\td", "a\\nb\\rc\\td"),
    ("\u{7F}\u{9B}\u{0}", "\\u{7f}\\u{9b}\\u{0}"), ("a\u{202E}b\u{2066}", "a\\u{202e}b\\u{2066}"),
    ("\u{200B}\u{FEFF}\u{2028}\u{2029}\u{AD}", "\\u{200b}\\u{feff}\\u{2028}\\u{2029}\\u{ad}"),
    ("👩‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍⚕️", "👩‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍⚕️"), ("a\u{200D}b\u{200D}", "a\\u{200d}b\\u{200d}"), ("\u{3164}\u{E0041}", "\\u{3164}\\u{e0041}"),
    ("::error::x", ":\\u{3a}error::x"), ("  ::x", "  :\\u{3a}x"),
    ("a::b", "a::b"),
    ("a ##[error]b", "a ##\\u{5b}error]b"), ("##vso[x]", "##vso\\u{5b}x]"), ("###[x", "###\\u{5b}x"),
    ("#[x] # [", "#[x] # ["),
    ("\u{200B}::x", "\\u{200b}::x"), ("\r\n::x", "\\r\\n::x"),
  ])
  func textOfOthersIsText(_ text: String, _ expected: String) {
    #expect(Array(printable(text).utf8) == Array(expected.utf8))
    #expect(printable(expected) == expected)
  }

  @Test func jsonForALogIsTheSameValue() throws {
    let text = "a\u{1B}\u{9B}\u{202E}\u{2028}\u{E0041} ##[error] ### [ é 😀\n"
    let value: JSONValue = ["##[k\u{85}": .array([.string(text)])]
    for shown in [value.shown, value.shownInOneLine] {
      #expect(shown.split(separator: "\n").allSatisfy { printable(String($0)) == $0 }, "\(shown)")
      let back = try #require(try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: [String]])
      #expect(back["##[k\u{85}"]?.first.map { Array($0.utf8) } == Array(text.utf8))
    }
    #expect(value.pretty != value.shown)
  }

  @Test func baselineThatIsNone() throws {
    let head = "# npi-pack baseline 2\n"
    for text in ["", "config-keys\t\tx\n", "{}", "# npi-pack baseline 1\n", head + "one\ttab\n"] {
      #expect(throws: Mistakes.self) { try Baseline(text: text, name: "b") }
    }
    _ = try Baseline(text: head + "# a remark\n\nconfig-keys\tlib\t\tkey\t\n", name: "b")
  }

  /// A sign with an accent on it is one `Character`, and still the sign.
  @Test func markupIsEscapedWhateverFollowsIt() {
    let report = Report([
      Finding("config-keys", .error, "<\u{301}b>&\u{301} %\u{301}", at: [Place("a:\u{301}b,\u{301}c\u{FFFF}")])
    ])
    let html = HTMLRenderer().render(report)
    #expect(html.contains("&lt;\u{301}b&gt;&amp;\u{301}"))
    #expect(JUnitRenderer().render(report).contains("&lt;\u{301}b&gt;&amp;\u{301}"))
    #expect(!JUnitRenderer().render(report).unicodeScalars.contains("\u{FFFF}"))
    let line = GitHubRenderer().render(report)
    #expect(line.contains("%25\u{301}") && line.contains("file=a%3A\u{301}b%2C\u{301}c"))
  }
}
