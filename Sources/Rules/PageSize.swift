package import Artifacts
package import Findings
import ObjectFiles

/// Segments are aligned for pages of 16 KB, which exist from Android 15 on; Google Play requires it since 11/2025.
package enum PageSize16K: Rule {
  package static let id: RuleID = "page-size-16k"
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
        hint: "link with -Wl,-z,max-page-size=16384, or with NDK r28 or later",
        edit: Edit(.cmake, "target_link_options(\(target(parts[2])) PRIVATE -Wl,-z,max-page-size=16384)"))
    }
  }

  /// CMake makes `libfoo.so` of the target `foo`.
  private static func target(_ file: String) -> String {
    file.hasPrefix("lib") && file.hasSuffix(".so") ? String(file.dropFirst(3).dropLast(3)) : ""
  }
}
