/// A report as JSON: `{"version": 1, "findings": [{"rule", "level", "message", "sites", "notes", "hint"}]}`; a site is
/// `{"path": [outermost, …], "line"?, "column"?}`. A command that has more to say gives the members itself, instead of
/// `findings`; of several apps they are in a list, `{"version": 1, "apps": [{"app", …}]}`.
package struct JSONRenderer: Renderer {
  package let name = "json"
  package let detail = AppReport.Detail.values

  package init() {}

  package func render(_ reports: [AppReport]) -> String {
    let values = reports.compactMap { report in report.values.map { (report.app, $0) } }
    guard let first = values.first else { return render(AppReport.together(reports)) }
    let members: [(key: String, value: JSONValue)] =
      first.0 == nil
      ? first.1 : [("apps", .array(values.map { app, values in .object([("app", .string(app ?? ""))] + values) }))]
    return JSONValue.object([("version", 1)] + members).shown
  }

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
