package import Artifacts
package import Findings

/// No file or folder carries extended attributes: in a zip they become files that break the app's signature.
package enum ExtendedAttributes: Rule {
  package static let id: RuleID = "extended-attributes"

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.items.filter { !$0.attributes.isEmpty }.map { item in
      finding(
        judging, "\(item.lastPart) carries \(item.attributes.joined(separator: ", "))", about: item.attributes,
        at: inventory.site(item),
        hint: stripHint(inventory), edit: strip(inventory))
    }
  }
}

/// No resource forks: no AppleDouble files, no `__MACOSX`.
package enum ResourceForks: Rule {
  package static let id: RuleID = "resource-forks"

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let forks = inventory.items.filter { $0.attributes.contains { $0.hasSuffix("com.apple.ResourceFork") } }
    return forks.map {
      finding(
        judging, "\($0.lastPart) has a resource fork", at: inventory.site($0), hint: stripHint(inventory),
        edit: strip(inventory))
    } + leftovers(inventory, judging, "a leftover of resource forks") { $0.isForkFile }
  }
}

/// No files that the Finder leaves behind: `.DS_Store`, custom icons and the like.
package enum FinderMetadata: Rule {
  package static let id: RuleID = "finder-metadata"

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    leftovers(inventory, judging, "the Finder's own") { !$0.isForkFile }
  }
}

extension Rule {
  /// One finding for each outermost file or folder: a `__MACOSX` stands for all that is in it.
  fileprivate static func leftovers(
    _ inventory: Inventory, _ judging: Judging, _ what: String, where isMeant: (Item) -> Bool
  ) -> [Finding] {
    var seen: Set<[UInt8]> = []
    return inventory.items.compactMap { item in
      guard isMeant(item), let root = item.metadataRoot, seen.insert(root).inserted else { return nil }
      let name = String(decoding: root, as: UTF8.self)
      return finding(
        judging, "\(name) is \(what)", at: inventory.place.inside(name), hint: stripHint(inventory),
        edit: strip(inventory))
    }
  }
}

private func stripHint(_ inventory: Inventory) -> String {
  "npi-pack strip \(ShellText.quoted(path: inventory.place.parts.first ?? "PATH")) takes it off"
}

private func strip(_ inventory: Inventory) -> Edit? {
  Edit(.shell, "npi-pack strip \(inventory.place.parts.first ?? "")")
}
