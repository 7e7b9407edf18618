/// A report as JUnit XML, which every CI shows: each finding is a test case. An error is a failure; other findings
/// pass, with their text as output; an unreadable file is an error of the run. A report without findings has one passed
/// case, because CI takes an empty file for a crash. Every case has a name of its own, because CI shows only one of
/// several with the same name.
package struct JUnitRenderer: Renderer {
  package static let name = "junit"
  private let context: ReportContext

  package init(_ context: ReportContext = ReportContext()) { self.context = context }

  package static func isReport(head: String, tail: String) -> Bool {
    head.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
  }

  package func render(_ reports: [AppReport]) -> String {
    let whole = AppReport.together(reports)
    let report = whole.report
    let unread = context.mistakes.enumerated().map { number, mistake in
      let text = shownMarkup(mistake.line)
      return
        "    <testcase classname=\"npi-pack\" name=\"mistake \(number + 1)\"><error message=\"\(text)\">\(text)</error></testcase>\n"
    }
    var cases = unread + testCases(report.findings)
    if cases.isEmpty { cases = ["    <testcase name=\"all rules\"/>\n"] }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="npi-pack" tests="\(cases.count)" failures="\(report.count(.error))" errors="\(unread.count)"\(timestamp)>
      \(properties(ComparedTable(whole, context)))\(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  /// In UTC, which JUnit assumes: the time zone is cut off.
  private var timestamp: String { context.date.map { " timestamp=\"\($0.prefix(19))\"" } ?? "" }

  private func properties(_ table: ComparedTable) -> String {
    if table.isEmpty { return "" }
    let plugins = table.rows.enumerated().map { ("plugin \($0 + 1)", ComparedTable.line($1)) }
    let all =
      [table.heading].compactMap(\.self).map { ("tool", $0) } + plugins
      + table.coverage.enumerated().map { ("coverage \($0 + 1)", $1) }
    let lines = all.map { "      <property name=\"\($0)\" value=\"\(shownMarkup($1))\"/>\n" }
    return "    <properties>\n\(lines.joined())    </properties>\n"
  }

  private func testCases(_ findings: [Finding]) -> [String] {
    func short(_ finding: Finding) -> String { finding.sites.first?.description ?? finding.message }
    func whole(_ finding: Finding) -> String { "\(short(finding)): \(finding.message)" }
    func key(_ finding: Finding, _ name: String) -> String { "\(finding.rule)\0\(name)" }
    var counts: [String: Int] = [:]
    for finding in findings { counts[key(finding, short(finding)), default: 0] += 1 }
    var taken: [String: Int] = [:]
    return findings.map { finding in
      let name = counts[key(finding, short(finding))] == 1 ? short(finding) : whole(finding)
      let number = taken[key(finding, name), default: 0] + 1
      taken[key(finding, name)] = number
      return testCase(finding, number == 1 ? name : "\(name) (\(number))")
    }
  }

  private func testCase(_ finding: Finding, _ name: String) -> String {
    let text =
      ([finding.message] + finding.sites.map { "in \($0)" } + finding.notes
      + [finding.hint, finding.shownEdit?.line].compactMap(\.self))
      .map(shownMarkup).joined(separator: "\n")
    let body =
      finding.level == .error
      ? "<failure message=\"\(shownMarkup(finding.message))\">\(text)</failure>"
      : "<system-out>\(finding.level.rawValue): \(text)</system-out>"
    return "    <testcase classname=\"\(finding.rule.rawValue)\" name=\"\(shownMarkup(name))\">\(body)</testcase>\n"
  }
}
