package import Findings
import Rules

/// The output of `recipes rule`.
package enum RuleHelp {
  package static func text(_ id: String?) throws(Mistakes) -> String {
    guard let id else { return RuleCatalogue.all.map(row).joined() }
    guard let entry = RuleCatalogue.entry(RuleID(rawValue: id)) else {
      throw Mistakes("there is no rule '\(id)'", hint: RuleCatalogue.suggestion(for: id))
    }
    let (rule, explanation) = (AllRules.rule(entry.id), entry.explanation)
    var lines = ["\(entry.id): \(entry.summary)", "default level: \(level(entry, rule))"]
    if rule == nil {
      lines.append(
        explanation == nil
          ? "packing an AAR says it, of the libraries that 'embed' names"
          : "'npi-pack check' says it, of all plugins of an app")
    }
    if let text = explanation {
      lines += [
        "", text.why, "", "Refused:", "", indented(text.bad), "", "Passes:", "", indented(text.good), "", text.mend,
        "", "In one line:", "", text.edit,
      ]
    }
    let parameters = rule?.parameters ?? []
    if !parameters.isEmpty {
      let width = (parameters.map(\.name.count).max() ?? 0) + 2
      lines += ["", "Parameters:", ""] + parameters.map { "    " + $0.name.padded(to: width) + $0.summary }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Nil if there is no such rule, or no explanation.
  package static func markdown(_ id: RuleID) -> String? {
    guard let explanation = RuleCatalogue.entry(id)?.explanation else { return nil }
    return """
      \(flowing(explanation.why))

      Refused:

      \(indented(explanation.bad))

      Passes:

      \(indented(explanation.good))

      \(flowing(explanation.mend))

      """
  }

  /// Joins the lines, because a renderer breaks them itself.
  private static func flowing(_ text: String) -> String { text.lines.joined(separator: " ") }

  private static func level(_ entry: RulePage, _ rule: (any Rule.Type)?) -> String {
    rule?.isOfHosts == true ? "off, unless a host asks for it; then \(entry.level.rawValue)" : entry.level.rawValue
  }

  private static func row(_ entry: RulePage) -> String {
    let level = AllRules.rule(entry.id)?.isOfHosts == true ? "host's" : entry.level.rawValue
    return entry.id.rawValue.padded(to: 26) + level.padded(to: 9) + entry.summary + "\n"
  }

  static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
      .joined(separator: "\n")
  }
}
