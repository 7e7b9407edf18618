import Findings
import Testing

/// A terminal shows the whole of a small report, and of any other the verdict, its causes and the way to the rest.
@Suite struct FirstScreenTests {
  private static func report(findings: Int, causes: Int, plugins: Int, length: Int = 10) -> AppReport {
    let long = String(repeating: "x", count: length)
    let all = (0..<findings).map { number in
      var finding = Finding(
        "duplicate-symbol", number % 2 == 0 ? .error : .warning, "_\(long)\(number) is defined twice",
        at: [Place("A\(number).zip", long), Place("B.zip", long)])
      finding.hint = "leave out one of them \(long)"
      return finding
    }
    var report = AppReport(Report(all))
    report.isCut = true
    report.compared = (0..<plugins).map { ComparedPlugin(name: "P\($0)", version: "1.0", path: "\(long)/P\($0).zip") }
    report.verdict = AppVerdict(
      "this app does not link",
      (0..<causes).map {
        AppVerdict.Cause(.error, "A\($0) and B: \(long)", advice: $0 % 3 == 0 ? nil : "do \($0) \(long)", plugins: [])
      })
    return report
  }

  /// The rows of a terminal, which wraps a line at any column.
  private static func rows(_ text: String, columns: Int) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reduce(0) { rows, line in
      rows + max(1, (line.count + columns - 1) / columns)
    }
  }

  @Test(arguments: [nil, 40, 80, 200])
  func noReportIsHigherThanATerminal(_ columns: Int?) {
    var context = ReportContext()
    context.columns = columns
    for findings in [0, 1, 3, 4, 7, 40, 3000] {
      for (causes, plugins) in [(0, 2), (1, 2), (12, 60), (300, 300)] {
        for length in [3, 60, 130] {
          let report = Self.report(findings: findings, causes: causes, plugins: plugins, length: length)
          let text = TextRenderer(context).render([report])
          let rows = Self.rows(text, columns: columns ?? .max / 2)
          // A note may stand before it, and the prompt comes after it.
          #expect(rows <= 22, "\(findings) findings, \(causes) causes, \(plugins) plugins, \(length):\n\(text)")
        }
      }
    }
  }

  @Test func aSmallReportIsShownWhole() {
    let report = Self.report(findings: 2, causes: 1, plugins: 2)
    let text = TextRenderer(ReportContext()).render([report])
    for finding in report.report.findings { #expect(text.contains(finding.message)) }
    #expect(!text.contains("this app does not link"))
  }

  @Test func aLargeOneSaysTheVerdictTheCausesAndTheWayToTheRest() {
    let text = TextRenderer(ReportContext()).render([Self.report(findings: 90, causes: 30, plugins: 12)])
    let lines = text.split(separator: "\n")
    #expect(lines[0] == "this app does not link: 30 causes")
    #expect(lines[1] == "  error: A0 and B: xxxxxxxxxx")
    #expect(text.contains("more causes\n") && text.contains("\nand 90 more findings: -v shows all, "))
    #expect(text.contains("12 plugins compared by ") && text.hasSuffix("\n45 errors, 45 warnings\n"))
  }

  /// Advice that several causes share stands once, and no cause is without it.
  @Test func adviceThatCausesShareIsThereOnce() {
    var report = Self.report(findings: 30, causes: 0, plugins: 2)
    report.verdict = AppVerdict(
      "this app does not link",
      ["one", "two", "three"].map { AppVerdict.Cause(.error, $0, advice: $0 == "three" ? "b" : "a", plugins: []) })
    let text = TextRenderer(ReportContext()).render([report])
    #expect(text.contains("  error: one\n  error: two\n    -> a\n  error: three\n    -> b\n"))
  }
}
