import Android
import Documents
package import Findings

/// From API level 31 on a component that takes intents says whether other apps may send them: without `android:exported`
/// the Android Gradle plugin refuses the manifest, and a device the app.
package enum ExportedComponent: CollisionRule {
  package static let id: RuleID = "exported-component"
  package static let noun = (one: "component without android:exported", many: "components without android:exported")
  package static let platform: String? = "android"

  private static let components: Set<String> = ["activity", "activity-alias", "service", "receiver"]
  private static let firstLevel = 31

  /// The components of the libraries for which neither their own manifest nor the app's decides.
  static func search(
    _ libraries: [(manifest: AndroidManifest, site: Collision.Site?)], _ app: AndroidManifest, _ settings: AndroidApp
  ) -> [Collision] {
    if let target = settings.targetSDK, target < firstLevel { return [] }
    let decided = Set(app.components.filter { $0.tag.isDecided || $0.tag.isRemoved }.map(\.name))
    return libraries.flatMap { manifest, site -> [Collision] in
      manifest.components.compactMap { name, tag in
        guard let site, !tag.isDecided, !decided.contains(name),
          tag.children.contains(where: { $0.name == "intent-filter" })
        else { return nil }
        var collision = Collision(id, settings.targetSDK == nil ? .possible : .error, nil, name, [site])
        collision.examples = [tag.name]
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

extension AndroidManifest {
  /// The components of its application, by their full names.
  fileprivate var components: [(name: String, tag: XMLTag)] {
    root.children.filter { $0.name == "application" }.flatMap(\.children)
      .filter { ExportedComponent.isComponent($0) }
      .compactMap { tag in tag["name", namespace: Self.android].map { (fullName($0), tag) } }
  }
}

extension ExportedComponent {
  fileprivate static func isComponent(_ tag: XMLTag) -> Bool { components.contains(tag.name) }
}

extension XMLTag {
  fileprivate var isDecided: Bool { self["exported", namespace: AndroidManifest.android] != nil }
  fileprivate var isRemoved: Bool { self["node", namespace: AndroidManifest.tools] == "remove" }
}
