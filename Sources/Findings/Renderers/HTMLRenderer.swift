/// A report as one self-contained HTML page: no script, no other file.
package struct HTMLRenderer: Renderer {
  package static let name = "html"
  private let context: ReportContext

  package init(_ context: ReportContext = ReportContext()) { self.context = context }

  package static func isReport(head: String, tail: String) -> Bool { head.hasPrefix("<!doctype html>\n") }

  package func render(_ reports: [AppReport]) -> String {
    let whole = AppReport.together(reports)
    let (report, table) = (whole.report, ComparedTable(whole, context))
    let pictures = reports.compactMap { each in each.picture.map { (each.app, $0) } }
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>npi-pack: \(report.summary)</title>
      <style>
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
        article { border-left: 4px solid; margin: 1rem 0; padding: .1rem 1rem }
        .error { border-color: #c22 } .warning { border-color: #c80 } .note { border-color: #28c }
        code { font-size: 90% }\(table.rows.isEmpty ? "" : Self.tableStyle)\(pictures.isEmpty ? "" : "\n  " + MessagePicture.style)
      </style>
      <h1>\(report.summary)</h1>\(unread)
      \(report.findings.map(article).joined(separator: "\n"))\(pictures.map(figure).joined())\(compared(table))
      </html>

      """
  }

  private var unread: String {
    context.mistakes.map {
      "\n<article class=\"error\"><p><strong>error</strong> \(shownMarkup($0.line))</p></article>"
    }
    .joined()
  }

  private static let tableStyle =
    "\n  table { border-collapse: collapse } th, td { padding: .2rem .6rem; text-align: left }"

  private func compared(_ table: ComparedTable) -> String {
    if table.isEmpty { return "" }
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>\(cells.map { "<\(tag)>\(shownMarkup($0))</\(tag)>" }.joined())</tr>"
    }
    var lines = ["", "<h2>What was \(table.heading == nil ? "judged" : "compared")</h2>"]
    lines += table.heading.map { ["<p>\(shownMarkup($0))</p>"] } ?? []
    if !table.rows.isEmpty {
      lines += ["<table>", row(ComparedTable.columns, "th")] + table.rows.map { row($0, "td") } + ["</table>"]
    }
    return (lines + table.coverage.map { "<p>\(shownMarkup($0))</p>" }).joined(separator: "\n")
  }

  private func figure(_ app: String?, _ picture: MessagePicture) -> String {
    let title = "who sends what to whom\(app.map { " in \($0)" } ?? "")"
    return "\n<h2>\(shownMarkup(title))</h2>\n<figure>\n\(picture.svg)\n</figure>"
  }

  private func article(_ finding: Finding) -> String {
    let sites = finding.sites.map { "<li><code>\(shownMarkup($0.description))</code></li>" }
    let notes = finding.notes.map { "<p>\(shownMarkup($0))</p>" }
    let hint = finding.hint.map { ["<p><em>\(shownMarkup($0))</em></p>"] } ?? []
    let head = "<strong>\(finding.level.rawValue)</strong> <code>\(finding.rule.rawValue)</code>"
    return """
      <article class="\(finding.level.rawValue)">
      <p>\(head) \(shownMarkup(finding.message))</p>
      <ul>\(sites.joined())</ul>
      \((notes + hint).joined(separator: "\n"))
      </article>
      """
  }
}
