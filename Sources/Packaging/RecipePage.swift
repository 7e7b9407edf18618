import Artifacts
import Documents
package import Findings
import Rules
import Store
import SystemPackage

/// A recipe as its source, and as a page of documentation.
package enum RecipePage {
  package static func source(_ name: String) throws(Mistakes) -> String {
    guard Recipe.isPath(name) else { return String(decoding: try Recipe.named(name).text, as: UTF8.self) }
    let text = try explained { try FileSystem.read(FilePath(name), limit: YAMLText.maxBytes) }
    // A recipe that could not be extended is an error, and is not shown.
    let node = try YAMLText.parse(text, name: name)
    guard case .map = node.value else { throw Mistakes("a recipe must be a map, not \(node.kindName)", at: node.place) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The settings of the recipe and of those that it extends, rule by rule.
  package static func markdown(_ name: String) throws(Mistakes) -> String {
    let node = try YAMLText.parse(Array(try source(name).utf8), name: name)
    let found = try HostRules.of(recipes: [name], in: "")
    var page = "# \(escapedMarkdown(title(name)))\n\n"
    if let summary = node["summary"]?.text { page += "\(escapedMarkdown(summary)).\n\n" }
    page +=
      "In a plugin's `npi.yml`: \(markdownCode("extends: \(name)")). A rule is set by its name below `rules:`.\n\n"
    let rules = AllRules.all.map { (rule: $0, settings: found.rules[$0.id]) }.sorted {
      $0.rule.id.rawValue < $1.rule.id.rawValue
    }
    let (asked, others) = (
      rules.filter { $0.settings.map { $0.level != .off } ?? false },
      rules.filter { $0.settings == nil && !$0.rule.isOfHosts }
    )
    page += "| rule | level | what it asks |\n|---|---|---|\n"
    for (rule, settings) in asked + others {
      let level = settings?.level ?? RuleCatalogue.level(of: rule.id)
      let summary = RuleCatalogue.entry(rule.id)?.summary ?? ""
      page += "| [`\(rule.id)`](#\(rule.id)) | \(level.rawValue) | \(escapedMarkdown(summary)) |\n"
    }
    for (rule, settings) in asked + others { page += section(rule, settings) }
    return page
  }

  private static func section(_ rule: any Rule.Type, _ settings: RuleSettings?) -> String {
    let summary = RuleCatalogue.entry(rule.id)?.summary ?? ""
    var text = "\n## \(rule.id)\n\n\(sentence(summary)) \(RuleHelp.markdown(rule.id) ?? "")"
    for parameter in rule.parameters {
      if let values = settings?.lists[parameter.name] {
        text +=
          "\n`\(parameter.name)` (\(parameter.summary)): \(values.map { markdownCode($0) }.joined(separator: ", "))\n"
      } else if let rows = settings?.tables[parameter.name] {
        text += "\n`\(parameter.name)` (\(parameter.summary)):\n\n| | |\n|---|---|\n"
        for (key, values) in rows {
          let shown = values.map { parameter.kind == .table ? markdownCode($0, inTable: true) : escapedMarkdown($0) }
          text += "| \(markdownCode(key, inTable: true)) | \(shown.joined(separator: ", ")) |\n"
        }
      }
    }
    return text
  }

  private static func title(_ name: String) -> String { FilePath(name).stem ?? name }

  private static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }
}
