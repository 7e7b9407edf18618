import Android
package import Findings

/// A library whose Kotlin metadata the app's compiler does not read: it reads that of its own version and of the next one
/// ("Module was compiled with an incompatible version of Kotlin").
package enum KotlinMetadata: CollisionFamily, CollisionRule {
  package static let id: RuleID = "kotlin-metadata"
  package static let noun = (one: "library for a newer Kotlin", many: "libraries for a newer Kotlin")
  package static let platform: String? = "android"
  package static let name = "kotlin-metadata"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let jars = context.numbered.flatMap { id, facts in
      facts.android.jars.compactMap { jar in jar.kotlin.map { (plugin: id, jar: jar, version: $0) } }
    }
    if jars.isEmpty { return .nothingToCompare }
    guard let own = context.android.kotlin else { return .cannot("the app's Kotlin is not known: add --kotlin 2.1") }
    return .found(
      jars.filter { $0.version > own.next }.map { plugin, jar, version in
        var collision = Collision(id, .error, nil, "\(version)", [site(jar.place, of: plugin, .metadata)])
        collision.examples = ["\(own)", "\(own.next)"]
        return collision
      })
  }

  package static var isInCommon: Bool { false }

  package static func outcome(_ collision: Collision) -> String? { "the Kotlin compiler stops" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let library = collision.sites.first?.artifact.lastName ?? ""
    let (own, most) = (collision.examples.first ?? "", collision.examples.last ?? "")
    return (
      "\(library) is compiled with Kotlin \(collision.name.text), and the app with \(own): the Kotlin compiler stops",
      ["Kotlin \(own) reads metadata up to version \(most)"],
      "use Kotlin \(collision.name.text) in the app, or take an older version of the library"
    )
  }
}
