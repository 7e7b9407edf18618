import Android
import Artifacts
package import Findings

/// Names decide: Android's build refuses a class that is there twice, whatever its bytes, and even in one jar.
package enum DuplicateJavaClass: CollisionRule, CollisionFamily {
  package static let id: RuleID = "duplicate-java-class"
  package static let noun = (one: "class of the same name", many: "classes of the same names")
  package static let platform: String? = "android"
  package static let name = "java-classes"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "the class \(collision.name.text) is there \(collision.times): the Android build fails", [note(collision)],
      "let both plugins depend on one library instead of carrying it, or give the package a name of the plugin's own"
    )
  }

  /// Takes a module out of the build, or the same classes out of the last jar.
  package static func edit(_ all: [Collision]) -> Edit? {
    if let module = all.first?.module?.split(separator: ":").map(String.init), module.count == 2 {
      return Edit(.gradle, "configurations.all { exclude(group = \"\(module[0])\", module = \"\(module[1])\") }")
    }
    guard let first = all.first, let jar = first.sites.last?.artifact, jar.parts.count == 1, jar.lastName.isArchive,
      first.sites.count == 2, let names = all.names(most: 4), all.allSatisfy({ $0.identical == true })
    else { return nil }
    let classes = names.map { "\($0.with("/", for: ".")).class" as Edit.Line }
    return Edit(.shell, "zip -d \(jar.parts[0]) \(classes)")
  }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let tables = context.plugins.map(\.android.classes)
    if tables.allSatisfy({ $0.count == 0 }) { return .nothingToCompare }
    return .found(
      RepeatedNames(tables).all.map { name, entries in
        let sites = entries.map { entry in
          site(context[entry.plugin].android.placeOfClass(entry.index), of: entry.plugin, .objcClass)
        }
        let contents = Set(entries.map { context[$0.plugin].android.classes.content(of: $0.index) })
        var collision = Collision(
          id, .error, nil, String(name.with(".", for: "/")), sites, identical: contents.count == 1)
        collision.packages = origins(of: entries, collision.sites, context)
        return collision
      })
  }

  /// `A.aar has androidx.core:core 1.8.0, B.aar has androidx.core:core 1.9.0`, or `all are of androidx.core:core 1.8.0`.
  private static func origins(
    of entries: [RepeatedNames.Entry], _ sites: [Collision.Site], _ context: CheckContext
  ) -> String? {
    let found = entries.map { context[$0.plugin].android.origin(ofClass: $0.index) }
    func text(_ origin: JarOrigin) -> String { origin.library + (origin.version.map { " \($0)" } ?? "") }
    if let first = found.compactMap(\.self).first, Set(found).count == 1 { return "all are of \(text(first))" }
    let parts = zip(sites, found).compactMap { site, origin in
      origin.map { "\(site.artifact.lastName) has \(text($0))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
