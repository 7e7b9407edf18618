import Android
package import Artifacts
package import Findings

/// The configuration has the keys that the host requires, values of the type that the host reads, and no misspelt key.
package enum ConfigKeys: Rule {
  package static let id: RuleID = "config-keys"
  package static let kinds: Set<ArtifactKind>? = [.config]
  package static let parameters = [
    RuleParameter(name: "required", kind: .list, summary: "keys that every configuration has"),
    RuleParameter(name: "required-ios", kind: .list, summary: "keys that it has if there is an iOS deliverable"),
    RuleParameter(
      name: "required-android", kind: .list, summary: "keys that it has if there is an Android deliverable"),
    RuleParameter(
      name: "types", kind: .map,
      summary: "known keys and what their text is: text, boolean, integer, url, class, java-class, or choices: a|b"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    // Without a configuration the document was reported as unreadable.
    guard let configuration = inventory.configuration else { return [] }
    func finding(_ keys: [String], _ message: String, _ hint: String? = nil, _ edit: Edit? = nil) -> Finding {
      self.finding(judging, message, about: keys, at: inventory.place, hint: hint, edit: edit)
    }
    let types = judging.tables["types"] ?? []
    let keys = configuration.members.map(\.key)
    var findings = missing(keys, judging.platforms ?? [], judging).map { keys, why in
      finding(
        keys, "the configuration has no \(keys.joined(separator: " and no "))\(why)", "add it under 'config:'")
    }
    let known = types.map(\.key)
    for (key, value) in configuration.members {
      guard case .text(let text) = value else {
        if case .other(let what) = value {
          findings.append(finding([key], "the value of \(key) is \(what), not a string"))
        }
        continue
      }
      if let type = types.first(where: { $0.key == key })?.values.first {
        if let problem = problem(with: text, as: type) {
          findings.append(finding([key], "\(key) is '\(text)': \(problem)"))
        }
      } else if let meant = nearest(to: key, among: known), !keys.contains(meant) {
        findings.append(
          finding(
            [key], "the configuration has an unknown key '\(key)'", "did you mean '\(meant)'?",
            Edit(.manifest, "config: { \(meant): \"\(text)\" }")))
      }
    }
    return findings
  }

  /// Groups of keys of which at least one is required and none is there, with the reason.
  private static func missing(
    _ keys: [String], _ platforms: Set<Inventory.Platform>, _ judging: Judging
  ) -> [([String], String)] {
    func list(_ name: String) -> [String] { judging.lists[name] ?? [] }
    var missing = list("required").filter { !keys.contains($0) }.map { ([$0], "") }
    let entries = list("required-ios") + list("required-android")
    if platforms.isEmpty {
      // A configuration by itself does not name its platform, but it is for at least one.
      if !entries.isEmpty, !entries.contains(where: keys.contains) { missing.append((entries, "")) }
    }
    for (platform, name) in [(Inventory.Platform.ios, "iOS"), (.android, "Android")] where platforms.contains(platform)
    {
      missing += list("required-\(platform)").filter { !keys.contains($0) }
        .map { ([$0], ", and there is an \(name) deliverable") }
    }
    return missing
  }
}

/// The problem with a value for its type, or nil. A type without a name is a list of choices.
private func problem(with text: String, as type: String) -> String? {
  switch type {
  case "text": return nil
  case "boolean": return ["true", "false"].contains(text) ? nil : "it must be true or false"
  case "integer": return Int(text) == nil ? "it must be a whole number" : nil
  case "url":
    return !text.contains("://") || text.hasPrefix(":") ? "it must be a URL, such as https://example.com" : nil
  case "class":
    return (1...2).contains(identifiers(text))
      ? nil : "it must be a class name, or Module.Class for a class written in Swift"
  case "java-class":
    return identifiers(text) >= 2
      ? nil : "it must be a class name with its package, such as com.example.ui.LoginFragment"
  default:
    let choices = type.split(separator: "|").map(String.init)
    return choices.contains(text) ? nil : "it must be \(choices.joined(separator: " or "))"
  }
}

/// The number of identifiers between dots; 0 if a part is no identifier.
private func identifiers(_ text: String) -> Int {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  return parts.allSatisfy { $0.isIdentifier() } ? parts.count : 0
}
