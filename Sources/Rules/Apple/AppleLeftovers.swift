package import Artifacts
package import Findings

/// No file or folder carries extended attributes: in a zip they become files that break the app's signature.
package enum ExtendedAttributes: Rule {
  package static let entry = RuleEntry(
    "extended-attributes", .error, "no file or folder carries extended attributes, such as quarantine")

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.items.filter { !$0.attributes.isEmpty }.map { item in
      finding(
        judging, "\(item.lastPart) carries \(item.attributes.joined(separator: ", "))", about: item.attributes,
        at: inventory.site(item),
        hint: stripHint(inventory))
    }
  }
}

/// No resource forks: no AppleDouble files, no `__MACOSX`.
package enum ResourceForks: Rule {
  package static let entry = RuleEntry("resource-forks", .error, "no resource forks: no AppleDouble files, no __MACOSX")

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let forks = inventory.items.filter { $0.attributes.contains { $0.hasSuffix("com.apple.ResourceFork") } }
    return forks.map {
      finding(
        judging, "\($0.lastPart) has a resource fork", at: inventory.site($0), hint: stripHint(inventory))
    } + leftovers(inventory, judging, "a leftover of resource forks") { $0.isForkFile }
  }
}

/// What the Finder leaves behind: `.DS_Store`, custom icons and the like.
package enum FinderMetadata: Rule {
  package static let entry = RuleEntry(
    "finder-metadata", .warning, "nothing that the Finder leaves behind, such as .DS_Store")

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
        judging, "\(name) is \(what)", at: inventory.place.inside(name), hint: stripHint(inventory))
    }
  }
}

private func stripHint(_ inventory: Inventory) -> String {
  "npi-pack strip \(ShellText.quoted(path: inventory.place.parts.first ?? "PATH")) takes it off"
}

extension ExtendedAttributes {
  package static let explanation = RuleExplanation(
    why: """
      A zip has no place for extended attributes: on a Mac each becomes a file of its own below
      `__MACOSX`. In the app these are files that were added after it was signed: the check of its
      signature can fail, and with it the submission to the App Store. The usual one is
      `com.apple.quarantine`, which browsers and mail programs put on what they download.
      """,
    bad: """
      $ xattr -l ios/libRallyConnector.a
      com.apple.quarantine: 0083;00000000;Safari;
      """,
    good: """
      $ npi-pack strip ios
      $ xattr -l ios/libRallyConnector.a
      """,
    mend: """
      `npi-pack strip PATH` takes them off a folder, or out of an archive; on a Mac `xattr -cr PATH` does
      so for a folder. Then make the zip again. What npi-pack packs carries none.
      """)
}

extension ResourceForks {
  package static let explanation = RuleExplanation(
    why: """
      A resource fork is a second content of a file, which only a Mac keeps. In a zip it is a file beside
      it (`._name`), mostly below `__MACOSX`. Unpacked elsewhere these are files like any other: in the
      app they were added after it was signed, and the check of its signature can fail.
      """,
    bad: """
      libRallyConnector.a
      __MACOSX/._libRallyConnector.a
      """,
    good: """
      libRallyConnector.a
      """,
    mend: """
      `npi-pack strip PATH` takes them off a folder, or out of an archive. The Finder's "Compress" puts
      them into a zip; npi-pack does not.
      """)
}

extension FinderMetadata {
  package static let explanation = RuleExplanation(
    why: """
      `.DS_Store` keeps how the Finder shows a folder, with names of files that were in it. Nothing on a
      device reads it. In a bundle it is shipped to every user, tells of the vendor's folders, and makes
      each archive of the same sources a different one.
      """,
    bad: """
      RallyConnector.bundle/.DS_Store
      RallyConnector.bundle/Info.plist
      """,
    good: """
      RallyConnector.bundle/Info.plist
      """,
    mend: """
      `npi-pack strip PATH` takes them off a folder, or out of an archive. Keep them out of the repository
      with a line `.DS_Store` in `.gitignore`. npi-pack does not pack them.
      """)
}
