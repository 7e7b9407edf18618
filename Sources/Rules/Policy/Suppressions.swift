import Documents
package import Findings

/// Findings that are accepted until a day, each with its reason: a YAML list of
/// `{rule, plugins, place, name, platform, reason, until}`. A field that an entry leaves out matches anything; in place
/// and name a `*` at the end stands for the rest.
package struct Suppressions: Sendable {
  private struct Entry: Sendable {
    var identity: [(key: String, value: String)] = []
    var plugins: [String] = []
    var rule = ""
    var reason = ""
    /// The last day: `2027-03-31`.
    var until = ""
  }

  private let entries: [Entry]
  /// `2026-11-24`, in UTC.
  private let today: String

  private static let shape = Shape.list(
    .object([
      Key("rule", .text, required: true, "the rule that it is a finding of"),
      Key("plugins", .oneOrMany(.text), "plugins of which all have to do with it, without versions"),
      Key("place", .text, "the member, class or entry, as a baseline spells it"),
      Key("name", .text, "the symbol, class or key"),
      Key("platform", .text, "ios, ios-simulator, android, …"),
      Key("reason", .text, required: true, "why it is put up with"),
      Key("until", .text, required: true, "the last day, as 2027-03-31"),
    ]))

  /// `name` is the file's, for mistakes; `seconds` is the time now, since 1970.
  package init(_ bytes: [UInt8], name: String, now seconds: Int64) throws(Mistakes) {
    today = String(CivilTime(since1970: Int(seconds))?.text.prefix(10) ?? "")
    let root = try YAMLText.parse(bytes, name: name)
    // The file and its comments may remain after the last entry has been removed.
    if case .map(let members) = root.value, members.isEmpty {
      entries = []
      return
    }
    var check = SchemaCheck(root: "the file of suppressions")
    check.check(root, Suppressions.shape, "")
    var mistakes = check.mistakes
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    var entries: [Entry] = []
    for node in root.list ?? [] {
      var entry = Entry()
      entry.rule = node["rule"]?.text ?? ""
      entry.plugins = node["plugins"]?.texts.compactMap(\.text) ?? []
      entry.reason = node["reason"]?.text ?? ""
      entry.until = node["until"]?.text ?? ""
      for key in ["place", "name", "platform"] {
        if let text = node[key]?.text { entry.identity.append((key, text)) }
      }
      if RuleCatalogue.entry(RuleID(rawValue: entry.rule)) == nil {
        mistakes.append(
          Mistake(
            "there is no rule '\(entry.rule)'", at: node["rule"]?.place,
            hint: RuleCatalogue.suggestion(for: entry.rule)))
      }
      if CivilTime(entry.until + "T00:00:00Z") == nil {
        mistakes.append(Mistake("'\(entry.until)' is no day", at: node["until"]?.place, hint: "as in 2027-03-31"))
      }
      if entry.reason.trimmed.isEmpty {
        mistakes.append(Mistake("a suppression needs a reason", at: node["reason"]?.place))
      }
      entries.append(entry)
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    self.entries = entries
  }

  /// Whether one identity of a finding is suppressed today.
  func accepts(_ identity: FindingIdentity) -> Bool {
    entries.contains { $0.until >= today && Suppressions.covers($0, identity) }
  }

  /// `it was suppressed until 2026-10-31: the vendor mends it`; nil if it was not suppressed.
  func ended(_ identities: [FindingIdentity]) -> String? {
    let ended = entries.filter { entry in
      entry.until < today && identities.contains { Suppressions.covers(entry, $0) }
    }
    return ended.max { $0.until < $1.until }.map { "it was suppressed until \($0.until): \($0.reason)" }
  }

  private static func covers(_ entry: Entry, _ identity: FindingIdentity) -> Bool {
    guard entry.rule == identity.rule.rawValue, Set(entry.plugins).isSubset(of: identity.plugins) else { return false }
    return entry.identity.allSatisfy { key, value in
      switch key {
      case "place": identity.places.contains { matches(value, $0) }
      case "name": matches(value, identity.name)
      default: identity.platform == value
      }
    }
  }

  private static func matches(_ pattern: String, _ text: String) -> Bool {
    pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : text == pattern
  }

  /// All fields that decide which findings are accepted today, and the notes on the others.
  package var text: String {
    entries.map { entry in
      let fields = [entry.rule, entry.plugins.joined(separator: ","), entry.reason, entry.until]
      return (fields + entry.identity.flatMap { [$0.key, $0.value] } + [entry.until < today ? "ended" : "current"])
        .joined(separator: "\t")
    }.joined(separator: "\n")
  }
}
