import Android
package import Findings

/// Rules for the shrinker in an AAR that change how all of the app is shrunk. The Android Gradle plugin 9 passes over
/// options for all of the app in a ready AAR, and 8 obeys them; rules that keep all classes hold for both.
package enum WideRules: CollisionFamily, CollisionRule {
  package static let id: RuleID = "consumer-rules"
  package static let noun = (one: "rule for all of the app", many: "rules for all of the app")
  package static let platform: String? = "android"
  package static let name = "consumer-rules"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.numbered.flatMap { id, facts in facts.android.shrinkerRules.map { (plugin: id, file: $0) } }
    if all.isEmpty { return .nothingToCompare }
    return .found(
      all.flatMap { plugin, file in
        file.wide.map { rule in
          let isIgnored = context.android.agp == .nine && !keepsAll(rule)
          return Collision(id, isIgnored ? .silent : .warning, nil, rule, [site(file.place, of: plugin, .rules)])
        }
      })
  }

  private static func keepsAll(_ rule: String) -> Bool { rule.hasPrefix("-keep") }

  package static func level(_ collision: Collision) -> Level { collision.verdict == .silent ? .note : .warning }

  package static func outcome(_ collision: Collision) -> String? {
    if keepsAll(collision.name.text) { return "all of the app is kept" }
    return collision.verdict == .silent
      ? "the Android Gradle plugin 9 passes over it" : "the Android Gradle plugin 8 obeys it for all of the app"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(printable(collision.name.text)) in the rules of \(collision.sites.first?.artifact.lastName ?? ""): "
        + (outcome(collision) ?? ""), [],
      "ask the vendor to leave it out of the AAR's rules, which are for its own classes"
    )
  }
}
