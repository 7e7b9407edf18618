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
      JSONRenderer(context),
      SARIFRenderer(context),
      GitHubRenderer(context),
      JUnitRenderer(context),
      HTMLRenderer(context),
      MarkdownRenderer(context),
    ]
  }

  /// Whether a file is a report of any format, by its first bytes and its last ones.
  package static func isReport(_ head: [UInt8], _ tail: [UInt8]) -> Bool {
    let (head, tail) = (String(decoding: head, as: UTF8.self), String(decoding: tail, as: UTF8.self))
    let beginnings = [
      "{\n  \"version\": 1,\n", "{\n  \"$schema\": \"https://json.schemastore.org/sarif-",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", "<!doctype html>\n", "::error ", "::warning ",
      "::notice ",
      "## npi-pack: ", "- **error** ",
    ]
    if beginnings.contains(where: head.hasPrefix) { return true }
    // Text ends with what it counts, and so does the head of each app in Markdown.
    let count =
      #/(no findings|\d+ (error|warning|note)s?)(, \d+ (warning|note)s?)*(, but not everything could be read)?/#
    let lines = tail.lines
    if let last = lines.last, last.wholeMatch(of: count) != nil || last.wholeMatch(of: #/\d+ apps?: .*/#) != nil {
      return true
    }
    let first = head.lines.first ?? ""
    return first.hasPrefix("## ") && first.split(separator: ": ").last?.wholeMatch(of: count) != nil
  }
}

/// Text for a report in XML or HTML. What XML 1.0 forbids is nothing that is to be seen.
func shownMarkup(_ text: String) -> String { escapedMarkup(printable(text), isAttribute: true) }
