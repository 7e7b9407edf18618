package import Android
package import Findings

/// A family of files of which an Android app has one at each path.
package protocol AndroidFileFamily: CollisionFamily, CollisionRule {
  static var kind: AndroidFile.Kind { get }
  /// `hasOwn`: one of the files is the app's own, which is taken.
  static func verdict(isIdentical: Bool?, hasOwn: Bool) -> Collision.Verdict
}

extension AndroidFileFamily {
  package static var rules: [any CollisionRule.Type] { [Self.self] }
  package static var platform: String? { "android" }

  /// Sorted by the bytes of the paths.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.numbered.flatMap { id, facts in
      facts.android.files.lazy.filter { $0.kind == kind }.map { (plugin: id, file: $0) }
    }
    if all.isEmpty { return .nothingToCompare }
    let twice = Dictionary(grouping: all, by: \.file.path).filter { $0.value.count > 1 }
    return .found(
      twice.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { path, files in
        let own = files.first { context[$0.plugin].isApp }
        let isIdentical = isIdentical(files.map(\.file))
        let verdict = verdict(isIdentical: isIdentical, hasOwn: own != nil)
        let winner = own ?? (verdict == .error ? nil : files.first)
        return Collision(
          id, verdict, nil, path,
          files.map { site($0.file.place, of: $0.plugin, kind == .library ? .library : .resource) },
          winner: winner?.file.place.description, identical: isIdentical)
      })
  }

  /// Nil if that is not known.
  private static func isIdentical(_ files: [AndroidFile]) -> Bool? {
    let contents = Set(files.map(\.content))
    if contents.count == 1 { return contents.contains(nil) ? nil : true }
    return contents.subtracting([nil]).count > 1 ? false : nil
  }

  /// Who is taken, for a collision that stops no build.
  static func taken(_ collision: Collision) -> String {
    collision.winner == collision.sites.first?.place.description ? "the first is taken" : "the app's is taken"
  }

  static func sameness(_ collision: Collision) -> [String] {
    collision.identical == nil ? [] : [note(collision)]
  }
}
