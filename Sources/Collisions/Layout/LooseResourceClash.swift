package import Artifacts
package import Findings

/// Two loose resources with one path in an app's root folder, where Xcode puts all of them.
package enum LooseResourceClash: LayoutFamily {
  package static let id: RuleID = "resource-clash"
  package static let noun = (one: "loose resource of the same name", many: "loose resources of the same names")
  package static let name = "resources"
  package static let kinds: Set<LayoutItem.Kind> = [.resource]

  package static func collisions(_ context: CheckContext) -> [Collision] {
    clashes(context, by: { [$0.destination] }).map { $0.collision(id, .warning) }
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    guard all.names(most: 1) != nil, let first = all.first else { return nil }
    return first.removal ?? intoBundle(first)
  }

  package static func outcome(_ collision: Collision) -> String? {
    "an app that takes both does not build, or loses one"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    let notes =
      ["reported, not measured: \(xcodeMessage("App.app/\(name)")); a script that copies them keeps the last"]
      + (collision.identical == nil ? [] : [note(collision)])
    return (
      "\(name) is there \(collision.times) outside of bundles: \(outcome(collision) ?? "")", notes,
      "put each plugin's resources in a bundle of its own: \(ownName(collision)).bundle/\(name)"
    )
  }
}
