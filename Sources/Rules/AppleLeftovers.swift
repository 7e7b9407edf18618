package import Artifacts
package import Findings

/// No file or folder carries extended attributes: in a zip they become files that break the app's signature.
package enum ExtendedAttributes: Rule {
  package static let id: RuleID = "extended-attributes"
  package static let parameters: [RuleParameter] = []

  package static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    inventory.items.filter { !$0.attributes.isEmpty }.map { item in
      Finding(
        id, settings.level, "\(item.lastPart) carries \(item.attributes.joined(separator: ", "))",
        at: [inventory.site(item)], hint: stripHint(inventory))
    }
  }
}

/// No resource forks: no AppleDouble files, no `__MACOSX`.
package enum ResourceForks: Rule {
  package static let id: RuleID = "resource-forks"
  package static let parameters: [RuleParameter] = []

  package static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    inventory.items.compactMap { item in
      let isFork = item.isForkFile
      guard isFork || item.attributes.contains(where: { $0.hasSuffix("com.apple.ResourceFork") }) else { return nil }
      return Finding(
        id, settings.level, isFork ? "\(item.name) is a leftover of a resource fork" : "\(item.name) has a resource fork",
        at: [inventory.site(item)], hint: stripHint(inventory))
    }
  }
}

/// What the Finder leaves behind: `.DS_Store`, custom icons and the like.
package enum FinderMetadata: Rule {
  package static let id: RuleID = "finder-metadata"
  package static let parameters: [RuleParameter] = []

  package static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    inventory.items.filter { $0.metadata != nil && !$0.isForkFile }.map { item in
      Finding(
        id, settings.level, "\(item.name) is the Finder's own", at: [inventory.site(item)], hint: stripHint(inventory))
    }
  }
}

private func stripHint(_ inventory: Inventory) -> String {
  "npi-pack strip \(inventory.place.parts.first ?? "PATH") takes it off"
}
