// Android's loader reads these parts of a shared library (System V gABI, chapter 5; bionic, `linker.cpp`):
//
//   SHT_DYNAMIC           pairs of a tag and a value, 4 or 8 bytes each: 1 is a library that it needs (offset of its name),
//                         16 says that it takes its own symbols first, and so does bit 1 of 30 (flags)
//   SHT_DYNSYM            its symbols for other libraries
//   .note.android.ident   length of the name 4 (8), of the description 4, type 4 (1), "Android\0", API level 4, and from
//                         NDK r14 on the NDK's version as text of 64 bytes

/// The loader's view of a shared library.
package struct ELFDynamic: Sendable {
  package private(set) var needed: [String] = []
  /// Whether its own references are to its own symbols, whatever was loaded before.
  package private(set) var isSymbolic = false
  /// `r26b`; nil if it does not say.
  package private(set) var ndk: String?
  private let symbols: ELFSymbols

  /// Nil for a file without sections, of which only the loader knows its way.
  package init?(_ reader: borrowing ByteReader) throws(FormatError) {
    let file = try ELFFile(reader)
    let sections = try ELFSections(file, reader)
    guard let section = sections.all.first(where: { $0.kind == .dynamic }) else { return nil }
    symbols = try ELFSymbols(reader, .dynamicSymbols)
    ndk = try ELFDynamic.ndk(file, sections, reader)
    guard Int(section.link) < sections.all.count else { return }
    let entries = try sections.range(of: section, "dynamic section", reader)
    let strings = try sections.range(of: sections.all[Int(section.link)], "names of the dynamic section", reader)
    let names = try reader.slice(strings, "names of the dynamic section")
    let fields = try reader.slice(entries, "dynamic section", file.endianness)
    let size = file.is64Bit ? 8 : 4
    for place in stride(from: entries.lowerBound, to: entries.upperBound - 2 * size + 1, by: 2 * size) {
      let tag = try fields.address(at: place, is64Bit: file.is64Bit, "dynamic section")
      let value = try fields.address(at: place + size, is64Bit: file.is64Bit, "dynamic section")
      switch tag {
      case 0: return
      case 1 where value < strings.count && needed.count < ELFDynamic.maxNeeded:
        if let name = names.terminatedRange(at: strings.lowerBound + Int(value), in: strings) {
          needed.append(String(decoding: try names.copy(name, "name of a library"), as: UTF8.self))
        }
      case 16: isSymbolic = true
      case 30 where value & 2 != 0: isSymbolic = true
      default: break
      }
    }
  }

  /// Libraries need a dozen others.
  private static let maxNeeded = 1000

  private static func ndk(
    _ file: ELFFile, _ sections: ELFSections, _ reader: borrowing ByteReader
  ) throws(FormatError) -> String? {
    guard let section = sections.all.first(where: { sections.hasName($0, ".note.android.ident\0", reader) }) else {
      return nil
    }
    let range = try sections.range(of: section, "note of the NDK", reader)
    // Three numbers, the name, and the API level come first.
    guard range.count >= 24 + 64 else { return nil }
    let text = try reader.copy(range.lowerBound + 24..<range.lowerBound + 24 + 64, "note of the NDK")
    let version = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    return version.isEmpty ? nil : version
  }

  /// Calls `body` with the name of each symbol that other libraries can be bound to.
  package func forEachExport(
    _ reader: borrowing ByteReader, _ body: (_ name: Range<Int>, _ isWeak: Bool) throws(FormatError) -> Void
  ) throws(FormatError) {
    let exports = SymbolSelection(externalOnly: true, definedOnly: true)
    try symbols.forEach(reader, exports) { symbol throws(FormatError) in
      guard !symbol.flags.contains(.hidden), let name = symbol.name, !name.isEmpty else { return }
      try body(name, symbol.flags.contains(.weak))
    }
  }
}
