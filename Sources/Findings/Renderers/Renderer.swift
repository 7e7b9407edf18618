/// A report format, which `--format` selects by its name.
package protocol Renderer: Sendable {
  static var name: String { get }
  init(_ context: ReportContext)
  /// Whether a file is a report of this format, judged by its first and last bytes.
  static func isReport(head: String, tail: String) -> Bool
  /// The detail that it needs in reports.
  var detail: AppReport.Detail { get }
  /// Renders the reports of all apps; a format without apps shows `AppReport.together`.
  func render(_ reports: [AppReport]) -> String
}

extension Renderer {
  package var detail: AppReport.Detail { .whole }

  package func render(_ report: Report) -> String { render([AppReport(report)]) }
}

package enum Renderers {
  /// The first is the default. A test may add its own.
  @TaskLocal package static var all: [any Renderer.Type] = [
    TextRenderer.self, JSONRenderer.self, SARIFRenderer.self, GitHubRenderer.self, JUnitRenderer.self,
    HTMLRenderer.self, MarkdownRenderer.self,
  ]

  package static func named(_ name: String) -> any Renderer.Type {
    all.first { $0.name == name } ?? TextRenderer.self
  }

  /// Whether a file is a report of any format.
  package static func isReport(_ head: [UInt8], _ tail: [UInt8]) -> Bool {
    let (head, tail) = (String(decoding: head, as: UTF8.self), String(decoding: tail, as: UTF8.self))
    return all.contains { $0.isReport(head: head, tail: tail) }
  }
}

extension Report {
  /// Whether a line is the summary of a report of one app.
  static func isSummary(_ line: Substring) -> Bool {
    let count =
      #/(no findings|\d+ (error|warning|note)s?)(, \d+ (warning|note)s?)*(, but not everything could be read)?/#
    return line.wholeMatch(of: count) != nil
  }
}

/// Text for a report in XML or HTML. Characters that XML 1.0 forbids are unprintable, and so escaped.
func shownMarkup(_ text: String) -> String { escapedMarkup(printable(text), isAttribute: true) }
