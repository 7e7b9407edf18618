/// A report as JUnit XML, which every CI shows: a test case a finding, an error is a failure, the rest is passed with its
/// text as output. A report without findings has one passed case, because CI takes an empty file for a crash.
package struct JUnitRenderer: Renderer {
  package let name = "junit"
  package init() {}

  package func render(_ report: Report) -> String {
    let count = max(1, report.findings.count)
    let cases = report.findings.isEmpty ? ["    <testcase name=\"all rules\"/>\n"] : report.findings.map(testCase)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="npi-pack" tests="\(count)" failures="\(report.count(.error))">
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  private func testCase(_ finding: Finding) -> String {
    let site = finding.sites.first?.description ?? ""
    let text = ([finding.message] + finding.sites.map { "in \($0)" } + finding.notes + [finding.hint ?? ""])
      .filter { !$0.isEmpty }.map(escapedMarkup).joined(separator: "\n")
    let body =
      finding.level == .error
      ? "<failure message=\"\(escapedMarkup(finding.message))\">\(text)</failure>"
      : "<system-out>\(finding.level.rawValue): \(text)</system-out>"
    let name = escapedMarkup(site.isEmpty ? finding.message : site)
    return "    <testcase classname=\"\(finding.rule.rawValue)\" name=\"\(name)\">\(body)</testcase>\n"
  }
}
