package import Artifacts
package import Findings
import ObjectFiles

/// Members of a static library are aligned as Apple's current linker requires.
package enum MisalignedMember: Rule {
  package static let id = MisalignedMemberText.rule
  package static let facts: [any Facts.Type] = [CodeFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.facts(CodeFacts.self).flatMap { item, code in
      code.slices.compactMap { slice in
        let slices = code.slices.count > 1 ? "(\(slice.architecture))" : ""
        return finding(slice, item.lastPart, at: inventory.site(item, slices: slices), judging.level)
      }
    }
  }

  /// The finding on one slice of a library; nil if it has no such member.
  private static func finding(_ slice: SliceFacts, _ file: String, at site: Place, _ level: Level) -> Finding? {
    let members = slice.misaligned
    guard let first = members.first else { return nil }
    var (message, notes, hint) = MisalignedMemberText.text(
      count: members.count, named: members.prefix(MisalignedMemberText.maxNamed).map(\.member), of: file)
    notes[0] += "; the first at byte \(first.offset)"
    return Finding(
      id, level, message, about: members.map(\.member), at: [site], notes: notes, hint: hint,
      edit: MisalignedMemberText.edit(site.parts.last ?? ""))
  }
}
