/// Findings that are known and accepted: a text file with a line each, as `FindingIdentity` spells it. Of one app among
/// several its name follows, after a tab: what is accepted there is not accepted elsewhere. A line without a name holds for
/// every app.
package struct Baseline: Sendable {
  private let lines: Set<String>

  package init(_ reports: [AppReport]) {
    lines = Set(
      reports.flatMap { each in
        each.report.findings.flatMap { $0.identities.map { Baseline.line($0, each.app) } }
      })
  }

  package init(_ report: Report) { self.init([AppReport(report)]) }

  /// - Parameter name: the file's, for mistakes. One that is no baseline would accept nothing, and nobody would know.
  package init(text: String, name: String) throws(Mistakes) {
    let rows = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    guard rows.first.map(String.init) == Baseline.head else {
      if rows.first == "# npi-pack baseline 1" {
        throw Mistakes(
          "this baseline is of an older npi-pack, which accepted findings by their wording and version",
          at: Place(name), hint: "write it again with --write-baseline")
      }
      throw Mistakes(
        "this is no baseline: the first line of one is '\(Baseline.head)'", at: Place(name),
        hint: "--write-baseline FILE writes one")
    }
    for (index, row) in rows.enumerated() where !row.isEmpty && !row.hasPrefix("#") {
      guard (4...5).contains(row.count(where: { $0 == "\t" })) else {
        let position = TextPosition(line: index + 1, column: 1, length: row.count, text: String(row))
        throw Mistakes(
          "this is no line of a baseline: rule, plugin, place, name and platform, with tabs between them",
          at: Place(name, position: position))
      }
    }
    lines = Set(rows.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map(String.init))
  }

  private static let head = "# npi-pack baseline 2"

  package var text: String { ([Baseline.head] + lines.sorted()).joined(separator: "\n") + "\n" }

  package var count: Int { lines.count }

  /// Whether it knows all that a finding speaks of.
  package func accepts(_ finding: Finding, of app: String? = nil) -> Bool { accepts(finding.identities, of: app) }

  package func accepts(_ identities: [FindingIdentity], of app: String? = nil) -> Bool {
    identities.allSatisfy { identity in
      var fatal = identity
      fatal.isFatal = true
      return [identity, fatal].contains { known in
        lines.contains(Baseline.line(known)) || app.map { lines.contains(Baseline.line(known, $0)) } ?? false
      }
    }
  }

  private static func line(_ identity: FindingIdentity, _ app: String? = nil) -> String {
    identity.line + (app.map { "\t" + printable($0) } ?? "")
  }
}
