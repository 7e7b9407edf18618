package import Artifacts
package import Findings

/// The selected items are at the root of the zip, not inside the folder that they were selected in.
package enum ParentFolder: Rule {
  package static let entry = RuleEntry(
    "parent-folder", .error, "the items are at the zip's root, not inside their common parent folder")
  package static let kinds: Set<ArtifactKind>? = [.iosZip]

  /// Folders that are an item by themselves.
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
        hint: "zip the items themselves, not the folder that holds them")
    ]
  }
}

/// All tools read the same entries: no duplicate names, no overlaps, nothing that leaves the folder it is unpacked in.
package enum ArchiveStructure: Rule {
  package static let entry = RuleEntry(
    "archive-structure", .error, "all tools read the same entries: no duplicates, overlaps or escaping names")

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.irregularities.map {
      finding(
        judging, $0, about: [StableName.place($0)], at: inventory.place,
        hint: "tools read such an archive differently: make it again with npi-pack")
    }
  }
}

extension ParentFolder {
  package static let explanation = RuleExplanation(
    why: """
      The host unpacks the zip and takes libraries and bundles from its root. If all of them are inside
      one folder it finds none, and links nothing of the plugin. "Compress" on a folder makes such a zip.
      """,
    bad: """
      RallyConnector/libRallyConnector.a
      RallyConnector/RallyConnector.bundle/Info.plist
      """,
    good: """
      libRallyConnector.a
      RallyConnector.bundle/Info.plist
      """,
    mend: """
      Let a deliverable of the kind `ios-zip` write the zip, and list the items themselves. By hand:
      select the items in the Finder and compress them, not the folder that they are in; in a shell,
      `cd RallyConnector && zip -r ../RallyConnector.zip .`
      """)
}

extension ArchiveStructure {
  package static let explanation = RuleExplanation(
    why: """
      Some tools go by the directory at the end of a zip, others by the header before each entry. Where
      these differ, or two entries have one name or overlap, what one tool checks is not what another
      unpacks: 7z and Java take overlapping entries, every tool takes duplicates. SwiftPM hangs on a
      duplicate. A name such as `../x` leads out of the folder that the archive is unpacked in.
      """,
    bad: """
      libRallyConnector.a
      libRallyConnector.a
      ../RallyConnector.bundle/Info.plist
      """,
    good: """
      libRallyConnector.a
      RallyConnector.bundle/Info.plist
      """,
    mend: """
      Make the archive again from its files, with a deliverable of this tool. One that came from somebody
      else in this state is damaged, or was made to deceive: ask for another, and do not unpack it.
      """)
}
