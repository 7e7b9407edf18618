/// A report as JSON: `{"version": 1, "findings": [{"rule", "level", "message", "sites", "notes", "hint"}]}`; a site is
/// `{"path": [outermost, …], "line"?, "column"?}`.
package struct JSONRenderer: Sendable {
  package init() {}

  package func render(_ report: Report) -> String {
    let value: JSONValue = ["version": 1, "findings": .array(report.findings.map(finding))]
    return value.shown
  }

  private func finding(_ finding: Finding) -> JSONValue {
    [
      "rule": .string(finding.rule.rawValue), "level": .string(finding.level.rawValue),
      "message": .string(finding.message), "sites": .array(finding.sites.map(site)),
      "notes": .array(finding.notes.map(JSONValue.string)), "hint": finding.hint.map(JSONValue.string) ?? .null,
    ]
  }

  private func site(_ place: Place) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [("path", .array(place.parts.map(JSONValue.string)))]
    if let position = place.position {
      members += [("line", .int(position.line)), ("column", .int(position.column))]
    }
    return .object(members)
  }
}
