/// Mistakes and findings as text for people, in colour only if the caller asks for it.
package struct TextRenderer: Renderer {
  package static let name = "text"
  package let detail = AppReport.Detail.short
  private let context: ReportContext

  package init(_ context: ReportContext) { self.context = context }

  package init(color: Bool = false) {
    var context = ReportContext()
    context.color = color
    self.context = context
  }

  /// The last line of a report is its summary.
  package static func isReport(head: String, tail: String) -> Bool {
    tail.lines.last.map { Report.isSummary($0) || $0.wholeMatch(of: #/\d+ apps?: .*/#) != nil } ?? false
  }

  /// `error[missing-architecture]: libRally.a has no code for armv7s`, then places, notes and the hint, indented.
  /// `isWhole`: with the line that ends it.
  package func render(_ finding: Finding, isWhole: Bool = true) -> String {
    var lines = [head(finding.level, "[\(finding.rule.rawValue)]", finding.message)]
    lines += finding.sites.map { "  in \($0)" }
    lines += finding.notes.map { "  \(printable($0))" }
    if let hint = finding.hint { lines.append("  hint: \(printable(hint))") }
    if isWhole, let edit = finding.shownEdit { lines.append("  \(edit.line)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Each app under its name, then a line that lists those with errors. A report without an app has no such headings.
  package func render(_ reports: [AppReport]) -> String {
    var text = ""
    for each in reports {
      guard let app = each.app else {
        text += body(each) + each.report.summary + "\n"
        continue
      }
      text += paint("\(printable(app)):", "1") + "\n"
      text += body(each) + each.report.summary
      text += (each.isWhole ? "" : ", but not everything could be read") + "\n\n"
    }
    return text + (reports.contains { $0.app != nil } ? summary(reports) + "\n" : "")
  }

  private func body(_ each: AppReport) -> String {
    let findings = each.report.findings.map { render($0, isWhole: !each.isCut).newlines }
    let screen = FirstScreen(report: each, columns: context.columns, findings: findings) { most in
      let table = ComparedTable(each, context, most: most)
      let head = [table.heading].compactMap(\.self).map { paint(printable($0), "1") } + table.alignedRows
      let lines = head + table.more.map { "  \($0): -v shows all of them" } + table.coverage.map(printable)
      return lines.isEmpty ? [] : lines + [""]
    }
    let lines = each.isCut ? screen.lines : screen.whole
    return lines.map { line in
      switch line {
      case .plain(let text): "\(text)\n"
      case .strong(let text): paint(printable(text), "1") + "\n"
      case .cause(let level, let text): "  \(head(level, "", text))\n"
      case .advice(let text): "    -> \(printable(text))\n"
      }
    }.joined()
  }

  private func summary(_ reports: [AppReport]) -> String {
    let failing = reports.filter(\.report.hasErrors).compactMap(\.app)
    let partly = reports.filter { !$0.isWhole }.compactMap(\.app)
    let count = reports.count == 1 ? "1 app" : "\(reports.count) apps"
    let errors = failing.isEmpty ? "no errors" : "errors in \(printable(failing.joined(separator: ", ")))"
    let rest = partly.isEmpty ? "" : "; not everything of \(printable(partly.joined(separator: ", "))) could be read"
    return "\(count): \(errors)\(rest)"
  }

  /// `npi.yml:12:3: error: …`, then the line with carets below the position, notes and the hint.
  package func render(_ mistake: Mistake) -> String {
    let place = mistake.place.map { "\($0): " } ?? ""
    var lines = [place + head(.error, "", mistake.message)]
    if let position = mistake.place?.position { lines += excerpt(position) }
    lines += mistake.notes.map { "  \(printable($0))" }
    if let hint = mistake.hint { lines.append("  hint: \(printable(hint))") }
    return lines.joined(separator: "\n") + "\n"
  }

  package func head(_ level: Level, _ tag: String, _ message: String) -> String {
    let word = paint(level.rawValue + tag, level == .error ? "1;31" : level == .warning ? "1;33" : "1;36")
    return "\(word): \(printable(message))"
  }

  private func paint(_ text: String, _ code: String) -> String {
    context.color ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private func excerpt(_ position: TextPosition) -> [String] {
    // The width of a tab depends on the terminal, so the caret's line repeats the tabs; a very long line is not shown.
    guard position.text.count <= 200 else { return [] }
    let number = String(position.line)
    let margin = String(repeating: " ", count: number.count)
    let before = position.text.prefix(position.column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
    let room = max(1, position.text.count - (position.column - 1))
    let carets = String(repeating: "^", count: min(position.length, room))
    let text = position.text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { printable(String($0)) }.joined(separator: "\t")
    return [
      "  \(number) | \(text)",
      "  \(margin) | \(before)\(paint(carets, "1;31"))",
    ]
  }
}

extension String {
  /// The lines of a text that ends with a newline, with an empty one at the end.
  fileprivate var newlines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
