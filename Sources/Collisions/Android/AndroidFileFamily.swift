package import Android
import Artifacts
package import Findings

/// The words for files of which an Android app has one at each path.
package protocol AppFileRule: CollisionRule {
  /// `hasOwn`: one of the files is the app's own, which is taken.
  static func verdict(isIdentical: Bool?, hasOwn: Bool) -> Collision.Verdict
}

extension AppFileRule {
  package static var platform: String? { "android" }

  static func collision(
    _ path: String, _ files: [(plugin: PluginID, place: Place, content: ContentChecksum?)], _ kind: Collision.Site.Kind,
    _ context: CheckContext
  ) -> Collision {
    let own = files.first { context[$0.plugin].isApp }
    let isIdentical = isIdentical(files.map(\.content))
    let verdict = verdict(isIdentical: isIdentical, hasOwn: own != nil)
    let winner = own ?? (verdict == .error ? nil : files.first)
    var collision = Collision(
      id, verdict, nil, path, files.map { site($0.place, of: $0.plugin, kind) }, winner: winner?.place.description,
      identical: isIdentical)
    collision.isAppsChoice = own != nil
    return collision
  }

  /// Nil if that is not known.
  private static func isIdentical(_ contents: [ContentChecksum?]) -> Bool? {
    let contents = Set(contents)
    if contents.count == 1 { return contents.contains(nil) ? nil : true }
    return contents.subtracting([nil]).count > 1 ? false : nil
  }

  /// The file that is taken, for a collision that stops no build.
  static func taken(_ collision: Collision) -> String {
    collision.isAppsChoice ? "the app's is taken" : "the first is taken"
  }

  static func sameness(_ collision: Collision) -> [String] {
    collision.identical == nil ? [] : [note(collision)]
  }
}

/// A family of native libraries or assets.
package protocol AndroidFileFamily: CollisionFamily, AppFileRule {
  static var kind: AndroidFile.Kind { get }
  /// A sentence on how files of one path differ; nil if the family compares only their bytes.
  static func detail(_ files: [AndroidFile]) -> String?
}

extension AndroidFileFamily {
  package static var rules: [any CollisionRule.Type] { [Self.self] }
  package static func detail(_ files: [AndroidFile]) -> String? { nil }

  /// Sorted by the bytes of the paths.
  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.numbered.flatMap { id, facts in
      facts.android.files.lazy.filter { $0.kind == kind }.map { (plugin: id, file: $0) }
    }
    if all.isEmpty { return .nothingToCompare }
    let twice = Dictionary(grouping: all, by: \.file.path).filter { $0.value.count > 1 }
    return .found(
      twice.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { path, files in
        var found = collision(
          path, files.map { ($0.plugin, $0.file.place, $0.file.content) }, kind == .library ? .library : .resource,
          context)
        if found.identical == false { found.detail = detail(files.map(\.file)) }
        return found
      })
  }
}
