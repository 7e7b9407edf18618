// Relocations of a Mach-O object file (`<mach-o/reloc.h>`), 8 bytes each, for a section:
//
//   address 4 (in the section), then in 4 bytes: symbol or section 24 bits, relative 1, log2 of the size 2,
//   whether it is a symbol 1, type 4 (all from the lowest bit; from the highest in a big-endian file, which is not read)
//   scattered (32-bit): bit 31 of the address is set; address 24, type 4, size 2, relative 1; then the target's address 4
//
//   type 0 of every processor is a pointer: with a symbol the bytes hold what is added to it, else the address itself.
//   arm64: 1, x86_64: 5 is what the next relocation's target is counted from. arm64: 11 is a signed pointer, which adds the
//   lowest 32 bits only.

/// The relocations of an object file's data.
struct ObjCRelocations {
  private struct Relocation {
    /// In the symbol table; nil: the bytes hold the address.
    var symbol: UInt32?
    var isSigned = false
    /// From which symbol the other one is counted.
    var base: UInt32?
  }

  private var relocations: [UInt64: Relocation] = [:]
  private let symbols: MachOSymbolTable?

  init(_ file: MachOFile, _ sections: [MachOSection], _ reader: borrowing ByteReader) throws(FormatError) {
    symbols = try MachOSymbolTable(file, reader)
    guard file.endianness == .little else {
      throw FormatError(
        offset: file.range.lowerBound, field: "relocations",
        reason: .unsupported("Objective-C data of big-endian files is not read"))
    }
    // Each table is somebody's own: sections that share one would make a small file long to read.
    var left = reader.count
    for section in sections where section.relocationCount > 0 && !section.isZeroFill && section.mayHoldObjC {
      let range = try reader.claimed(
        start: UInt64(section.relocationOffset), size: 8 * UInt64(section.relocationCount),
        at: file.range.lowerBound, "relocations of section \(section.name)")
      left -= range.count
      guard left >= 0 else {
        throw FormatError(
          offset: range.lowerBound, field: "relocations of section \(section.name)",
          reason: .invalid("they are the same bytes again and again"))
      }
      try read(range, of: section, cpu: file.architecture.cpu, reader)
    }
  }

  private mutating func read(
    _ range: Range<Int>, of section: MachOSection, cpu: CPUType, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    let is64Bit = cpu == .arm64 || cpu == .x86_64 || cpu == .arm64_32
    let subtractor: UInt32 = cpu == .x86_64 ? 5 : 1
    var base: (address: UInt32, symbol: UInt32)?
    for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let address: UInt32 = try reader.integer(at: place, "relocation")
      let word: UInt32 = try reader.integer(at: place + 4, "relocation")
      if address & 0x8000_0000 != 0, !is64Bit {
        // A scattered pointer's bytes hold the address, as those of one without a symbol.
        if address >> 24 & 0xF == 0 {
          relocations[section.address &+ UInt64(address & 0xFF_FFFF)] = Relocation()
        }
        continue
      }
      let type = word >> 28
      let symbol = word & 0x0800_0000 != 0 ? word & 0xFF_FFFF : nil
      if is64Bit, type == subtractor {
        base = symbol.map { (address, $0) }
      } else if type == 0 || (cpu == .arm64 && type == 11) {
        relocations[section.address &+ UInt64(address)] = Relocation(
          symbol: symbol, isSigned: type == 11, base: base?.address == address ? base?.symbol : nil)
        base = nil
      } else {
        base = nil
      }
    }
  }

  /// What a pointer's bytes mean.
  func target(
    of value: UInt64, at address: UInt64, place: Int, _ reader: borrowing ByteReader, _ field: String
  ) throws(FormatError) -> ObjCTarget {
    guard let relocation = relocations[address] else {
      return ObjCTarget(place: place, address: value == 0 ? nil : value, symbol: nil)
    }
    let value = relocation.isSigned ? UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: value))) : value
    guard let index = relocation.symbol else { return ObjCTarget(place: place, address: value, symbol: nil) }
    let symbol = try entry(index, place, reader, field)
    return ObjCTarget(
      place: place, address: symbol.kind == .section ? symbol.value &+ value : nil,
      symbol: symbols?.name(at: symbol.nameOffset, reader))
  }

  /// What an offset from its own place leads to.
  func difference(
    _ offset: Int32, at address: UInt64, place: Int, _ reader: borrowing ByteReader, _ field: String
  ) throws(FormatError) -> ObjCTarget {
    let value = UInt64(bitPattern: Int64(offset))
    guard let relocation = relocations[address], let index = relocation.symbol, let start = relocation.base else {
      return ObjCTarget(place: place, address: address &+ value, symbol: nil)
    }
    let symbol = try entry(index, place, reader, field)
    let base = try entry(start, place, reader, field)
    return ObjCTarget(
      place: place, address: symbol.kind == .section ? address &+ symbol.value &- base.value &+ value : nil,
      symbol: symbols?.name(at: symbol.nameOffset, reader))
  }

  private func entry(
    _ index: UInt32, _ place: Int, _ reader: borrowing ByteReader, _ field: String
  ) throws(FormatError) -> MachOSymbol {
    guard let symbols, Int(index) < symbols.count else {
      throw FormatError(
        offset: place, field: field, reason: .invalid("its relocation is for symbol \(index), which is not there"))
    }
    let size = symbols.is64Bit ? 16 : 12
    let start = symbols.range.lowerBound + size * Int(index)
    let value: UInt64 =
      symbols.is64Bit
      ? try reader.integer(at: start + 8, field) : UInt64(try reader.integer(at: start + 8, field, as: UInt32.self))
    return MachOSymbol(
      nameOffset: try reader.integer(at: start, field), type: try reader.integer(at: start + 4, field),
      section: try reader.integer(at: start + 5, field), description: 0, value: value)
  }
}

extension MachOSection {
  /// Code and debugging information have the most relocations, and nothing of the runtime's.
  fileprivate var mayHoldObjC: Bool { segment != "__DWARF" && segment != "__LD" && name != "__text" }
}
