import Documents

extension AndroidManifest {
  /// The manifest that an app's build merges those of libraries into.
  ///
  /// - Parameters:
  ///   - own: nil for an app that says nothing.
  ///   - namespace: the base of its relative class names, if the Gradle script gives one.
  ///   - minSDK: nil for an app that runs only on systems that every library is made for.
  package init(ofApp own: AndroidManifest?, namespace: String? = nil, minSDK: Int?) {
    let position = XMLTag.Position(line: 1, column: 1)
    func tag(_ name: String, _ attributes: [XMLTag.Attribute] = []) -> XMLTag {
      XMLTag(
        name: name, namespace: "", attributes: attributes, prefixes: ["android": AndroidManifest.android],
        position: position)
    }
    let minimum = XMLTag.Attribute(
      name: "minSdkVersion", namespace: AndroidManifest.android, value: "\(minSDK ?? Int(Int32.max))")
    var root = own?.root ?? tag("manifest")
    // Gradle's value replaces that of the manifest; `tools:overrideLibrary` stays.
    var usesSDK = own?.usesSDK?.with(
      attributes: (own?.usesSDK?.attributes ?? []).filter { $0.name != minimum.name } + [minimum])
    usesSDK = usesSDK ?? tag("uses-sdk", [minimum])
    root.children = root.children.filter { $0.name != "uses-sdk" } + [usesSDK].compactMap(\.self)
    self.init(root: root, package: namespace ?? own?.package, isApps: true)
  }

  /// The manifest with the application's ID in place of `${applicationId}`.
  package func filled(applicationID: String) -> AndroidManifest {
    AndroidManifest(root: root.filled(applicationID), package: package, isApps: isApps)
  }
}

extension XMLTag {
  fileprivate func with(attributes: [Attribute]) -> XMLTag {
    var tag = XMLTag(
      name: name, namespace: namespace, attributes: attributes, prefixes: prefixes, position: position, range: range)
    (tag.children, tag.text) = (children, text)
    return tag
  }

  fileprivate func filled(_ applicationID: String) -> XMLTag {
    var tag = with(
      attributes: attributes.map {
        .init(name: $0.name, namespace: $0.namespace, value: $0.value.filled(applicationID))
      })
    tag.children = children.map { $0.filled(applicationID) }
    return tag
  }
}

extension String {
  fileprivate func filled(_ applicationID: String) -> String {
    let placeholder = Array("${applicationId}".utf8)
    guard utf8.contains(UInt8(ascii: "$")) else { return self }
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let first = rest.first {
      if rest.starts(with: placeholder) {
        bytes += applicationID.utf8
        rest = rest.dropFirst(placeholder.count)
      } else {
        bytes.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
