import Artifacts
package import Findings
import Linking

/// A library that the linker refuses for the alignment of its members, whatever else is in the app.
package enum MisalignedLibrary: CollisionRule {
  package static let id = MisalignedMemberText.rule
  package static let noun = (one: "misaligned library", many: "misaligned libraries")

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    var text = MisalignedMemberText.text(
      count: collision.count, named: collision.examples, of: collision.name.text)
    if collision.verdict == .error { text.message += ": the link fails" }
    return text
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    MisalignedMemberText.edit(all.first?.sites.first?.artifact.parts.last ?? "")
  }

  static func collisions(in searched: SearchedLink) -> [Collision] {
    let (link, set) = (searched.link, searched.link.symbols.set)
    let loaded = Set(link.symbols.loaded.elements.map(\.object))
    return link.files.named.sorted().compactMap { file in
      guard case .archive(let archive) = set.content(of: file), !archive.misaligned.isEmpty else { return nil }
      let site = searched.site(LinkPlace(file: set.files[file].path), .library)
      let name = site.artifact.lastName
      // Reports do not say whether the linker also stops at a member that is not needed.
      let isNeeded = archive.misaligned.contains { set.object($0, of: file).map(loaded.contains) ?? false }
      var collision = Collision(id, isNeeded ? .error : .warning, searched.slice, name, [site])
      collision.count = archive.misaligned.count
      collision.examples = archive.misaligned.prefix(MisalignedMemberText.maxNamed).map { archive.members[$0].name }
      return collision
    }
  }
}
