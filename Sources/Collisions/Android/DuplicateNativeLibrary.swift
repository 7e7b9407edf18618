import Android
package import Findings

/// Android's build refuses two libraries of one name and ABI if their bytes differ and none is the app's own.
package enum DuplicateNativeLibrary: CollisionRule, CollisionFamily {
  package static let id: RuleID = "duplicate-native-library"
  package static let noun = (one: "native library of the same name", many: "native libraries of the same names")
  package static let platform: String? = "android"
  package static let name = "native-libraries"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let outcome =
      switch collision.verdict {
      case .silent: "the first is taken"
      case .warning: "the app's is taken"
      case .error, .possible: "the Android build fails"
      }
    return (
      "\(collision.name.text) is there \(collision.times): \(outcome)", [note(collision)],
      "let both plugins use one build of the library, or leave it to the app (pickFirst decides by order alone)"
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    guard all.first?.verdict == .error, let paths = all.names(most: maxPaths) else { return nil }
    let names = Set(paths.map { String($0.lastPathPart) }).sorted()
    let patterns = names.map { "\"lib/*/\($0)\"" as Edit.Line }
    return Edit(.gradle, "android { packaging { jniLibs { pickFirsts += setOf(\(patterns, separator: ", ")) } } }")
  }

  /// Four libraries for four ABIs.
  private static let maxPaths = 16

  /// Sorted by the path in the app: `lib/arm64-v8a/libc++_shared.so`.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.numbered.flatMap { id, facts in facts.android.libraries.map { (id, $0) } }
    if all.isEmpty { return .nothingToCompare }
    let twice = Dictionary(grouping: all) { "lib/\($0.1.abi)/\($0.1.name)" }.filter { $0.value.count > 1 }
    let collisions = twice.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { path, libraries in
      let isIdentical = Set(libraries.map(\.1.content)).count == 1
      let own = libraries.first { id, _ in context[id].isApp }
      let winner = own ?? (isIdentical ? libraries.first : nil)
      return Collision(
        id, isIdentical ? .silent : own == nil ? .error : .warning, nil, path,
        libraries.map { site($0.1.place, of: $0.0, .library) }, winner: winner?.1.place.description,
        identical: isIdentical)
    }
    return .found(collisions)
  }
}
