/// A report as Markdown, for a comment on a pull request or the summary of a job. A long one is cut as on a terminal,
/// because the size of comments is limited.
package struct MarkdownRenderer: Renderer {
  package static let name = "markdown"
  package let detail = AppReport.Detail.short
  private let context: ReportContext

  package init(_ context: ReportContext = ReportContext()) { self.context = context }

  package static func isReport(head: String, tail: String) -> Bool {
    let first = head.lines.first ?? ""
    return ["## npi-pack: ", "- **error** "].contains(where: head.hasPrefix)
      || first.hasPrefix("## ") && first.split(separator: ": ").last.map(Report.isSummary) ?? false
  }

  package func render(_ reports: [AppReport]) -> String {
    let unread = context.mistakes.map { "- **error** \(escapedMarkdown($0.line))" }.joined(separator: "\n")
    return (unread.isEmpty ? "" : unread + "\n\n")
      + reports.map { each in
        let head =
          each.app.map { "## \(escapedMarkdown($0)): \(each.report.summary)" } ?? "## npi-pack: \(each.report.summary)"
        let (all, most) = (each.report.findings, each.isCut ? Self.maxItems : .max)
        var parts = [head + (each.isWhole ? "" : ", but not everything could be read")]
        if let verdict = each.verdict, all.count > 3, !verdict.causes.isEmpty { parts.append(list(verdict)) }
        if let picture = each.picture { parts.append("```mermaid\n\(picture.mermaid)```") }
        parts += all.prefix(most).map(item)
        if all.count > most { parts.append("… and \(all.count - most) more findings") }
        parts += compared(ComparedTable(each, context, most: most))
        return parts.joined(separator: "\n\n") + "\n"
      }.joined(separator: "\n")
  }

  /// About two screens.
  private static let maxItems = 14

  private func list(_ verdict: AppVerdict) -> String {
    let lines = verdict.lines(most: Self.maxItems).map { line in
      switch line {
      case .cause(let level, let text): "- **\(level.rawValue)** \(escapedMarkdown(text))"
      case .advice(let text): "  - *hint:* \(escapedMarkdown(text))"
      case .edit(let edit): "  - *\(edit.instruction):* \(markdownCode(edit.text))"
      case .more(let count): "- and \(counted(count, "more cause"))"
      }
    }
    return "\(escapedMarkdown(verdict.headline))\n\n" + lines.joined(separator: "\n")
  }

  private func compared(_ table: ComparedTable) -> [String] {
    func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    let head = [row(ComparedTable.columns), row(ComparedTable.columns.map { _ in "---" })]
    let rows = table.rows.map { row($0.map(escapedMarkdown)) }
    return [table.heading].compactMap(\.self).map(escapedMarkdown)
      + (rows.isEmpty ? [] : [(head + rows).joined(separator: "\n")]) + table.more + table.coverage.map(escapedMarkdown)
  }

  private func item(_ finding: Finding) -> String {
    var lines = ["- **\(finding.level.rawValue)** `\(finding.rule)`: \(escapedMarkdown(finding.message))"]
    lines += finding.sites.map { "  - in \(markdownCode($0.description))" }
    lines += finding.notes.map { "  - \(escapedMarkdown($0))" }
    if let hint = finding.hint { lines.append("  - *hint:* \(escapedMarkdown(hint))") }
    if let edit = finding.shownEdit { lines.append("  - *\(edit.instruction):* \(markdownCode(edit.text))") }
    return lines.joined(separator: "\n")
  }
}
