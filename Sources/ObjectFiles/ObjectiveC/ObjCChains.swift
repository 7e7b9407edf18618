// Chained fixups (`<mach-o/fixup-chains.h>`), since iOS 14:
//
//   header        version 4, offset of the starts 4, of the imports 4, of the names 4, number of imports 4, their format 4,
//                 format of the names 4 (0: not compressed)
//   starts        number of segments 4, for each the offset of its own part 4 (0: none): size 4, page size 2,
//                 format of the pointers 2, …
//   import        format 1: 4 bytes, the name's offset in the upper 23 bits; 2: the same, addend 4; 3: 8 bytes, the name's
//                 offset in the upper 32 bits, addend 8
//
//   a pointer     of 64 bits                  bit 63: import in 24 bits; else 36 bits of address
//                 arm64e                      bit 63: signed; bit 62: import in 16 or 24 bits; else 43 bits of address;
//                                             signed: 32 bits from the base
//                 of 32 bits                  bit 31: import in 20 bits; else 26 bits of address
//
// Before iOS 14 arm64e has the same pointers (its first format), and binds in place of imports.
//
// The chain only says where the pointers are, so it is not walked: the metadata gives their places.

/// The meaning of pointers in an image with chained fixups.
struct ObjCChains {
  private enum Imports {
    /// The range of the entries, in bounds; their format; the range of the names.
    case table(Range<Int>, UInt32, names: Range<Int>)
    case names([Range<Int>])
  }

  /// `DYLD_CHAINED_PTR_…`
  private enum Format: UInt16 {
    case arm64e = 1
    case wide = 2
    case narrow = 3
    case wideFromBase = 6
    case arm64eFromBase = 9
    case arm64eManyImports = 12
  }

  private let format: Format
  private let base: UInt64
  private let imports: Imports

  /// For threaded binds with these names.
  init(_ names: [Range<Int>], base: UInt64) {
    (format, self.base, imports) = (.arm64e, base, .names(names))
  }

  /// `range` is the data of the load command, `base` the address of the header.
  init(_ range: Range<Int>, base: UInt64, _ reader: borrowing ByteReader) throws(FormatError) {
    self.base = base
    let data = try reader.slice(range, "chained fixups")
    let start = range.lowerBound
    let starts: UInt32 = try data.integer(at: start + 4, "starts of the chained fixups")
    let importOffset: UInt32 = try data.integer(at: start + 8, "imports of the chained fixups")
    let nameOffset: UInt32 = try data.integer(at: start + 12, "names of the chained fixups")
    let count: UInt32 = try data.integer(at: start + 16, "imports of the chained fixups")
    let importFormat: UInt32 = try data.integer(at: start + 20, "format of the imports")
    let nameFormat: UInt32 = try data.integer(at: start + 24, "format of the names")
    guard (1...3).contains(importFormat), nameFormat == 0 else {
      throw .unsupported(
        "chained fixups", at: start + 20, "imports of format \(importFormat), names of format \(nameFormat)")
    }
    let entries = try data.claimed(
      start: UInt64(importOffset), size: UInt64(count) * ObjCChains.importSize(importFormat), at: start + 8,
      "imports of the chained fixups")
    let first = try data.claimed(start: UInt64(nameOffset), size: 0, at: start + 12, "names of the chained fixups")
    imports = .table(entries, importFormat, names: first.lowerBound..<range.upperBound)
    let number = try ObjCChains.pointerFormat(data, at: start + Int(starts))
    guard let format = Format(rawValue: number) else {
      throw .unsupported("chained fixups", at: start + Int(starts), "pointers of format \(number) are not read")
    }
    self.format = format
  }

  private static func importSize(_ format: UInt32) -> UInt64 { format == 1 ? 4 : format == 2 ? 8 : 16 }

  /// All segments of an image have the same format.
  private static func pointerFormat(_ data: borrowing ByteReader, at starts: Int) throws(FormatError) -> UInt16 {
    let segments: UInt32 = try data.integer(at: starts, "starts of the chained fixups")
    var place = starts
    for _ in 0..<segments {
      place += 4
      let offset: UInt32 = try data.integer(at: place, "starts of the chained fixups")
      if offset != 0 { return try data.integer(at: starts + Int(offset) + 6, "format of the pointers") }
    }
    // Without fixups there are no pointers, so the format does not matter.
    return Format.wide.rawValue
  }

  func target(
    of value: UInt64, place: Int, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    if value == 0 { return ObjCTarget(place: place, address: nil, symbol: nil) }
    let isSigned = value >> 63 == 1
    var ordinal: UInt64?
    var address: UInt64 = 0
    switch format {
    case .wide, .wideFromBase:
      if isSigned { ordinal = value & 0xFF_FFFF }
      address = (value & 0xF_FFFF_FFFF) &+ (format == .wideFromBase ? base : 0)
    case .narrow:
      if value >> 31 & 1 == 1 { ordinal = value & 0xF_FFFF }
      address = value & 0x3FF_FFFF
    case .arm64e, .arm64eFromBase, .arm64eManyImports:
      if value >> 62 & 1 == 1 { ordinal = value & (format == .arm64eManyImports ? 0xFF_FFFF : 0xFFFF) }
      address = isSigned ? (value & 0xFFFF_FFFF) &+ base : (value & 0x7FF_FFFF_FFFF) &+ (format == .arm64e ? 0 : base)
    }
    guard let ordinal else { return ObjCTarget(place: place, address: address, symbol: nil) }
    return ObjCTarget(place: place, address: nil, symbol: try name(ordinal, place, reader, field()))
  }

  private func name(
    _ ordinal: UInt64, _ place: Int, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> Range<Int> {
    switch imports {
    case .names(let names) where ordinal < UInt64(names.count): return names[Int(ordinal)]
    case .table(let entries, let format, let names)
    where ordinal < UInt64(entries.count) / ObjCChains.importSize(format):
      let entry = entries.lowerBound + Int(ordinal * ObjCChains.importSize(format))
      let offset: UInt64 =
        format == 3
        ? try reader.integer(at: entry, "import", as: UInt64.self) >> 32
        : UInt64(try reader.integer(at: entry, "import", as: UInt32.self) >> 9)
      guard let name = reader.terminatedRange(at: names.lowerBound + Int(offset), in: names) else {
        throw .outOfBounds("name of import \(ordinal)", at: entry)
      }
      return name
    default: throw .invalid(field(), at: place, "there is no import \(ordinal)")
    }
  }
}
