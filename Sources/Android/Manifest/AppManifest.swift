import Documents

extension AndroidManifest {
  /// The manifest that an app's build merges those of libraries into.
  ///
  /// - Parameters:
  ///   - own: nil for an app that says nothing.
  ///   - namespace: the base of its relative class names, if the Gradle script gives one.
  ///   - minSDK: nil for an app that runs only on systems that every library is made for.
  package init(ofApp own: AndroidManifest?, namespace: String? = nil, minSDK: Int?) {
    let minimum = XMLTag.Attribute(
      name: "minSdkVersion", namespace: AndroidManifest.android, value: "\(minSDK ?? Int(Int32.max))")
    var root = own?.root ?? XMLTag(named: "manifest")
    // Gradle's value replaces that of the manifest; `tools:overrideLibrary` stays.
    var usesSDK = own?.usesSDK?.with(
      attributes: (own?.usesSDK?.attributes ?? []).filter { $0.name != minimum.name } + [minimum])
    usesSDK = usesSDK ?? XMLTag(named: "uses-sdk", [minimum])
    root.children = root.children.filter { $0.name != "uses-sdk" } + [usesSDK].compactMap(\.self)
    self.init(root: root, package: namespace ?? own?.package, isApps: true)
  }

  /// The manifest with the application's ID in place of `${applicationId}`.
  package func filled(applicationID: String) -> AndroidManifest {
    AndroidManifest(root: root.filled(["applicationId": applicationID]), package: package, isApps: isApps)
  }
}
