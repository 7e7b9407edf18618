package import Artifacts
package import Findings
import ObjectFiles

/// Frameworks of an extension are in its app's `Frameworks`, where both find them.
package enum EmbeddedFramework: ExtensionRule {
  package static let id: RuleID = "embedded-framework"
  package static let facts: [any Facts.Type] = [CodeFacts.self, CodeUses.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let extensions = AppExtension.all(of: inventory)
    return extensions.flatMap { inside($0, inventory, judging) + loads($0, inventory, judging) }
      + (extensions.isEmpty ? [] : sharedFrameworks(inventory, judging))
  }

  private static func inside(_ one: AppExtension, _ inventory: Inventory, _ judging: Judging) -> [Finding] {
    var seen: Set<String> = []
    return one.items.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.compactMap { path, item in
      let parts = path.pathParts.map(String.init)
      let isLibrary =
        item.isFile && item.facts(CodeUses.self)?.slices.contains(where: \.isDynamicLibrary) == true
      let index = parts.firstIndex { $0 == "Frameworks" || $0.hasSuffix(".framework") || $0.hasSuffix(".appex") }
      guard let end = index ?? (isLibrary ? parts.count - 1 : nil) else { return nil }
      let root = parts[...end].joined(separator: "/")
      guard seen.insert(root).inserted else { return nil }
      return finding(
        judging, "\(one.name) has '\(root)' in itself: the App Store refuses such an app",
        at: inventory.place.inside(one.path == inventory.place.parts.last ? root : "\(one.path)/\(root)"),
        hint: "the app embeds it, in its own Frameworks, and the extension finds it there")
    }
  }

  /// The finding on a framework that is searched for where it cannot be.
  private static func loads(_ one: AppExtension, _ inventory: Inventory, _ judging: Judging) -> [Finding] {
    guard let binary = one.binary, let slice = binary.facts(CodeUses.self)?.slices.first else { return [] }
    guard let first = slice.loads.first(where: { $0.hasPrefix("@rpath/") }) else { return [] }
    let ofApp = ["@executable_path/../../Frameworks", "@loader_path/../../Frameworks"]
    if slice.searchPaths.contains(where: { path in ofApp.contains(where: path.hasPrefix) }) { return [] }
    return [
      finding(
        judging, "\(binary.lastPart) loads \(first), and does not look into its app's Frameworks",
        about: ["@rpath"], at: inventory.site(binary),
        notes: slice.searchPaths.isEmpty ? [] : ["it looks into \(listed(slice.searchPaths))"],
        hint: "link it with -rpath @executable_path/../../Frameworks",
        edit: Edit(.xcconfig, "LD_RUNPATH_SEARCH_PATHS = $(inherited) @executable_path/../../Frameworks"))
    ]
  }

  private static func sharedFrameworks(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    var seen: Set<String> = []
    return inventory.items.compactMap { item in
      let parts = item.parts
      guard let index = parts.firstIndex(of: "SharedFrameworks") else { return nil }
      let root = parts[...index].joined(separator: "/")
      guard seen.insert(root).inserted else { return nil }
      return finding(
        judging, "'\(root)' is no place for frameworks on iOS: the App Store refuses such an app",
        at: inventory.place.inside(root), hint: "choose Frameworks as their destination")
    }
  }
}
