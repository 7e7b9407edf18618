/// Findings that are known and accepted: a text file with a line each, `rule`, place and message, tab between them.
/// The outermost part of the place is left out, because it holds the version. Of one app among several its name follows,
/// after a tab: what is accepted there is not accepted elsewhere. A line without a name holds for every app.
package struct Baseline: Sendable {
  private let lines: Set<String>

  package init(_ reports: [AppReport]) {
    lines = Set(reports.flatMap { each in each.report.findings.map { Baseline.line($0, each.app) } })
  }

  package init(_ report: Report) { self.init([AppReport(report)]) }

  /// - Parameter name: the file's, for mistakes. One that is no baseline would accept nothing, and nobody would know.
  package init(text: String, name: String) throws(Mistakes) {
    let rows = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    guard rows.first.map(String.init) == Baseline.head else {
      throw Mistakes(
        "this is no baseline: the first line of one is '\(Baseline.head)'", at: Place(name),
        hint: "--write-baseline FILE writes one")
    }
    for (index, row) in rows.enumerated() where !row.isEmpty && !row.hasPrefix("#") {
      guard row.count(where: { $0 == "\t" }) >= 2 else {
        let position = TextPosition(line: index + 1, column: 1, length: row.count, text: String(row))
        throw Mistakes(
          "this is no line of a baseline: rule, place and message, with tabs between them",
          at: Place(name, position: position))
      }
    }
    lines = Set(rows.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map(String.init))
  }

  private static let head = "# npi-pack baseline 1"

  package var text: String { ([Baseline.head] + lines.sorted()).joined(separator: "\n") + "\n" }

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
