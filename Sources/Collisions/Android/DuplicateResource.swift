import Android
package import Findings

/// Two AARs that define one resource for one configuration, with different values: the app has the value of the first,
/// or its own, and the code of both reads it.
package enum DuplicateResource: CollisionFamily, AppFileRule {
  package static let id: RuleID = "duplicate-resource"
  package static let noun = (one: "resource of the same name", many: "resources of the same names")
  package static let name = "resources"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func verdict(isIdentical: Bool?, hasOwn: Bool) -> Collision.Verdict { .silent }

  /// Equal values are none: it does not matter which one an app has.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let resources = context.plugins.map(\.android.resources)
    if resources.allSatisfy({ $0.count == 0 }) { return .nothingToCompare }
    return .found(
      RepeatedNames(resources.map(\.table)).all.compactMap { name, entries in
        let found = collision(
          name,
          entries.map { entry in
            let own = context[entry.plugin].android.resources
            return (entry.plugin, own.place(of: entry.index), own.table.content(of: entry.index))
          }, .resource, context)
        return found.identical == true ? nil : found
      })
  }

  /// An app may well give a library's text another wording.
  package static func level(_ collision: Collision) -> Level { collision.isAppsChoice ? .note : .warning }

  package static func outcome(_ collision: Collision) -> String? { "\(taken(collision)), silently" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(collision.name.text) is there \(collision.times), with different values: \(taken(collision)), silently", [],
      "begin the names of each plugin's resources with a word of its own, such as rally_ (Gradle: resourcePrefix)"
    )
  }
}
