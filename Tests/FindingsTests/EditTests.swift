import Testing

@testable import Findings

/// The line that ends a finding is pasted into files and shells, so no name of others may mean anything there.
@Suite struct EditTests {
  @Test func namesThatArePlainMakeALine() throws {
    let name = "libs/lib_a-b+c.9.a"
    let edit = try #require(Edit(.shell, "rm -r \(name)"))
    #expect(edit.text == "rm -r libs/lib_a-b+c.9.a")
    #expect(edit.instruction == "run")
    let flags = ["a", "b"].map { "-D\($0)=X\($0)" as Edit.Line }
    #expect(
      Edit(.xcconfig, "OTHER_CFLAGS = $(inherited) \(flags)")?.text == "OTHER_CFLAGS = $(inherited) -Da=Xa -Db=Xb")
    #expect(Edit(.gradle, "x")?.instruction == "paste into build.gradle.kts")
  }

  @Test(arguments: [
    "", "-rf", "a b", "a;b", "$(id)", "`id`", "a\nb", "a\u{301}", "a:b", "a#b", "\"", "'", "a&b", "<b>", "a{b", "a,b",
    "*",
    "~", "!a", "_OBJC_CLASS_$_A", "\u{202E}a", "a\u{0}", String(repeating: "a", count: 301),
  ])
  func anyOtherNameMakesNone(_ name: String) {
    #expect(Edit(.shell, "rm -r \(name)") == nil)
    #expect(Edit(.manifest, "items: [\(["a" as Edit.Line, "\(name)"], separator: ", ")]") == nil)
  }

  private static func finding(_ hint: String) -> Finding {
    Finding("a-rule", .error, "it is wrong", at: [], hint: hint, edit: Edit(.manifest, "rules: { a-rule: off }"))
  }

  @Test func reportsShowIt() throws {
    let reports = [AppReport(Report([Self.finding("mend it")]))]
    #expect(
      TextRenderer().render(reports).hasPrefix(
        "error[a-rule]: it is wrong\n  hint: mend it\n  paste into npi.yml: rules: { a-rule: off }\n"))
    #expect(
      MarkdownRenderer().render(reports).contains("\n  - *paste into npi.yml:* `rules: { a-rule: off }`\n"))
    #expect(HTMLRenderer().render(reports).contains("<pre class=\"edit\">rules: { a-rule: off }</pre>"))
    for text in [GitHubRenderer(ReportContext()).render(reports), SARIFRenderer(ReportContext()).render(reports)] {
      #expect(text.contains("paste into npi.yml: rules: { a-rule: off }"))
    }
    let json = JSONRenderer().render(reports)
    #expect(json.contains("\"file\": \"npi.yml\"") && json.contains("\"text\": \"rules: { a-rule: off }\""))
    // A hint may have it already.
    #expect(!TextRenderer().render(Self.finding("rules: { a-rule: off } ends it")).contains("paste"))
  }

  /// Causes have it if all of them fit, so that no cause and no advice gives way to it.
  @Test func causesHaveItIfThereIsRoom() {
    let edit = Edit(.shell, "x")
    let causes = ["a", "b"].map { AppVerdict.Cause(.error, $0, advice: "do \($0)", edit: edit, plugins: []) }
    let verdict = AppVerdict("this app does not link", causes)
    #expect(verdict.lines(most: 6).count == 6)
    #expect(
      verdict.lines(most: 5) == [.cause(.error, "a"), .advice("do a"), .cause(.error, "b"), .advice("do b")])
  }
}
