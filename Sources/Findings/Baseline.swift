/// Findings that are known and accepted: a text file with a line each, `rule`, place and message, tab between them.
/// The outermost part of the place is left out, because it holds the version. Of one app among several its name follows,
/// after a tab: what is accepted there is not accepted elsewhere. A line without a name holds for every app.
package struct Baseline: Sendable {
  private let lines: Set<String>

  package init(_ reports: [AppReport]) {
    lines = Set(reports.flatMap { each in each.report.findings.map { Baseline.line($0, each.app) } })
  }

  package init(_ report: Report) { self.init([AppReport(report)]) }

  package init(text: String) {
    lines = Set(text.split { $0 == "\n" || $0 == "\r\n" }.filter { !$0.hasPrefix("#") }.map(String.init))
  }

  package var text: String { (["# npi-pack baseline 1"] + lines.sorted()).joined(separator: "\n") + "\n" }

  /// What the baseline does not know.
  package func new(in report: Report, of app: String? = nil) -> Report {
    Report(
      report.findings.filter { finding in
        if lines.contains(Baseline.line(finding)) { return false }
        return app.map { !lines.contains(Baseline.line(finding, $0)) } ?? true
      })
  }

  private static func line(_ finding: Finding, _ app: String? = nil) -> String {
    let inside = finding.sites.first.map { $0.parts.dropFirst().joined(separator: " › ") } ?? ""
    let fields = [finding.rule.rawValue, printable(inside), printable(finding.message)]
    return (fields + (app.map { [printable($0)] } ?? [])).joined(separator: "\t")
  }
}
