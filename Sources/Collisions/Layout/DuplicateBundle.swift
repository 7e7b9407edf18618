package import Artifacts
package import Findings

/// Two resource bundles of one name: both would be at one place in the app.
package enum DuplicateBundle: LayoutFamily {
  package static let id: RuleID = "duplicate-bundle"
  package static let noun = (one: "resource bundle of the same name", many: "resource bundles of the same names")
  package static let name = "bundles"
  package static let kinds: Set<LayoutItem.Kind> = [.bundle]

  package static func collisions(_ context: CheckContext) -> [Collision] {
    clashes(context, by: { [$0.destination] }).map { clash in
      var collision = clash.collision(id, .error)
      let versions = clash.members.map { $0.item.version ?? "none" }
      let identifiers = Set(clash.members.map { $0.item.identifier ?? "none" }).sorted()
      if identifiers.count > 1 { collision.examples.append("identifiers: \(identifiers.joined(separator: ", "))") }
      if Set(versions).count > 1 { collision.examples.append("versions: \(versions.joined(separator: ", "))") }
      return collision
    }
  }

  package static func edit(_ all: [Collision]) -> Edit? { all.names(most: 1) == nil ? nil : all.first?.removal }

  package static func outcome(_ collision: Collision) -> String? { "Xcode stops, for an app has one of that name" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    return (
      "\(name) is there \(collision.times): \(outcome(collision) ?? "")",
      [xcodeMessage("App.app/\(name)")] + collision.examples,
      "let the plugins share one copy, or ask a vendor to name its bundle after the plugin: \(ownName(collision))-\(name)"
    )
  }
}
