import Android
package import Findings

/// A library that needs a newer Android than the app runs on. Of an app that is not known nothing is said: every library
/// needs some Android.
package enum MinimumSDKClash: CollisionRule {
  package static let id: RuleID = "minimum-sdk"
  package static let noun = (one: "library for a newer Android", many: "libraries for a newer Android")
  package static let platform: String? = "android"

  /// - Parameter libraries: with what the merger says of them.
  static func search(
    _ libraries: [(manifest: AndroidManifest, site: Collision.Site, isTooNew: Bool)], _ app: AndroidApp
  ) -> [Collision] {
    libraries.filter(\.isTooNew).map { manifest, site, _ in
      let level = manifest.minSDK ?? ""
      var collision = Collision(id, .error, nil, level, [site])
      if AndroidManifest.level(level) == nil {
        collision.examples = [
          "is made for '\(printable(level))', a preview of Android",
          "take a version of the library for a released Android",
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
  }

  package static var isInCommon: Bool { false }

  package static func outcome(_ collision: Collision) -> String? { "the Android build fails" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let library = collision.sites.first?.artifact.lastName ?? ""
    return (
      "\(library) \(collision.examples.first ?? ""): the Android build fails", [], collision.examples.last ?? ""
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    let levels = all.compactMap { AndroidManifest.level($0.name.text) }
    guard let level = levels.max() else { return nil }
    return Edit(.gradle, "android { defaultConfig { minSdk = \(level) } }")
  }
}
