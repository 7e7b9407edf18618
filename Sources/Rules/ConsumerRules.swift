import Android
package import Artifacts
package import Findings

/// The rules that an AAR brings for the shrinker of its app are about its own classes, and leave the app's settings to
/// the app.
package enum ConsumerRules: Rule {
  package static let id: RuleID = "consumer-rules"
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [ShrinkerRules.self, JarFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let names = inventory.facts(JarFacts.self).flatMap(\.facts.classes).map { JarEntry.className($0) }
    return inventory.facts(ShrinkerRules.self).flatMap { item, rules in
      findings(item, rules, names, inventory, judging)
    }
  }

  private static func findings(
    _ item: Item, _ rules: ShrinkerRules, _ names: [String], _ inventory: Inventory, _ judging: Judging
  ) -> [Finding] {
    let site = inventory.site(item)
    func finding(_ option: ShrinkerRules.Option, _ message: String, _ hint: String) -> Finding {
      self.finding(
        judging, "\(abridged(option.text)) (line \(option.line)) \(message)", about: [option.text], at: site, hint: hint
      )
    }
    let wide = rules.wide.map { option in
      finding(
        option, "is for all of an app", "leave it out: an app decides this for itself, and so do its other libraries")
    }
    let files = rules.includes.map { option in
      finding(option, "names a file, and an AAR has none beside its rules", "write the rules of that file here")
    }
    return wide + files + idle(rules.idle(among: names), site, judging)
  }

  /// Many libraries keep classes of libraries that they use, which does no harm.
  private static func idle(_ options: [ShrinkerRules.Option], _ site: Place, _ judging: Judging) -> [Finding] {
    guard !options.isEmpty else { return [] }
    let texts = options.map { "\(abridged($0.text)) (line \($0.line))" }
    let what = options.count == 1 ? "\(texts[0]) matches" : "\(options.count) rules match"
    return [
      Finding(
        id, min(judging.level, .note), "\(what) no class of the AAR", about: options.map(\.text), at: [site],
        notes: options.count == 1 ? [] : [listed(texts, limit: maxIdle)],
        hint: "correct the names, or leave the rules to the library that has the classes")
    ]
  }

  private static let maxIdle = 8
}
