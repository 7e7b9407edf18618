package import Artifacts
package import Findings
import ObjectFiles

/// Members of a static library lie where Apple's linker of today takes them from.
package enum MisalignedMember: Rule {
  package static let entry = RuleEntry(
    MisalignedMemberText.rule, .warning, "64-bit members of a static library begin at multiples of 8")
  package static let facts: [any Facts.Type] = [CodeFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.facts(CodeFacts.self).flatMap { item, code -> [Finding] in
      guard item.metadata == nil else { return [] }
      return code.slices.compactMap { slice in
        let slices = code.slices.count > 1 ? "(\(slice.architecture))" : ""
        return finding(slice, item.lastPart, at: inventory.site(item, slices: slices), judging.level)
      }
    }
  }

  /// What is said of one slice of a library; nil if it has no such member.
  private static func finding(_ slice: SliceFacts, _ file: String, at site: Place, _ level: Level) -> Finding? {
    let members = slice.misaligned
    guard let first = members.first else { return nil }
    var (message, notes, hint) = MisalignedMemberText.text(
      count: members.count, named: members.prefix(MisalignedMemberText.maxNamed).map(\.member), of: file)
    notes[0] += "; the first at byte \(first.offset)"
    return Finding(id, level, message, about: members.map(\.member), at: [site], notes: notes, hint: hint)
  }
}

extension MisalignedMember {
  package static let explanation = RuleExplanation(
    why: """
      Apple's linker of today stops at such a library:
      `64-bit mach-o member 'X' not 8-byte aligned in 'Y'` (reported of Xcode 16 and later, not measured;
      that it does so for a member that nobody needs, too, is not known). Apple's `libtool -static` is
      reported to drop such members in silence: their classes are missing in what it makes. Older linkers
      take members at multiples of 4.
      """,
    bad: """
      $ llvm-ar --format=gnu rcs libRallyConnector.a RCStory.o RCStrings.o
      $ llvm-ar tO libRallyConnector.a
      RCStory.o 0xa2
      RCStrings.o 0x24e
      """,
    good: """
      $ llvm-ar --format=darwin rcsD libRallyConnector.a RCStory.o RCStrings.o
      $ llvm-ar tO libRallyConnector.a
      RCStory.o 0xc8
      RCStrings.o 0x280
      """,
    mend: """
      Make the library again with Apple's `libtool -static`, from the object files, or with
      `llvm-ar --format=darwin`. Of a library that is not yours: take each slice (`lipo -thin`) apart with
      `llvm-ar x` and make it again so, as long as no two members have one name; or ask its vendor to.
      """)
}
