/// Findings that are known and accepted: a text file with a line each, `rule`, place and message, tab between them.
/// The outermost part of the place is left out, because it holds the version.
package struct Baseline: Sendable {
  private let lines: Set<String>

  package init(_ report: Report) { lines = Set(report.findings.map(Baseline.line)) }

  package init(text: String) {
    lines = Set(text.split { $0 == "\n" || $0 == "\r\n" }.filter { !$0.hasPrefix("#") }.map(String.init))
  }

  package var text: String { (["# npi-pack baseline 1"] + lines.sorted()).joined(separator: "\n") + "\n" }

  /// What the baseline does not know.
  package func new(in report: Report) -> Report {
    Report(report.findings.filter { !lines.contains(Baseline.line($0)) })
  }

  private static func line(_ finding: Finding) -> String {
    let inside = finding.sites.first.map { $0.parts.dropFirst().joined(separator: " › ") } ?? ""
    return [finding.rule.rawValue, printable(inside), printable(finding.message)].joined(separator: "\t")
  }
}
