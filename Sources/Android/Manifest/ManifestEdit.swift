package import Artifacts
import Documents
import Findings

/// Values of a build that take the place of those of a manifest, as in a Gradle script.
package struct ManifestEdit: Sendable {
  package var namespace: String?
  package var minSDK: String?
  package var targetSDK: String?
  /// The values of `${name}` in attributes. A name without a value stays for the app's build.
  package var placeholders: [(name: String, value: String)] = []

  package init() {}

  package var isEmpty: Bool { namespace == nil && minSDK == nil && targetSDK == nil && placeholders.isEmpty }

  /// The problem of the values, with the key of the value.
  package var problem: (key: String, text: String)? {
    if let namespace, !AndroidManifest.isPackage(namespace) {
      return ("namespace", "'\(printable(namespace))' is no name of a Java package")
    }
    for (key, value) in [("min-sdk", minSDK), ("target-sdk", targetSDK)] {
      guard let value, AndroidManifest.level(value) == nil, !value.isIdentifier() else { continue }
      return (key, "'\(printable(value))' is neither an API level nor the code name of a preview")
    }
    return nil
  }
}

extension AndroidManifest {
  /// Throws if the manifest names another package than the edit's namespace.
  package func applying(_ edit: ManifestEdit) throws(UnreadableEntry) -> AndroidManifest {
    var root = root
    if let namespace = edit.namespace {
      if let package, !sameBytes(package, namespace) {
        throw UnreadableEntry("package=\"\(package)\" is another name than the namespace \(namespace)")
      }
      root = root.with("package", "", namespace)
    }
    root = root.filled(Dictionary(edit.placeholders.map { ($0.name, $0.value) }) { $1 })
    let levels = [("minSdkVersion", edit.minSDK), ("targetSdkVersion", edit.targetSDK)]
    if levels.contains(where: { $0.1 != nil }) {
      let first = root.children.firstIndex { $0.name == "uses-sdk" && $0.namespace.isEmpty }
      var tag = first.map { root.children[$0] } ?? XMLTag(named: "uses-sdk")
      for case (let name, let value?) in levels { tag = tag.with(name, AndroidManifest.android, value) }
      // A device reads every <uses-sdk>, so one that says something else would undo the edit.
      root.children.removeAll { $0.name == "uses-sdk" && $0.namespace.isEmpty }
      root.children.insert(tag, at: first ?? 0)
    }
    return AndroidManifest(root: root, package: edit.namespace ?? package, isApps: isApps)
  }

  /// The manifest of a library that says nothing itself.
  package init(namespace: String) {
    self.init(root: XMLTag(named: "manifest").with("package", "", namespace), package: namespace, isApps: false)
  }

  /// The manifest as a file.
  package var text: [UInt8] { XMLWriter.write(root) }
}

extension XMLTag {
  /// An element of a manifest that no file has.
  init(named name: String, _ attributes: [Attribute] = []) {
    self.init(
      name: name, namespace: "", attributes: attributes, prefixes: ["android": AndroidManifest.android],
      position: Position(line: 1, column: 1))
  }

  func with(attributes: [Attribute]) -> XMLTag {
    var tag = XMLTag(
      name: name, namespace: namespace, attributes: attributes, prefixes: prefixes, position: position, range: range)
    (tag.children, tag.text) = (children, text)
    return tag
  }

  /// The element with one attribute set; its prefix is declared.
  fileprivate func with(_ name: String, _ namespace: String, _ value: String) -> XMLTag {
    let others = attributes.filter { $0.name != name || $0.namespace != namespace }
    return with(attributes: others + [Attribute(name: name, namespace: namespace, value: value)])
  }

  /// The tree with values in place of `${name}` in its attributes.
  func filled(_ values: [String: String]) -> XMLTag {
    if values.isEmpty { return self }
    var tag = with(
      attributes: attributes.map { .init(name: $0.name, namespace: $0.namespace, value: $0.value.filled(values)) })
    tag.children = children.map { $0.filled(values) }
    return tag
  }
}

/// In bytes, with its braces: a text of nothing but opening braces is read once.
private let maxNameLength = 256

extension String {
  /// A name without a value stays as it is.
  fileprivate func filled(_ values: [String: String]) -> String {
    guard utf8.contains(UInt8(ascii: "$")) else { return self }
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let first = rest.first {
      if rest.starts(with: "${".utf8), let end = rest.prefix(maxNameLength).firstIndex(of: UInt8(ascii: "}")),
        let value = values[String(decoding: rest[rest.startIndex + 2..<end], as: UTF8.self)]
      {
        bytes += value.utf8
        rest = rest[(end + 1)...]
      } else {
        bytes.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
