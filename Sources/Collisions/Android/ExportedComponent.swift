import Android
package import Findings

/// From API level 31 on a component that takes intents says whether other apps may send them: without `android:exported`
/// the Android Gradle plugin refuses the manifest, and a device the app.
package enum ExportedComponent: CollisionRule {
  package static let id: RuleID = "exported-component"
  package static let noun = (one: "component without android:exported", many: "components without android:exported")
  package static let platform: String? = "android"

  private static let firstLevel = 31

  /// The components of the libraries for which neither their own manifest nor the app's decides.
  static func search(
    _ libraries: [(manifest: AndroidManifest, site: Collision.Site)], _ app: AndroidManifest, _ settings: AndroidApp
  ) -> [Collision] {
    if let target = settings.targetSDK, target < firstLevel { return [] }
    let decided = Set(app.components.filter { $0.saysExported || $0.isRemoved }.map(\.name))
    return libraries.flatMap { manifest, site in
      manifest.components.compactMap { component in
        guard component.takesIntents, !component.saysExported, !decided.contains(component.name) else {
          return nil
        }
        var collision = Collision(id, settings.targetSDK == nil ? .possible : .error, nil, component.name, [site])
        collision.examples = [component.element]
        if settings.targetSDK == nil { collision.triggers = [.init(text: "targetSdkVersion \(firstLevel) or newer")] }
        return collision
      }
    }
  }

  package static func outcome(_ collision: Collision) -> String? {
    collision.verdict == .error ? "the Android build fails" : "the build of an app for Android 12 or newer fails"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(collision.name.text) has an <intent-filter> and no android:exported: \(outcome(collision) ?? "")", [],
      "take a newer version of the library, or declare the component in the app's manifest with android:exported"
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    guard all.count == 1, let component = all.first, let element = component.examples.first else { return nil }
    return Edit(
      .androidManifest, "<\(element) android:name=\"\(component.name.text)\" android:exported=\"false\" />")
  }
}
