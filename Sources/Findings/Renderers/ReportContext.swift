/// What renderers are told besides findings.
package struct ReportContext: Sendable {
  package var color = false
  /// The tool's.
  package var version = ""
  /// When the report is made, in UTC: `2026-01-31T12:00:00Z`. Only formats with a field for it show it.
  package var date: String?
  /// Absolute: where relative paths begin. Empty: it is not known.
  package var folder = ""
  /// Where relative places begin: in `folder`; empty: there.
  package var base = ""
  /// What could not be read, or was not made: a report without it would pass for a good one.
  package var mistakes: [Mistake] = []
  /// What a rule is about, in a line.
  package var summary: @Sendable (RuleID) -> String? = { _ in nil }
  /// How a rule is explained, as Markdown.
  package var help: @Sendable (RuleID) -> String? = { _ in nil }
  /// Of a text of any length a short one that is the same on every machine.
  package var digest: @Sendable (String) -> String = { $0 }

  package init() {}
}
