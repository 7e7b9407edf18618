import Documents

/// An activity, service or receiver in a manifest.
package struct ManifestComponent: Sendable {
  /// The name of its element.
  package let element: String
  /// The full name of its class, or of an alias.
  package let name: String
  package let takesIntents: Bool
  /// Whether it says if other apps may send it intents.
  package let saysExported: Bool
  /// Whether it only takes a library's component out of the app.
  package let isRemoved: Bool

  fileprivate init?(_ tag: XMLTag, of manifest: AndroidManifest) {
    guard ["activity", "activity-alias", "service", "receiver"].contains(tag.name),
      let name = tag["name", namespace: AndroidManifest.android]
    else { return nil }
    element = tag.name
    self.name = manifest.fullName(name)
    takesIntents = tag.children.contains { $0.name == "intent-filter" }
    saysExported = tag["exported", namespace: AndroidManifest.android] != nil
    isRemoved = tag["node", namespace: AndroidManifest.tools] == "remove"
  }
}

extension AndroidManifest {
  package var components: [ManifestComponent] {
    root.children.filter { $0.name == "application" }.flatMap(\.children)
      .compactMap { ManifestComponent($0, of: self) }
  }

  /// The permissions that it defines, and whether it only takes that of a library out of the app.
  package var permissions: [(name: String, isRemoved: Bool)] {
    root.children.filter { $0.name == "permission" && $0.namespace.isEmpty }.compactMap { tag in
      tag["name", namespace: AndroidManifest.android].map {
        ($0, tag["node", namespace: AndroidManifest.tools] == "remove")
      }
    }
  }

  /// The full name of a class.
  fileprivate func fullName(_ name: String) -> String {
    guard let package, ManifestModel.isRelative(name) else { return name }
    return package + (name.hasPrefix(".") ? "" : ".") + name
  }
}
