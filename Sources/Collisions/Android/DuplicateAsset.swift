package import Android
package import Findings

/// The app gets the asset of the first library that has it, or its own.
package enum DuplicateAsset: AndroidFileFamily {
  package static let id: RuleID = "duplicate-asset"
  package static let noun = (one: "asset of the same name", many: "assets of the same names")
  package static let name = "assets"
  package static let kind = AndroidFile.Kind.asset

  package static func verdict(isIdentical: Bool?, hasOwn: Bool) -> Collision.Verdict { .silent }

  package static func outcome(_ collision: Collision) -> String? { "\(taken(collision)), silently" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(collision.name.text) is there \(collision.times): \(taken(collision)), silently", sameness(collision),
      "put each plugin's assets into a folder of its own below assets/"
    )
  }
}
