import Linking
import ObjectFiles

/// The references in the bytes of an object file.
struct DefinitionReferences: Sendable {
  private let file: MachOFile
  private let sections: [MachOSection]
  private let definitions: [NameID: DefinitionObject.Definition]
  /// Sorted by section, then by place.
  private var all: [DefinitionObject.Reference] = []
  /// The index in `all` of each section's first reference, followed by the count of `all`.
  private var firsts: [Int] = [0]

  init(_ file: MachOFile, _ sections: [MachOSection], _ definitions: [NameID: DefinitionObject.Definition]) {
    self.file = file
    self.sections = sections
    self.definitions = definitions
  }

  /// `symbols` is indexed like the file's symbol table, with nil for symbols that nothing refers to.
  mutating func read(
    _ symbols: [DefinitionObject.Target?], _ reader: borrowing ByteReader
  ) throws(FormatError) {
    let indirect = try MachOIndirectSymbols(file, reader)
    var own = [[DefinitionObject.Reference]](repeating: [], count: sections.count)
    try file.forEachReference(of: sections, where: { $0.segment != "__DWARF" && $0.segment != "__LD" }, reader) {
      (section: Int, bytes: MachOReference) throws(FormatError) in
      guard bytes.isKnown else { throw unknown }
      var reference = DefinitionObject.Reference(bytes: bytes, target: try target(bytes.target, symbols))
      if case .place(let place) = reference.target, let indirect,
        let index = try indirect.symbol(at: place.address, in: sections[place.section - 1], reader),
        Int(index) < symbols.count, case .name(let name) = symbols[Int(index)]
      {
        reference.target = .slot(name)
      }
      if let base = bytes.base { reference.base = try self.base(base, symbols) }
      own[section].append(reference)
    }
    for references in own {
      all += references.sorted { $0.bytes.place < $1.bytes.place }
      firsts.append(all.count)
    }
  }

  private func target(_ target: MachOReference.Target, _ symbols: [DefinitionObject.Target?]) throws(FormatError)
    -> DefinitionObject.Target
  {
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
  private func base(_ target: MachOReference.Target, _ symbols: [DefinitionObject.Target?]) throws(FormatError)
    -> DefinitionObject.Target
  {
    let found = try self.target(target, symbols)
    if case .name(let name) = found, case .place(let place) = definitions[name], place.section > 0,
      place.section <= sections.count
    {
      return .place(place)
    }
    return found
  }

  /// The references whose bytes begin in the span.
  func all(in span: DefinitionObject.Span) -> ArraySlice<DefinitionObject.Reference> {
    guard span.section < firsts.count else { return [] }
    let own = all[firsts[span.section - 1]..<firsts[span.section]]
    let start = first(in: own, from: span.start)
    return own[start..<first(in: own[start...], from: span.end)]
  }

  private func first(in own: ArraySlice<DefinitionObject.Reference>, from address: UInt64) -> Int {
    var (low, high) = (own.startIndex, own.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if own[middle].bytes.place < address { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
