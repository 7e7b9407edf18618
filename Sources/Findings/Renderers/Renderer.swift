/// A way to show reports, which `--format` calls by its name.
package protocol Renderer: Sendable {
  var name: String { get }
  /// What it has reports made for.
  var detail: AppReport.Detail { get }
  /// Of all apps.
  func render(_ reports: [AppReport]) -> String
  func render(_ report: Report) -> String
}

extension Renderer {
  package var detail: AppReport.Detail { .whole }

  /// For formats that know no apps.
  package func render(_ reports: [AppReport]) -> String { render(AppReport.together(reports)) }
}

package enum Renderers {
  /// The first is meant where none is named.
  package static func all(_ context: ReportContext = ReportContext()) -> [any Renderer] {
    [
      TextRenderer(color: context.color),
      JSONRenderer(),
      SARIFRenderer(context),
      GitHubRenderer(context),
      JUnitRenderer(context),
      HTMLRenderer(context),
      MarkdownRenderer(context),
    ]
  }
}

/// Text for XML and HTML: the five characters that mean something there, and nothing that XML 1.0 forbids. By scalars: a
/// `<` with an accent on it is one `Character` and still opens a tag.
func escapedMarkup(_ text: String) -> String {
  printable(text).unicodeScalars.map { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "\u{FFFE}", "\u{FFFF}": "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }.joined()
}
