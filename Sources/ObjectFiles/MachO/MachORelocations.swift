// Relocations of a section of a Mach-O object file (`<mach-o/reloc.h>`), 8 bytes each:
//
//   address 4 (from the start of the section), then in 4 bytes: symbol or section 24 bits, relative 1, log2 of the size 2,
//   whether it is a symbol 1, type 4 (from the lowest bit in a little-endian file, from the highest in a big-endian one)
//   scattered (32-bit processors): bit 31 of the address is set; relative 1, log2 of the size 2, type 4, address 24 from
//   the highest bit down; then the target's address, 4
//
// With a symbol the bytes at the address hold the addend, without one the target's address, or its distance.

/// One relocation, as it stands.
package struct MachORelocation: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    /// Its number in the symbol table: a claim.
    case symbol(UInt32)
    /// Its number, counted from 1; 0 is none.
    case section(UInt32)
    case address(UInt32)
  }

  /// From the start of the section.
  package var address: UInt32
  package var target: Target
  package var isRelative: Bool
  /// The size of the bytes that it changes, as the exponent of a power of two.
  package var size: UInt8
  /// Its meaning depends on the processor.
  package var type: UInt8
}

/// The relocation types of x86_64 (`<mach-o/x86_64/reloc.h>`).
enum X86_64Relocation: UInt8 {
  case pointer, signed, branch, gotLoad, got, subtractor, signed1, signed2, signed4, threadLocal

  /// The number of bytes of the instruction that follow the relocated ones.
  var bytesBehind: UInt64 {
    switch self {
    case .signed1: 1
    case .signed2: 2
    case .signed4: 4
    default: 0
    }
  }
}

/// The relocation types of arm64 (`<mach-o/arm64/reloc.h>`).
enum ARM64Relocation: UInt8 {
  case pointer, subtractor, branch26, page21, pageOffset12, gotPage21, gotPageOffset12, pointerToGOT
  case threadLocalPage21, threadLocalPageOffset12, addend, signedPointer
}

/// The relocation types of i386 (`<mach-o/reloc.h>`).
enum I386Relocation: UInt8 { case pointer, pair, difference, preboundPointer, localDifference, threadLocal }

/// The relocation types of arm (`<mach-o/arm/reloc.h>`).
enum ARMRelocation: UInt8 {
  case pointer, pair, difference, localDifference, preboundPointer, branch24, thumbBranch, thumb32Branch, half
  case halfDifference
}

/// The place of a section's relocations. A plain value: it keeps no bytes.
package struct MachORelocations: Hashable, Sendable {
  /// In bounds.
  package var range: Range<Int>
  private let endianness: Endianness
  private let isScattered: Bool

  package init(_ section: MachOSection, _ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    let bytes = try reader.slice(file.range, "Mach-O file")
    range = try bytes.claimed(
      start: UInt64(section.relocationCount == 0 ? 0 : section.relocationOffset),
      size: 8 * UInt64(section.relocationCount), at: file.range.lowerBound, "relocations of section \(section.name)")
    endianness = file.endianness
    isScattered = !file.is64Bit && file.architecture.cpu != .arm64_32
  }

  /// Calls `body` with each, in the file's order.
  @inline(__always)
  package func forEach(
    _ reader: borrowing ByteReader, _ body: (MachORelocation) throws(FormatError) -> Void
  ) throws(FormatError) {
    var entries = try reader.slice(range, "relocations", endianness)
    while entries.remaining > 0 {
      let address: UInt32 = try entries.read("relocation")
      let word: UInt32 = try entries.read("relocation")
      try body(MachORelocation(address, word, endianness, isScattered: isScattered && address & 0x8000_0000 != 0))
    }
  }
}

extension MachORelocations {
  package var count: Int { range.count / MachORelocations.size }

  /// In bytes.
  private static let size = 8

  /// The relocation of a number below `count`.
  func relocation(_ number: Int, _ reader: borrowing ByteReader) throws(FormatError) -> MachORelocation {
    let place = range.lowerBound + MachORelocations.size * number
    let entry = try reader.slice(place..<place + MachORelocations.size, "relocations", endianness)
    let address: UInt32 = try entry.integer(at: place, "relocation")
    return MachORelocation(
      address, try entry.integer(at: place + 4, "relocation"), endianness,
      isScattered: isScattered && address & 0x8000_0000 != 0)
  }

  /// The address of the relocation of a number below `count`.
  func address(_ number: Int, _ reader: borrowing ByteReader) throws(FormatError) -> UInt32 {
    let field: UInt32 = try reader.integer(at: range.lowerBound + MachORelocations.size * number, "relocation")
    let address = reader.endianness == endianness ? field : field.byteSwapped
    return isScattered && address & 0x8000_0000 != 0 ? address & 0xFF_FFFF : address
  }

  /// Whether a relocation is the second half of the one before it, so that its address field holds something else.
  func isSecondHalf(_ relocation: MachORelocation) -> Bool {
    isScattered && relocation.type == ARMRelocation.pair.rawValue
  }
}

extension MachORelocation {
  fileprivate init(_ address: UInt32, _ word: UInt32, _ endianness: Endianness, isScattered: Bool) {
    if isScattered {
      self.address = address & 0xFF_FFFF
      type = UInt8(truncatingIfNeeded: address >> 24 & 0xF)
      size = UInt8(truncatingIfNeeded: address >> 28 & 3)
      isRelative = address & 0x4000_0000 != 0
      target = .address(word)
      return
    }
    self.address = address
    let number: UInt32
    let isSymbol: Bool
    switch endianness {
    case .little:
      number = word & 0xFF_FFFF
      isRelative = word & 0x100_0000 != 0
      size = UInt8(truncatingIfNeeded: word >> 25 & 3)
      isSymbol = word & 0x800_0000 != 0
      type = UInt8(truncatingIfNeeded: word >> 28)
    case .big:
      number = word >> 8
      isRelative = word & 0x80 != 0
      size = UInt8(truncatingIfNeeded: word >> 5 & 3)
      isSymbol = word & 0x10 != 0
      type = UInt8(truncatingIfNeeded: word & 0xF)
    }
    target = isSymbol ? .symbol(number) : .section(number)
  }
}
