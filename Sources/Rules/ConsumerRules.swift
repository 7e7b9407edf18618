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
    func finding(_ option: ShrinkerRules.Option, _ message: String, _ hint: String, level: Level) -> Finding {
      Finding(
        id, min(judging.level, level), "\(abridged(option.text)) (line \(option.line)) \(message)", at: [site],
        hint: hint)
    }
    let wide = rules.wide.map { option in
      finding(
        option, "is for all of an app", "leave it out: an app decides this for itself, and so do its other libraries",
        level: .error)
    }
    let files = rules.files.map { option in
      finding(
        option, "names a file, and an AAR has none beside its rules", "write the rules of that file here", level: .error
      )
    }
    let idle = rules.idle(among: names)
    let idleFindings = idle.prefix(maxIdle).map { option in
      finding(
        option, "matches no class of the AAR", "correct the name, or leave the rule to the library that has the class",
        level: .note)
    }
    return wide + files + idleFindings
  }

  private static let maxIdle = 20
}
