package import Artifacts
package import Findings

/// A framework for devices has no framework and no folder `Frameworks` in itself: the App Store refuses an app that
/// embeds one (ITMS-90205, ITMS-90206).
package enum NestedFramework: Rule {
  package static let id: RuleID = "nested-framework"
  package static let kinds: Set<ArtifactKind>? = .apple

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    var inside: [String: Set<String>] = [:]
    let root = inventory.rootName.hasSuffix(ending) ? [inventory.rootName] : []
    // A framework for macOS has links to what is in `Versions`.
    for item in inventory.items where item.metadata == nil && !item.isLink {
      let parts = root + item.parts
      guard let outer = parts.firstIndex(where: { $0.hasSuffix(ending) }), !isForMac(parts[..<outer]) else {
        continue
      }
      let rest = parts[(outer + 1)...]
      // Only frameworks for macOS and Mac Catalyst have `Versions`.
      guard rest.first != "Versions", rest.first == "Frameworks" || rest.contains(where: { $0.hasSuffix(ending) })
      else { continue }
      let path = parts[...outer].dropFirst(root.count).joined(separator: "/")
      inside[path, default: []].formUnion(rest.filter { $0.hasSuffix(ending) })
    }
    return inside.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { path, frameworks in
      let name = path.isEmpty ? inventory.rootName : String(path.lastPathPart)
      let names = frameworks.sorted()
      return finding(
        judging,
        "\(name) has \(names.isEmpty ? "a folder Frameworks" : listed(names)) in itself: the App Store refuses an app "
          + "that embeds it",
        about: names, at: path.isEmpty ? inventory.place : inventory.place.inside(path),
        hint: names.isEmpty
          ? "leave the folder out: set 'Always Embed Swift Standard Libraries' to No for the framework's target"
          : "ship it beside \(name), for the app to embed")
    }
  }

  private static let ending = ".framework"

  /// Whether the folders are those of an XCFramework's slice for macOS or Mac Catalyst, where frameworks may hold others.
  private static func isForMac(_ folders: ArraySlice<String>) -> Bool {
    folders.contains { $0.hasPrefix("macos-") || $0.hasSuffix("-maccatalyst") }
  }
}
