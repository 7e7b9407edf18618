package import Artifacts
package import Findings

/// The selected items are at the root of the zip, not inside the folder that they were selected in.
package enum ParentFolder: Rule {
  package static let id: RuleID = "parent-folder"
  package static let kinds: Set<ArtifactKind>? = [.iosZip]

  /// Endings of folders that are items by themselves.
  private static let itemEndings = [".bundle", ".framework", ".xcframework"]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let items = inventory.items.filter { $0.metadata == nil }
    let roots = Set(items.compactMap { $0.path.split(separator: UInt8(ascii: "/")).first.map(Array.init) })
    guard let root = roots.first.map({ String(decoding: $0, as: UTF8.self) }), roots.count == 1,
      !itemEndings.contains(where: root.hasSuffix),
      items.contains(where: { $0.parts.count > 1 })
    else { return [] }
    return [
      finding(
        judging, "everything is inside one folder, '\(root)'", at: inventory.place,
        hint: "zip the items themselves, not the folder that holds them",
        edit: Edit(.manifest, "items: [\"\(root)/*\"]"))
    ]
  }
}

/// All tools read the same entries: no duplicate names, no overlaps, nothing that leaves the folder it is unpacked in.
package enum ArchiveStructure: Rule {
  package static let id: RuleID = "archive-structure"

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.irregularities.map {
      finding(
        judging, $0, about: [StableName.place($0)], at: inventory.place,
        hint: "tools read such an archive differently: make it again with npi-pack")
    }
  }
}
