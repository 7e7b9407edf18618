import Artifacts
package import Findings
import Recipes

/// One library that two package managers bring to an app: neither knows of the other, so there are two copies of it.
package enum DuplicatePackage: CollisionRule, CollisionFamily {
  package static let id: RuleID = "duplicate-package"
  package static let noun = (one: "package of two managers", many: "packages of two managers")
  package static let isInCommon = false
  package static let name = "packages"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(collision.name.text) comes from \(collision.sites.count) package managers: \(enumerated(collision.examples))",
      ["an app that links both has duplicates, or takes one of each name, silently"],
      "take it from one of them; where another package asks for it, take that one from the same manager"
    )
  }

  /// Lock files are given or not: without any, nobody has asked.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let files = context.locks
    if files.isEmpty { return .off }
    if Set(files.map(\.manager).filter { !$0.isForAndroid }).count < 2 {
      return .cannot("there are no lock files of two package managers for one platform")
    }
    return .found(
      LockedPackages(files).shared.map { library, items in
        let sites = items.map { Collision.Site($0.package.place, of: nil, .package) }
        let name = ThirdParties.all.names.contains(library) ? library : items[0].package.name
        var collision = Collision(id, .warning, nil, name, sites)
        collision.examples = items.map { "\($0.package.name) \($0.package.version) of \($0.file.manager.rawValue)" }
        return collision
      })
  }
}
