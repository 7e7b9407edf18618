import Artifacts
import ObjectFiles

/// The facts about a shared library by which Android's loader maps it and binds its symbols.
package struct NativeLibrary: Hashable, Sendable {
  /// The least alignment of its loaded segments, in bytes.
  package let alignment: Int
  /// The version of the NDK that it was linked with.
  package let ndk: String?
  /// The names of the libraries that it needs.
  package let needed: [String]
  /// Whether its own references are to its own symbols, whatever was loaded before.
  package let isSymbolic: Bool
  /// The symbols that others are bound to, sorted by their bytes and joined by NULs; those that are weak are apart.
  package let strong: [UInt8]
  package let weak: [UInt8]

  package init(alignment: Int, ndk: String?, needed: [String], isSymbolic: Bool, strong: [UInt8], weak: [UInt8]) {
    (self.alignment, self.ndk, self.needed, self.isSymbolic) = (alignment, ndk, needed, isSymbolic)
    (self.strong, self.weak) = (strong, weak)
  }

  /// In bytes of names; the largest libraries of real apps export a tenth of it.
  private static let maxNames = 32 << 20

  /// Nil for a file that is no shared library or is damaged, which other checks tell.
  init?(_ bytes: EntryBytes) {
    let found = bytes.withReader { reader -> NativeLibrary? in
      guard reader.starts(with: "\u{7F}ELF", at: reader.range.lowerBound), let file = try? ELFFile(reader),
        let dynamic = try? ELFDynamic(reader)
      else { return nil }
      var (strong, weak): ([[UInt8]], [[UInt8]]) = ([], [])
      var size = 0
      try? dynamic.forEachExport(reader) { name, isWeak throws(FormatError) in
        size += name.count
        guard size <= NativeLibrary.maxNames else { return }
        let name = try reader.copy(name, "name of a symbol")
        if isWeak { weak.append(name) } else { strong.append(name) }
      }
      return NativeLibrary(
        alignment: Int(clamping: file.loadAlignments.min() ?? 0), ndk: dynamic.ndk, needed: dynamic.needed,
        isSymbolic: dynamic.isSymbolic, strong: NativeLibrary.joined(strong),
        weak: NativeLibrary.joined(weak))
    }
    guard let found else { return nil }
    self = found
  }

  private static func joined(_ names: [[UInt8]]) -> [UInt8] {
    Array(names.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0]))
  }

  /// The names of all symbols, or of the strong ones, that others are bound to.
  package func exports(strongOnly: Bool = false) -> Set<ArraySlice<UInt8>> {
    Set(strong.split(separator: 0)).union(strongOnly ? [] : weak.split(separator: 0))
  }
}
