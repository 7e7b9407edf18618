import Android
package import Findings

/// A permission that a library defines under a name of its own, without the app's ID: a device installs no second app that
/// defines it, unless both are signed with one key (`INSTALL_FAILED_DUPLICATE_PERMISSION`).
package enum DuplicatePermission: CollisionRule {
  package static let id: RuleID = "duplicate-permission"
  package static let noun = (
    one: "permission of one name for all apps", many: "permissions of one name for all apps"
  )
  package static let platform: String? = "android"

  /// One for each name, with the libraries that define it.
  static func search(
    _ libraries: [(manifest: AndroidManifest, site: Collision.Site)], _ app: AndroidManifest, _ settings: AndroidApp
  ) -> [Collision] {
    let removed = Set(app.permissions.filter(\.isRemoved).map(\.name))
    var sites: [String: [Collision.Site]] = [:]
    for (manifest, site) in libraries {
      for name in Set(manifest.permissions.map(\.name)) where !isApps(name, settings) && !removed.contains(name) {
        sites[name, default: []].append(site)
      }
    }
    return sites.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, sites in
      var collision = Collision(id, .possible, nil, name, sites)
      collision.triggers = [.init(text: "a second app with it")]
      return collision
    }
  }

  /// Whether the app's ID is in the name, or will be.
  private static func isApps(_ name: String, _ app: AndroidApp) -> Bool {
    name.contains("${applicationId}") || app.applicationID.map { name.hasPrefix("\($0).") } == true
  }

  package static var isInCommon: Bool { false }

  package static func outcome(_ collision: Collision) -> String? { "a device installs one app with it" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "the permission \(collision.name.text) has one name for all apps: a device installs no second app that defines it, "
        + "unless one key has signed both", ["reported, not measured: INSTALL_FAILED_DUPLICATE_PERMISSION"],
      "ask the vendor to begin its name with ${applicationId}, or take it out with tools:node=\"remove\" in your manifest"
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    guard all.count == 1, let name = all.first?.name.text else { return nil }
    return Edit(.androidManifest, "<permission android:name=\"\(name)\" tools:node=\"remove\" />")
  }
}
