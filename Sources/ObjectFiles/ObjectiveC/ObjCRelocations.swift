struct ObjCRelocations {
  private struct Pointer {
    /// Its address.
    var place: UInt64
    var target: MachOReference.Target
    var addend: UInt64
    /// The symbol that is subtracted from the target.
    var base: MachOReference.Target?
  }

  /// Sorted by address.
  private let pointers: [Pointer]
  private let symbols: MachOSymbolTable?

  init(_ file: MachOFile, _ sections: [MachOSection], _ reader: borrowing ByteReader) throws(FormatError) {
    symbols = try MachOSymbolTable(file, reader)
    guard file.endianness == .little else {
      throw .unsupported("relocations", at: file.range.lowerBound, "Objective-C data of big-endian files is not read")
    }
    var pointers: [Pointer] = []
    try file.forEachReference(of: sections, where: \.mayHoldObjC, reader) { _, reference in
      guard reference.isKnown, reference.isPointer else { return }
      pointers.append(
        Pointer(
          place: reference.place, target: reference.target, addend: UInt64(bitPattern: reference.addend),
          base: reference.base))
    }
    // Compilers write them from the last to the first.
    pointers.sort { $0.place < $1.place }
    self.pointers = pointers
  }

  /// The target of a pointer whose bytes are `value`.
  func target(
    of value: UInt64, at address: UInt64, place: Int, _ reader: borrowing ByteReader,
    _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    guard let pointer = pointer(at: address) else {
      return ObjCTarget(place: place, address: value == 0 ? nil : value, symbol: nil)
    }
    switch pointer.target {
    case .address(let address, _): return ObjCTarget(place: place, address: address &+ pointer.addend, symbol: nil)
    case .symbol(let index):
      let symbol = try entry(index, place, reader, field())
      return ObjCTarget(
        place: place, address: symbol.kind == .section ? symbol.value &+ pointer.addend : nil,
        symbol: symbols?.name(at: symbol.nameOffset, reader))
    }
  }

  /// The target of an offset from its own place.
  func difference(
    _ offset: Int32, at address: UInt64, place: Int, _ reader: borrowing ByteReader,
    _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    let value = UInt64(bitPattern: Int64(offset))
    guard let pointer = pointer(at: address), case .symbol(let index) = pointer.target,
      case .symbol(let start)? = pointer.base
    else {
      return ObjCTarget(place: place, address: address &+ value, symbol: nil)
    }
    let symbol = try entry(index, place, reader, field())
    let base = try entry(start, place, reader, field())
    return ObjCTarget(
      place: place, address: symbol.kind == .section ? address &+ symbol.value &- base.value &+ value : nil,
      symbol: symbols?.name(at: symbol.nameOffset, reader))
  }

  private func pointer(at address: UInt64) -> Pointer? {
    var (low, high) = (0, pointers.count)
    while low < high {
      let middle = (low + high) / 2
      if pointers[middle].place < address { low = middle + 1 } else { high = middle }
    }
    return low < pointers.count && pointers[low].place == address ? pointers[low] : nil
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
  /// Code, strings, frames and debugging information have the most relocations, and nothing of the runtime's.
  fileprivate var mayHoldObjC: Bool {
    !isZeroFill && !MachOSection.otherSegments.contains(segment) && !MachOSection.otherNames.contains(name)
  }

  private static let otherSegments: [FixedName] = ["__DWARF", "__LD"]
  private static let otherNames: [FixedName] = ["__text", "__cfstring", "__eh_frame"]
}
