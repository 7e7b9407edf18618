import Findings
import Testing

/// What is said of several apps in one run.
@Suite struct AppReportTests {
  private let shared = Finding("duplicate-symbol", .error, "_f is there twice", at: [Place("One.zip", "lib.a")])
  private let own = Finding("duplicate-symbol", .warning, "_g is there twice", at: [Place("Two.zip", "lib.a")])

  private var reports: [AppReport] {
    [
      AppReport(app: "Rally", Report([shared, own])), AppReport(app: "Scan", Report([shared])),
      AppReport(app: "No\nthing", Report([]), isWhole: false),
    ]
  }

  @Test func whatAppsShareIsOneFindingThatNamesThem() {
    let together = AppReport.together(reports).report
    #expect(together.findings.map(\.message) == [shared.message, own.message])
    #expect(together.findings.map(\.notes) == [["in the apps Rally, Scan"], ["in the app Rally"]])
  }

  @Test func withoutANameAReportStaysAsItIs() {
    let report = Report([shared, shared, own])
    #expect(AppReport.together([AppReport(report)]).report.findings == report.findings)
    #expect(TextRenderer().render([AppReport(report)]) == TextRenderer().render(report))
    #expect(Baseline([AppReport(report)]).text == Baseline(report).text)
  }

  /// What a command has to say besides stands in place of the findings, for each app by itself.
  @Test func valuesStandInPlaceOfFindings() {
    func report(_ app: String?) -> AppReport {
      var report = AppReport(app: app, Report([shared]))
      report.values = [("linkSets", .array([.string(app ?? "none")]))]
      return report
    }
    let one = JSONValue.object([("version", 1), ("linkSets", ["none"])])
    #expect(JSONRenderer().render([report(nil)]) == one.shown)
    let apps: JSONValue = [["app": "A", "linkSets": ["A"]], ["app": "B", "linkSets": ["B"]]]
    let both = JSONValue.object([("version", 1), ("apps", apps)])
    #expect(JSONRenderer().render([report("A"), report("B")]) == both.shown)
    #expect(JSONRenderer().render(reports) == JSONRenderer().render(AppReport.together(reports).report))
  }

  /// Equal but for the app: the order must come from somewhere.
  @Test func theOrderDoesNotDependOnTheOrderOfFindings() {
    let findings = ["b", "a", "c"].map { note in
      var finding = shared
      finding.notes = [note]
      return finding
    }
    #expect(Report(findings).findings.map(\.notes) == [["a"], ["b"], ["c"]])
  }

  /// What leads, leads its level: an error stands before any warning.
  @Test func errorsStandBeforeWarningsWhateverLeads() {
    var (leading, trailing, usual) = (own, own, own)
    (leading.rank, leading.message) = (.leading, "leading")
    (trailing.rank, trailing.message) = (.trailing, "trailing")
    usual.message = "usual"
    let report = Report([trailing, usual, leading, shared])
    #expect(report.findings.map(\.message) == [shared.message, "leading", "usual", "trailing"])
  }

  @Test func theLastLineSaysWhereErrorsAre() {
    let lines = TextRenderer().render(reports).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.suffix(2) == ["3 apps: errors in Rally, Scan; not everything of No\\nthing could be read", ""])
    #expect(lines.contains("No\\nthing:") && lines.contains("no findings, but not everything could be read"))
    let fine = [AppReport(app: "Rally", Report([own]))]
    #expect(TextRenderer().render(fine).hasSuffix("\n1 warning\n\n1 app: no errors\n"))
  }

  @Test func aBaselineKeepsAppsApart() throws {
    let baseline = try Baseline(text: Baseline(reports).text, name: "b")
    func left(_ baseline: Baseline, _ app: String?) -> [Finding] {
      [shared, own].filter { !baseline.accepts($0, of: app) }
    }
    #expect(left(baseline, "Rally").isEmpty)
    #expect(left(baseline, "Scan") == [own])
    #expect(left(baseline, "Other") == [shared, own])
    #expect(left(baseline, nil) == [shared, own])
    // Of a check without apps: it holds for each of them.
    #expect(left(Baseline(Report([shared])), "Other") == [own])
  }

  @Test func nothingInCommonIsNotMeant() {
    #expect(didYouMean("7", among: ["8", "9"]) == nil)
    #expect(didYouMean("ldd", among: ["ld64", "lld"]) == "did you mean 'lld'?")
  }
}
