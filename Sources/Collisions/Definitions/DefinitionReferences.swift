import Linking
import ObjectFiles

/// The references in the bytes of an object file, which are decoded where they are asked for.
struct DefinitionReferences: Sendable {
  private let file: MachOFile
  private let sections: [MachOSection]
  private let definitions: [NameID: DefinitionObject.Definition]
  /// Indexed like the file's symbol table, with nil for symbols that nothing refers to.
  private let symbols: [DefinitionObject.Target?]
  private let indirect: MachOIndirectSymbols?
  /// By section; nil for those without relocations.
  private let indices: [MachOReferenceIndex?]

  init(
    _ file: MachOFile, _ sections: [MachOSection], _ definitions: [NameID: DefinitionObject.Definition],
    _ symbols: [DefinitionObject.Target?], _ reader: borrowing ByteReader
  ) throws(FormatError) {
    self.file = file
    self.sections = sections
    self.definitions = definitions
    self.symbols = symbols
    indirect = try MachOIndirectSymbols(file, reader)
    indices = try file.referenceIndices(of: sections, where: { !$0.isForLinkersAlone }, reader)
  }

  /// The references whose bytes begin in the span, sorted by place. `reader`'s window is the object file.
  func all(
    in span: DefinitionObject.Span, _ reader: borrowing ByteReader
  ) throws(FormatError) -> [DefinitionObject.Reference] {
    guard let index = indices[span.section - 1] else { return [] }
    var all: [DefinitionObject.Reference] = []
    try index.forEach(in: span.start..<span.end, reader) { (bytes: MachOReference) throws(FormatError) in
      guard bytes.isKnown else { throw unknown }
      var reference = DefinitionObject.Reference(bytes: bytes, target: try target(bytes.target))
      if case .place(let place) = reference.target, let indirect,
        let index = try indirect.symbol(at: place.address, in: sections[place.section - 1], reader),
        Int(index) < symbols.count, case .name(let name) = symbols[Int(index)]
      {
        reference.target = .slot(name)
      }
      if let base = bytes.base { reference.base = try self.base(base) }
      all.append(reference)
    }
    return all.sorted { $0.bytes.place < $1.bytes.place }
  }

  private func target(_ target: MachOReference.Target) throws(FormatError) -> DefinitionObject.Target {
    switch target {
    case .symbol(let number):
      guard Int(number) < symbols.count, let symbol = symbols[Int(number)] else { break }
      guard case .place(let place) = symbol else { return symbol }
      if place.section > 0, place.section <= sections.count { return symbol }
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
  private func base(_ target: MachOReference.Target) throws(FormatError) -> DefinitionObject.Target {
    let found = try self.target(target)
    if case .name(let name) = found, case .place(let place) = definitions[name], place.section > 0,
      place.section <= sections.count
    {
      return .place(place)
    }
    return found
  }
}

extension MachOSection {
  /// Whether it holds debugging information, or notes of the compiler for linkers: nothing that an app gets.
  fileprivate var isForLinkersAlone: Bool { segment == .dwarf || segment == .linkerNotes }
}
