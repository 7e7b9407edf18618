import Android
package import Findings

/// A library that needs a newer Android than the app runs on.
package enum MinimumSDKClash: CollisionRule {
  package static let id: RuleID = "minimum-sdk"
  package static let noun = (one: "library for a newer Android", many: "libraries for a newer Android")
  package static let platform: String? = "android"

  /// - Parameter libraries: with what the merger says of them.
  static func search(
    _ libraries: [(manifest: AndroidManifest, site: Collision.Site, isTooNew: Bool)], _ app: AndroidApp
  ) -> [Collision] {
    let found = libraries.filter(\.isTooNew).map { manifest, site, _ in
      let level = manifest.minSDK ?? ""
      var collision = Collision(id, .error, nil, level, [site])
      if AndroidManifest.level(level) == nil {
        collision.examples = [
          "is made for '\(printable(level))', a preview of Android", "take a version of the library for a released Android",
        ]
      } else {
        collision.examples = [
          "needs Android \(printable(level)) (minSdkVersion), and the app runs from \(app.minSDK ?? 1) on",
          "raise the app's minSdk, take an older version of the library, or add tools:overrideLibrary to <uses-sdk> in the "
            + "app's manifest if no code of it runs there",
        ]
      }
      return collision
    }
    guard found.isEmpty, app.minSDK == nil,
      let newest = libraries.max(by: { apiLevel($0.manifest) < apiLevel($1.manifest) }), apiLevel(newest.manifest) > 1
    else { return found }
    let level = apiLevel(newest.manifest)
    var collision = Collision(id, .possible, nil, "\(level)", [newest.site])
    collision.triggers = [.init(text: "a minSdk below \(level)")]
    collision.examples = ["needs Android \(level) (minSdkVersion), the newest of all", "--min-sdk tells the app's"]
    return [collision]
  }

  private static func apiLevel(_ manifest: AndroidManifest) -> Int { AndroidManifest.level(manifest.minSDK) ?? 1 }

  package static var isInCommon: Bool { false }

  package static func level(_ collision: Collision) -> Level { collision.verdict == .error ? .error : .note }

  package static func outcome(_ collision: Collision) -> String? {
    collision.verdict == .error
      ? "the Android build fails" : "the build of an app with \(collision.shownTriggers) fails"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let library = collision.sites.first?.artifact.lastName ?? ""
    return (
      "\(library) \(collision.examples.first ?? ""): \(outcome(collision) ?? "")", [], collision.examples.last ?? ""
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    let levels = all.compactMap { $0.verdict == .error ? Int($0.name.text) : nil }
    guard let level = levels.max() else { return nil }
    return Edit(.gradle, "android { defaultConfig { minSdk = \(level) } }")
  }
}
