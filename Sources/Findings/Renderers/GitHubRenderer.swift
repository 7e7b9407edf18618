/// A report as GitHub workflow commands, a line for each finding, which GitHub shows beside the code in a pull request.
/// Source: GitHub's documentation of workflow commands (`::error file=…,line=…,title=…::message`).
package struct GitHubRenderer: Renderer {
  package static let name = "github"
  private let context: ReportContext

  package init(_ context: ReportContext = ReportContext()) { self.context = context }

  package static func isReport(head: String, tail: String) -> Bool {
    ["::error ", "::warning ", "::notice "].contains(where: head.hasPrefix)
  }

  /// The table of compared plugins is one notice for the run, without a file.
  package func render(_ reports: [AppReport]) -> String {
    let report = AppReport.together(reports)
    let table = ComparedTable(report, context)
    let compared = escape(table.lines.map(printable).joined(separator: "\n"))
    return context.mistakes.map { "::error title=npi-pack::\(escape(printable($0.line)))\n" }.joined()
      + report.report.findings.map(line).joined()
      + (table.isEmpty ? "" : "::notice title=npi-pack::\(compared)\n")
  }

  private func line(_ finding: Finding) -> String {
    let command = finding.level == .note ? "notice" : finding.level.rawValue
    var properties: [String] = []
    if let place = finding.sites.first {
      if let file = place.parts.first {
        let isWhole = context.base.isEmpty || file.utf8.first == UInt8(ascii: "/")
        properties.append("file=\(property(isWhole ? file : "\(context.base)/\(file)"))")
      }
      if let position = place.position { properties.append("line=\(position.line),col=\(position.column)") }
    }
    properties.append("title=\(property(finding.rule.rawValue))")
    let inside = finding.sites.first.map { $0.parts.count > 1 ? " (\($0))" : "" } ?? ""
    let details = finding.notes + finding.advice
    let text = ([finding.message + inside] + details).map(printable).joined(separator: "\n")
    return "::\(command) \(properties.joined(separator: ","))::\(escape(text))\n"
  }

  /// Keeps line ends, which come from our own text only: foreign text has none left.
  private func escape(_ text: String) -> String {
    // By scalars: a character with a combining accent is another `Character`.
    text.unicodeScalars.map { $0 == "%" ? "%25" : $0 == "\r" ? "%0D" : $0 == "\n" ? "%0A" : String($0) }.joined()
  }

  private func property(_ text: String) -> String {
    escape(printable(text)).unicodeScalars.map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
  }
}
