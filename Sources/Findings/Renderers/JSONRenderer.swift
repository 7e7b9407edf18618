/// A report as JSON: `{"version": 1, "findings": [{"rule", "level", "message", "sites", "notes", "hint"}]}`; a site is
/// `{"path": [outermost, …], "line"?, "column"?}`. A command that has more to say gives the members itself, instead of
/// `findings`; of several apps they are in a list, `{"version": 1, "apps": [{"app", …}]}`. If something could not be read,
/// there is `"unread": [{"message", "site", "notes", "hint"}]`, too.
package struct JSONRenderer: Renderer {
  package let name = "json"
  package let detail = AppReport.Detail.values

  private let context: ReportContext

  package init(_ context: ReportContext = ReportContext()) { self.context = context }

  package func render(_ reports: [AppReport]) -> String {
    let values = reports.compactMap { report in report.values.map { (report.app, $0) } }
    guard let first = values.first else { return render(AppReport.together(reports)) }
    let members: [(key: String, value: JSONValue)] =
      first.0 == nil
      ? first.1 : [("apps", .array(values.map { app, values in .object([("app", .string(app ?? ""))] + values) }))]
    return whole(members)
  }

  package func render(_ report: Report) -> String {
    whole([("findings", .array(report.findings.map(finding)))])
  }

  private func whole(_ members: [(key: String, value: JSONValue)]) -> String {
    let unread = context.mistakes.map { mistake -> JSONValue in
      [
        "message": .string(mistake.message), "site": mistake.place.map(site) ?? .null,
        "notes": .array(mistake.notes.map(JSONValue.string)), "hint": mistake.hint.map(JSONValue.string) ?? .null,
      ]
    }
    let last: [(key: String, value: JSONValue)] = unread.isEmpty ? [] : [("unread", .array(unread))]
    return JSONValue.object([("version", 1)] + members + last).shown
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
