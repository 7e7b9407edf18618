package import Artifacts
package import Findings
import ObjectFiles

/// From Android 15 on pages may have 16 KB, which segments are to be aligned for; Google Play asks it since 11/2025.
package enum PageSize16K: Rule {
  package static let entry = RuleEntry("page-size-16k", .warning, "Android libraries are aligned for 16 KB pages")
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [CodeFacts.self]

  private static let pageSize: UInt64 = 0x4000

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.items.compactMap { item in
      let parts = item.parts
      guard parts.count == 3, parts[0] == "jni", AndroidABI(rawValue: parts[1])?.hasLargePages == true,
        let least = item.facts(CodeFacts.self)?.elf?.loadAlignments.min(), least < pageSize
      else { return nil }
      let size = least >= 1024 ? "\(least / 1024) KB" : "\(least) bytes"
      return finding(
        judging, "\(parts[2]) is aligned for pages of \(size), not of 16 KB", at: inventory.site(item),
        hint: "link with -Wl,-z,max-page-size=16384, or with NDK r28 or later")
    }
  }
}

extension PageSize16K {
  package static let explanation = RuleExplanation(
    why: """
      From Android 15 on, devices for arm64-v8a and x86_64 may have pages of 16 KB. A library whose
      segments are aligned for less is not loaded there (`UnsatisfiedLinkError`), or only in a mode of
      compatibility. Google Play asks for the alignment since November 2025.
      """,
    bad: """
      clang -shared -Wl,-z,max-page-size=4096 -o jni/arm64-v8a/librc.so rc.o
      """,
    good: """
      clang -shared -Wl,-z,max-page-size=16384 -o jni/arm64-v8a/librc.so rc.o
      """,
    mend: """
      Link with `-Wl,-z,max-page-size=16384`, or with NDK r28 or later, which does so by itself. Of a
      library that is not yours, take a newer version, or ask its vendor. If no app of the host runs on
      such devices: `rules: {page-size-16k: off}`.
      """)
}
