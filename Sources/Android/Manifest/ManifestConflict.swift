import Artifacts
package import Documents
package import Findings

package struct ManifestConflict: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable {
    /// Both give the same attribute of the same element, with different values.
    case attribute
    /// The embedded library needs a newer system than the plugin does.
    case minimumSDK
    /// Two providers claim the same authority; a device installs only one.
    case authority
    /// Elements that must be equal differ, or a relative class name cannot be resolved.
    case element
  }

  package enum Owner: Hashable, Sendable {
    case plugin, app
    case library(String)

    /// The AAR's name; nil for the manifest that the others are merged into.
    package var name: String? {
      if case .library(let name) = self { return name }
      return nil
    }
  }

  package struct Site: Hashable, Sendable {
    package let owner: Owner
    package let position: XMLTag.Position

    package var name: String? { owner.name }
  }

  package let kind: Kind
  /// In the plugin, or in the AAR that was merged before.
  package let site: Site
  package let otherSite: Site
  /// The attribute, authority or element that differs.
  package let subject: String
  /// One line, lower case.
  package let description: String
  package let hint: String
  package var edit: Edit?
}

extension ManifestConflict.Site: CustomStringConvertible {
  package var description: String {
    let place = "line \(position.line), column \(position.column)"
    return switch owner {
    case .plugin: "in the plugin's own manifest (\(place))"
    case .app: "in the app's manifest (\(place))"
    case .library(let name): "in the manifest of \(printable(name)) (\(place))"
    }
  }
}

extension ManifestConflict {
  /// `<activity> com.example.Main`.
  static func words(_ node: ManifestNode) -> String {
    let key = node["name"] ?? node["glEsVersion"] ?? node["authorities"]
    // An element that occurs only once needs no name.
    let isSingle = ["application", "instrumentation"].contains(node.tag.name)
    return "<\(printable(node.tag.name))>" + (isSingle ? "" : key.map { " \(shown($0.meaning))" } ?? "")
  }

  /// Names have a few dozen letters; a name of megabytes would be repeated in every message about its children.
  private static func shown(_ text: String) -> String {
    text.utf8.count <= 1000 ? printable(text) : printable(String(text.unicodeScalars.prefix(200))) + "…"
  }

  static func attribute(
    _ node: ManifestNode, _ own: ManifestNode.Value, _ other: ManifestNode.Value
  ) -> ManifestConflict {
    let prefix =
      own.namespace == AndroidManifest.android
      ? "android"
      : node.tag.prefixes.filter { $0.value == own.namespace && !$0.key.isEmpty }.map(\.key).min()
    let name = (own.namespace.isEmpty ? nil : prefix).map { "\($0):\(own.name)" } ?? own.name
    let element = words(node)
    let replace = "tools:replace=\"\(printable(name))\""
    return .init(
      kind: .attribute, site: own.site, otherSite: other.site, subject: "\(name) \(element)",
      description: "\(printable(name)) of \(element) is '\(shown(own.text))' \(own.site), but "
        + "'\(shown(other.text))' \(other.site)",
      hint: node.site.name == nil
        ? "add \(replace) to \(element) in your manifest"
        : "declare \(element) in your manifest, with the value that you want and \(replace)",
      edit: Edit(.androidManifest, "tools:replace=\"\(attribute(prefix, own))\""))
  }

  private static func attribute(_ prefix: String?, _ value: ManifestNode.Value) -> Edit.Line {
    prefix.map { "\($0):\(value.name)" } ?? "\(value.name)"
  }

  static func authority(
    _ authority: String, _ first: (node: ManifestNode, site: Site), _ second: (node: ManifestNode, site: Site)
  ) -> ManifestConflict {
    let (element, other) = (words(first.node), words(second.node))
    return .init(
      kind: .authority, site: first.site, otherSite: second.site, subject: authority,
      description: "the authority '\(shown(authority))' is claimed by \(element) \(first.site), and by \(other) "
        + "\(second.site)",
      hint: "give one of them another authority, or remove one with tools:node=\"remove\" in your manifest")
  }
}
