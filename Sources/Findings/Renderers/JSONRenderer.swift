/// A report as JSON: `{"version": 1, "findings": [{"rule", "level", "message", "sites", "notes", "hint", "edit"?}]}`; a
/// site is `{"path": [outermost, …], "line"?, "column"?}`. A command with more to report gives other members instead of
/// `findings`; for several apps they are in a list, `{"version": 1, "apps": [{"app", …}]}`. If something could not be
/// read, there is also `"unread": [{"message", "site", "notes", "hint"}]`. The compared plugins are in `"compared":
/// [{"name", "version", "path", "slices", "code", "unread"}]`, `"coverage": {OWNER: {"judged": [NAME], "missing":
/// [{"name", "reason"}]}}`, `"linker"` and `"tool": {"name", "version"}`.
package struct JSONRenderer: Renderer {
  package static let name = "json"
  package let detail = AppReport.Detail.values

  private let context: ReportContext

  package init(_ context: ReportContext = ReportContext()) { self.context = context }

  package static func isReport(head: String, tail: String) -> Bool { head.hasPrefix("{\n  \"version\": 1,\n") }

  package func render(_ reports: [AppReport]) -> String {
    let values = reports.filter { $0.values != nil }.map { ($0.app, ($0.values ?? []) + compared($0)) }
    let whole = AppReport.together(reports)
    let members: [(key: String, value: JSONValue)] =
      switch values.first {
      case nil: [("findings", .array(whole.report.findings.map(finding)))] + compared(whole)
      case (nil, let members)?: members
      default: [("apps", .array(values.map { app, members in .object([("app", .string(app ?? ""))] + members) }))]
      }
    let isCompared = reports.contains { !compared($0).isEmpty }
    let tool: JSONValue = ["name": "npi-pack", "version": .string(context.version)]
    return text(members + (isCompared ? [("tool", tool)] : []))
  }

  /// The members on compared plugins, coverage and linker.
  private func compared(_ report: AppReport) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    if !report.compared.isEmpty { members.append(("compared", .array(report.compared.map(\.json)))) }
    if !report.coverage.parts.isEmpty { members.append(("coverage", report.coverage.json)) }
    if let linker = report.linker { members.append(("linker", .string(linker))) }
    return members
  }

  private func text(_ members: [(key: String, value: JSONValue)]) -> String {
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
    let members: [(key: String, value: JSONValue)] = [
      ("rule", .string(finding.rule.rawValue)), ("level", .string(finding.level.rawValue)),
      ("message", .string(finding.message)), ("sites", .array(finding.sites.map(site))),
      ("notes", .array(finding.notes.map(JSONValue.string))), ("hint", finding.hint.map(JSONValue.string) ?? .null),
    ]
    return .object(members + (finding.edit.map { [("edit", $0.json)] } ?? []))
  }

  private func site(_ place: Place) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [("path", .array(place.parts.map(JSONValue.string)))]
    if let position = place.position {
      members += [("line", .int(position.line)), ("column", .int(position.column))]
    }
    return .object(members)
  }
}
