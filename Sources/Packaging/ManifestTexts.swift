import Documents
package import Findings
import Rules

// What commands print of a manifest.
extension Manifest {
  package static var jsonSchema: JSONValue {
    JSONSchema.document(
      shape, title: "npi.yml", description: "the manifest of npi-pack: what a plugin is and what is made of it")
  }

  package enum Order: String, Sendable { case sorted, manifest }

  /// The configuration as the plugin gets it: one object, every value a string.
  package func configuration(order: Order) -> JSONValue {
    let members = config.map { (key: $0.key, value: JSONValue.string($0.text)) }
    return order == .sorted ? .sorted(members) : .object(members)
  }

  /// A line a key: where its value comes from.
  package var origins: String {
    let rows = config.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let width = rows.map { printable($0.key).count }.max() ?? 0
    return rows.map { row in
      let place =
        row.place.position.map { "\(printable(row.place.parts.joined())):\($0.line)" } ?? row.place.description
      return printable(row.key).padded(to: width + 2) + "\(printable(row.text))  (\(place))\n"
    }.joined()
  }
}

/// What `recipes rule` prints.
package enum RuleHelp {
  /// `collisions`: what `check` says.
  package static func text(_ id: String?, collisions: Set<RuleID>) throws(Mistakes) -> String {
    guard let id else { return RuleCatalogue.all.map { row($0, collisions) }.joined() }
    guard let entry = RuleCatalogue.entry(RuleID(rawValue: id)) else {
      throw Mistakes(
        "there is no rule '\(id)'",
        hint: didYouMean(id, among: RuleCatalogue.all.map(\.id.rawValue)) ?? "npi-pack recipes rule lists them")
    }
    var lines = ["\(entry.id): \(entry.summary)", "default level: \(entry.level.rawValue)"]
    if let rule = AllRules.rule(entry.id) {
      lines += rule.parameters.map { "\($0.name): \($0.summary)" }
    } else if collisions.contains(entry.id) {
      lines.append("'npi-pack check' says it, of all plugins of an app")
    } else {
      lines.append("not implemented in this version: it may be set, and says nothing")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ entry: RuleEntry, _ collisions: Set<RuleID>) -> String {
    let id = entry.id.rawValue.padded(to: 26) + entry.level.rawValue.padded(to: 9)
    let isKnown = AllRules.rule(entry.id) != nil || collisions.contains(entry.id)
    return id + entry.summary + (isKnown ? "" : " (not implemented yet)") + "\n"
  }
}

extension String {
  /// At least one space goes behind it.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
