import Android
package import Findings

/// Two libraries with one namespace share one `R` class: a warning of the Android Gradle plugin 8, an error of 9.
package enum DuplicateNamespace: CollisionRule, CollisionFamily {
  package static let id: RuleID = "duplicate-namespace"
  package static let noun = (one: "namespace in common", many: "namespaces in common")
  package static let platform: String? = "android"
  package static let name = "namespaces"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.manifests
    if all.isEmpty { return .nothingToCompare }
    var named = Dictionary(grouping: all) { $0.file.namespace ?? "" }
    named[""] = nil
    let verdict: Collision.Verdict =
      switch context.android.agp {
      case .eight?: .warning
      case .nine?: .error
      case nil: .possible
      }
    return .found(
      named.filter { $0.value.count > 1 }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { namespace, files in
          var collision = Collision(
            id, verdict, nil, namespace, files.map { site($0.file.place, of: $0.plugin, .manifest) })
          if verdict == .possible { collision.triggers = [.init(text: "the Android Gradle plugin 9")] }
          return collision
        })
  }

  package static func outcome(_ collision: Collision) -> String? {
    switch collision.verdict {
    case .error: "the Android build fails"
    case .possible: "an error of the Android Gradle plugin 9, a warning of 8"
    case .warning, .silent: "the Android build warns, and one R class has the names of both"
    }
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let names = collision.sites.map(\.artifact.lastName)
    return (
      "\(collision.sites.count) AARs have the namespace \(collision.name.text): \(outcome(collision) ?? "")",
      [
        "Gradle prints: Namespace '\(collision.name.text)' is used in multiple modules and/or libraries: "
          + names.joined(separator: ", ")
      ],
      "ask a vendor for a namespace of its own; android.uniquePackageNames=false in gradle.properties puts the error off"
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    all.first?.verdict == .error ? Edit(.gradleProperties, "android.uniquePackageNames=false") : nil
  }
}
