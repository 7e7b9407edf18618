package import Artifacts
package import Findings
import ObjectFiles

/// Code carries no bitcode beside its machine code. Apple's compilers made it up to Xcode 13; now the App Store refuses it
/// in what an app embeds, and in a static library nothing reads it.
package enum BitcodePresent: HostRule {
  package static let id: RuleID = "bitcode-present"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.facts(CodeFacts.self).compactMap { item, code in
      let slices = code.slices.filter { $0.bitcodeSize > 0 }
      guard let first = slices.first else { return nil }
      let isEmbedded = first.form == .machO(.dylib)
      let size = slices.reduce(0) { min($0, .max - $1.bitcodeSize) + $1.bitcodeSize }
      var found = finding(
        judging,
        isEmbedded
          ? "\(item.lastPart) has bitcode: the App Store refuses an app that embeds it"
          : "\(item.lastPart) carries \(shown(size)) of bitcode, which nothing reads",
        about: slices.map(\.architecture.name), at: inventory.site(item),
        notes: ["in its code for \(listed(slices.map(\.architecture.name)))"],
        hint: isEmbedded
          ? "build it with ENABLE_BITCODE = NO, or take it out before signing: xcrun bitcode_strip -r"
          : "build it with ENABLE_BITCODE = NO, or without -fembed-bitcode",
        edit: Edit(.xcconfig, "ENABLE_BITCODE = NO"))
      // The linker leaves the bitcode of a static library out: it only takes room.
      if !isEmbedded { found.level = min(found.level, .note) }
      return found
    }
  }

  private static func shown(_ size: Int) -> String {
    size >= 1 << 20 ? "\(size >> 20) MB" : size >= 1 << 10 ? "\(size >> 10) KB" : counted(size, "byte")
  }
}
