// The table of indirect symbols of a Mach-O file (`LC_DYSYMTAB`, `<mach-o/loader.h>`):
//
//   dysymtab_command   cmd, cmdsize, then 18 words; words 12 and 13 are offset and number of the entries     80 bytes
//   entry              4: number of a symbol, or that the bytes hold the address
//
// Sections of pointers and stubs are arrays; `reserved1` is the entry of the first element.

/// The symbols that pointers and stubs stand for. A plain value: it keeps no bytes.
package struct MachOIndirectSymbols: Hashable, Sendable {
  /// In bounds.
  package var range: Range<Int>
  private let endianness: Endianness
  private let pointerSize: UInt64
  /// `INDIRECT_SYMBOL_LOCAL` and `INDIRECT_SYMBOL_ABS`.
  private static let (isLocal, isAbsolute): (UInt32, UInt32) = (0x8000_0000, 0x4000_0000)

  package init?(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    guard var fields = try file.content(of: .dynamicSymbolTable, reader) else { return nil }
    try fields.skip(48, "table of indirect symbols")
    range = try reader.table(&fields, "table of indirect symbols", entrySize: 4)
    endianness = file.endianness
    pointerSize = file.is64Bit ? 8 : 4
  }

  /// The symbol that the element at an address stands for; nil if the section has none, or the bytes hold the address.
  package func symbol(
    at address: UInt64, in section: MachOSection, _ reader: borrowing ByteReader
  ) throws(FormatError) -> UInt32? {
    let size = section.kind == .stubs ? UInt64(section.reserved2) : pointerSize
    guard section.isAny(of: .nonLazyPointers, .lazyPointers, .stubs, .threadLocalPointers), size > 0,
      address >= section.address,
      address - section.address < section.size
    else { return nil }
    let index = UInt64(section.reserved1) + (address - section.address) / size
    guard index < UInt64(range.count / 4) else { return nil }
    let entries = try reader.slice(range, "table of indirect symbols", endianness)
    let entry: UInt32 = try entries.integer(at: range.lowerBound + 4 * Int(index), "indirect symbol")
    return entry & (Self.isLocal | Self.isAbsolute) == 0 ? entry : nil
  }
}
