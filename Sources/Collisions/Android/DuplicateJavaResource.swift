import Android
package import Findings

/// Android's build refuses two files of jars with one path, even if they are the same. The app's own file is taken.
package enum DuplicateJavaResource: CollisionFamily, AppFileRule {
  package static let id: RuleID = "duplicate-java-resource"
  package static let noun = (one: "Java resource of the same name", many: "Java resources of the same names")
  package static let name = "java-resources"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let tables = context.plugins.map(\.android.javaResources)
    if tables.allSatisfy({ $0.count == 0 }) { return .nothingToCompare }
    return .found(
      RepeatedNames(tables).all.map { path, entries in
        collision(
          path,
          entries.map { entry in
            let own = context[entry.plugin].android
            return (entry.plugin, own.placeOfJavaResource(entry.index), own.javaResources.content(of: entry.index))
          }, .resource, context)
      })
  }

  package static func verdict(isIdentical: Bool?, hasOwn: Bool) -> Collision.Verdict { hasOwn ? .silent : .error }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let outcome = collision.verdict == .error ? "the Android build fails" : "\(taken(collision)), silently"
    return (
      "\(collision.name.text) is there \(collision.times): \(outcome)", sameness(collision),
      isDocument(collision.name.text)
        ? "leave it out of the app, or of one of the plugins"
        : "leave it out of one of the plugins, or choose one in the app (pickFirsts takes the first)"
    )
  }

  /// Leaves texts for people out, and takes the first of equal files.
  package static func edit(_ all: [Collision]) -> Edit? {
    guard all.first?.verdict == .error, let paths = all.names(most: maxPaths) else { return nil }
    let patterns = paths.map { "\"/\($0)\"" as Edit.Line }
    if paths.allSatisfy(isDocument) {
      return Edit(.gradle, "android { packaging { resources { excludes += setOf(\(patterns, separator: ", ")) } } }")
    }
    guard all.allSatisfy({ $0.identical == true }) else { return nil }
    return Edit(.gradle, "android { packaging { resources { pickFirsts += setOf(\(patterns, separator: ", ")) } } }")
  }

  private static let maxPaths = 16

  /// Whether no code reads it: a licence or the like, in the folder for those.
  private static func isDocument(_ path: String) -> Bool {
    let parts = path.pathParts
    guard parts.count == 2, parts[0] == "META-INF" else { return false }
    return ["AL2.0", "LGPL2.1", "DEPENDENCIES"].contains(parts[1])
      || ["LICENSE", "NOTICE", "license", "notice", "LICENCE"].contains(where: parts[1].hasPrefix)
  }
}
