/// The meaning of pointers in an object file, which its relocations give.
struct ObjCRelocations {
  private let symbols: MachOSymbolTable?

  init(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    symbols = try MachOSymbolTable(file, reader)
    guard file.endianness == .little else {
      throw .unsupported("relocations", at: file.range.lowerBound, "Objective-C data of big-endian files is not read")
    }
  }

  /// The target of a pointer whose bytes are `value`.
  func target(
    of value: UInt64, at address: UInt64, place: Int, in section: MachOReferenceIndex?, _ reader: borrowing ByteReader,
    _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    guard let pointer = try pointer(at: address, in: section, reader) else {
      return ObjCTarget(place: place, address: value == 0 ? nil : value, symbol: nil)
    }
    let addend = UInt64(bitPattern: pointer.addend)
    switch pointer.target {
    case .address(let address, _): return ObjCTarget(place: place, address: address &+ addend, symbol: nil)
    case .symbol(let index):
      let symbol = try entry(index, place, reader, field())
      return ObjCTarget(
        place: place, address: symbol.kind == .section ? symbol.value &+ addend : nil,
        symbol: symbols?.name(at: symbol.nameOffset, reader))
    }
  }

  /// The target of an offset from its own place.
  func difference(
    _ offset: Int32, at address: UInt64, place: Int, in section: MachOReferenceIndex?, _ reader: borrowing ByteReader,
    _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    let value = UInt64(bitPattern: Int64(offset))
    guard let pointer = try pointer(at: address, in: section, reader), case .symbol(let index) = pointer.target,
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

  private func pointer(
    at address: UInt64, in section: MachOReferenceIndex?, _ reader: borrowing ByteReader
  ) throws(FormatError) -> MachOReference? {
    var pointer: MachOReference?
    try section?.forEach(in: address..<address + 1, reader) { reference in
      if pointer == nil, reference.isKnown, reference.isPointer { pointer = reference }
    }
    return pointer
  }

  private func entry(
    _ index: UInt32, _ place: Int, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> MachOSymbol {
    guard let symbols, Int(index) < symbols.count else {
      throw .invalid(field(), at: place, "its relocation is for symbol \(index), which is not there")
    }
    return try symbols.entry(Int(index), reader)
  }
}

extension MachOSection {
  /// Code, strings, frames and debugging information have the most relocations, and nothing of the runtime's.
  var mayHoldObjC: Bool {
    !isZeroFill && segment != .dwarf && segment != .linkerNotes && name != .code && name != .strings && name != .frames
  }
}
