// Relocations of data (`MachORelocations` has their layout): type 0 of every processor is a pointer; the next target
// counts from arm64's 1 and x86_64's 5; arm64's 11 is a signed pointer, which adds the lowest 32 bits only.

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
      throw .unsupported("relocations", at: file.range.lowerBound, "Objective-C data of big-endian files is not read")
    }
    // Each table is somebody's own: sections that share one would make a small file long to read.
    var left = reader.count
    for section in sections where section.relocationCount > 0 && !section.isZeroFill && section.mayHoldObjC {
      let table = try MachORelocations(section, file, reader)
      left -= table.range.count
      guard left >= 0 else {
        throw .invalid(
          "relocations of section \(section.name)", at: table.range.lowerBound,
          "more than any real file has: it is damaged, or made to fill the memory")
      }
      try read(table, of: section, cpu: file.architecture.cpu, reader)
    }
  }

  private mutating func read(
    _ table: MachORelocations, of section: MachOSection, cpu: CPUType, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    let is64Bit = cpu == .arm64 || cpu == .x86_64 || cpu == .arm64_32
    let subtractor: UInt8 = cpu == .x86_64 ? 5 : 1
    var base: (address: UInt32, symbol: UInt32)?
    try table.forEach(reader) { (relocation: MachORelocation) throws(FormatError) in
      let place = section.address &+ UInt64(relocation.address)
      var symbol: UInt32?
      switch relocation.target {
      case .address:
        // A scattered pointer's bytes hold the address, as those of one without a symbol.
        if relocation.type == 0 { relocations[place] = Relocation() }
        return
      case .symbol(let number): symbol = number
      case .section: break
      }
      if is64Bit, relocation.type == subtractor {
        base = symbol.map { (relocation.address, $0) }
      } else if relocation.type == 0 || (cpu == .arm64 && relocation.type == 11) {
        relocations[place] = Relocation(
          symbol: symbol, isSigned: relocation.type == 11,
          base: base?.address == relocation.address ? base?.symbol : nil)
        base = nil
      } else {
        base = nil
      }
    }
  }

  /// What a pointer's bytes mean.
  func target(
    of value: UInt64, at address: UInt64, place: Int, _ reader: borrowing ByteReader,
    _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    guard let relocation = relocations[address] else {
      return ObjCTarget(place: place, address: value == 0 ? nil : value, symbol: nil)
    }
    let value = relocation.isSigned ? UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: value))) : value
    guard let index = relocation.symbol else { return ObjCTarget(place: place, address: value, symbol: nil) }
    let symbol = try entry(index, place, reader, field())
    return ObjCTarget(
      place: place, address: symbol.kind == .section ? symbol.value &+ value : nil,
      symbol: symbols?.name(at: symbol.nameOffset, reader))
  }

  /// What an offset from its own place leads to.
  func difference(
    _ offset: Int32, at address: UInt64, place: Int, _ reader: borrowing ByteReader,
    _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    let value = UInt64(bitPattern: Int64(offset))
    guard let relocation = relocations[address], let index = relocation.symbol, let start = relocation.base else {
      return ObjCTarget(place: place, address: address &+ value, symbol: nil)
    }
    let symbol = try entry(index, place, reader, field())
    let base = try entry(start, place, reader, field())
    return ObjCTarget(
      place: place, address: symbol.kind == .section ? address &+ symbol.value &- base.value &+ value : nil,
      symbol: symbols?.name(at: symbol.nameOffset, reader))
  }

  private func entry(
    _ index: UInt32, _ place: Int, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> MachOSymbol {
    guard let symbols, Int(index) < symbols.count else {
      throw .invalid(field(), at: place, "its relocation is for symbol \(index), which is not there")
    }
    let size = symbols.is64Bit ? 16 : 12
    let start = symbols.range.lowerBound + size * Int(index)
    return MachOSymbol(
      nameOffset: try reader.integer(at: start, field()), type: try reader.integer(at: start + 4, field()),
      section: try reader.integer(at: start + 5, field()), description: 0,
      value: try reader.address(at: start + 8, is64Bit: symbols.is64Bit, field()))
  }
}

extension MachOSection {
  /// Code and debugging information have the most relocations, and nothing of the runtime's.
  fileprivate var mayHoldObjC: Bool { segment != "__DWARF" && segment != "__LD" && name != "__text" }
}
