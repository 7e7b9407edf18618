import Artifacts
import Linking
import ObjectFiles

/// The references in the bytes of an object file, which are decoded where they are asked for.
struct DefinitionReferences: Sendable {
  private let file: MachOFile
  private let sections: [MachOSection]
  private let symbols: MachOSymbolTable?
  private let indirect: MachOIndirectSymbols?
  /// By section; nil for those without relocations.
  private let indices: [MachOReferenceIndex?]
  /// Whether it has functions that the compiler has made of what several functions of this file have in common
  /// (`-moutline`).
  private let hasOutlined: Bool

  init(_ file: MachOFile, _ sections: [MachOSection], _ reader: borrowing ByteReader) throws(FormatError) {
    self.file = file
    self.sections = sections
    let symbols = try MachOSymbolTable(file, reader)
    indirect = try MachOIndirectSymbols(file, reader)
    indices = try file.referenceIndices(of: sections, where: { !$0.isForLinkersAlone }, reader)
    var hasOutlined = false
    try symbols?.forEach(reader) { (symbol: MachOSymbol) throws(FormatError) in
      if !hasOutlined, symbol.isOutlined(symbols, reader) { hasOutlined = true }
    }
    (self.symbols, self.hasOutlined) = (symbols, hasOutlined)
  }

  /// The references whose bytes begin in the span, sorted by place. `reader`'s window is the object file.
  func all(
    in span: DefinitionObject.Span, _ reader: borrowing ByteReader
  ) throws(FormatError) -> [DefinitionObject.Reference] {
    guard let index = indices[span.section - 1] else { return [] }
    var all: [DefinitionObject.Reference] = []
    try index.forEach(in: span.start..<span.end, reader) { (bytes: MachOReference) throws(FormatError) in
      guard bytes.isKnown else { throw unknown }
      var reference = DefinitionObject.Reference(bytes: bytes, target: try target(bytes.target, reader))
      if case .place(let place) = reference.target, let indirect,
        let index = try indirect.symbol(at: place.address, in: sections[place.section - 1], reader),
        let name = try name(of: index, reader)
      {
        reference.target = .slot(name)
      }
      if let base = bytes.base { reference.base = try self.base(base, reader) }
      all.append(reference)
    }
    // Compilers write the last one first.
    if zip(all, all.dropFirst()).allSatisfy({ $0.bytes.place > $1.bytes.place }) {
      all.reverse()
    } else {
      all.sort { $0.bytes.place < $1.bytes.place }
    }
    return all
  }

  /// Whether code in the span calls an outlined function. Another file with the same code has other functions of that
  /// kind, or none.
  func callsOutlined(in span: DefinitionObject.Span, _ reader: borrowing ByteReader) throws(FormatError) -> Bool {
    guard hasOutlined, let index = indices[span.section - 1], let symbols else { return false }
    var found = false
    try index.forEach(in: span.start..<span.end, reader) { (bytes: MachOReference) throws(FormatError) in
      guard !found, case .symbol(let number) = bytes.target, Int(number) < symbols.count else { return }
      found = try symbols.entry(Int(number), reader).isOutlined(symbols, reader)
    }
    return found
  }

  private func target(
    _ target: MachOReference.Target, _ reader: borrowing ByteReader
  ) throws(FormatError) -> DefinitionObject.Target {
    switch target {
    case .symbol(let number):
      guard let symbols, Int(number) < symbols.count else { break }
      let entry = try symbols.entry(Int(number), reader)
      if entry.isDebug { break }
      if entry.isExternal, let name = symbols.name(at: entry.nameOffset, reader) { return .name(name) }
      if entry.kind == .absolute { return .number(entry.value) }
      if let place = place(of: entry) { return .place(place) }
    case .address(let address, let section):
      let number =
        section > 0
        ? Int(section) : (sections.firstIndex { address >= $0.address && address - $0.address < $0.size } ?? -1) + 1
      if number > 0, number <= sections.count {
        return .place(DefinitionObject.Place(section: number, address: address))
      }
    }
    throw unknown
  }

  private var unknown: FormatError {
    FormatError(
      offset: file.range.lowerBound, field: "relocations",
      reason: .invalid("one of them is of no known type, or for nothing that is there"))
  }

  /// The subtracted symbol is nearly always that of the place itself, whatever its name.
  private func base(
    _ target: MachOReference.Target, _ reader: borrowing ByteReader
  ) throws(FormatError) -> DefinitionObject.Target {
    let found = try self.target(target, reader)
    if case .name = found, case .symbol(let number) = target, let symbols,
      let place = place(of: try symbols.entry(Int(number), reader))
    {
      return .place(place)
    }
    return found
  }

  /// Nil for a symbol that is in no section of the file.
  private func place(of entry: MachOSymbol) -> DefinitionObject.Place? {
    guard entry.kind == .section, entry.section > 0, Int(entry.section) <= sections.count else { return nil }
    return DefinitionObject.Place(section: Int(entry.section), address: entry.value)
  }

  /// The place of an external symbol's name.
  private func name(of number: UInt32, _ reader: borrowing ByteReader) throws(FormatError) -> Range<Int>? {
    guard let symbols, Int(number) < symbols.count else { return nil }
    let entry = try symbols.entry(Int(number), reader)
    return entry.isExternal && !entry.isDebug ? symbols.name(at: entry.nameOffset, reader) : nil
  }
}

extension MachOSymbol {
  fileprivate func isOutlined(_ table: MachOSymbolTable?, _ reader: borrowing ByteReader) -> Bool {
    guard !isExternal, !isDebug, kind == .section, let name = table?.name(at: nameOffset, reader) else { return false }
    return reader.starts(with: "_OUTLINED_FUNCTION_", at: name.lowerBound)
  }
}

extension MachOSection {
  /// Whether it holds debugging information, or notes of the compiler for linkers: nothing that an app gets.
  fileprivate var isForLinkersAlone: Bool { segment == .dwarf || segment == .linkerNotes }
}
