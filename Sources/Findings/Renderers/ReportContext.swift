/// The input of renderers besides findings.
package struct ReportContext: Sendable {
  package var color = false
  /// The width of the terminal that shows the report; nil if it goes elsewhere, where lines are not wrapped.
  package var columns: Int?
  /// The version of npi-pack.
  package var version = ""
  /// The time of the report in UTC: `2026-01-31T12:00:00Z`. Only formats with a field for it show it.
  package var date: String?
  /// The absolute working folder, in which relative paths begin; empty if it is not known.
  package var folder = ""
  /// The folder, relative to `folder`, in which relative places begin; empty if it is `folder` itself.
  package var base = ""
  /// Inputs that could not be read, or results that were not made: without them the report would look complete.
  package var mistakes: [Mistake] = []
  /// The description of a rule in one line.
  package var summary: @Sendable (RuleID) -> String? = { _ in nil }
  /// The explanation of a rule, as Markdown.
  package var help: @Sendable (RuleID) -> String? = { _ in nil }
  /// A short digest of a text, the same on every machine.
  package var digest: @Sendable (String) -> String = { $0 }

  package init() {}
}
