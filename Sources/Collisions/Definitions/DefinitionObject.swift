import Linking
import ObjectFiles

/// The symbols, atoms and references of an object file, without its bytes. It is a class because it is passed on for
/// each atom.
final class DefinitionObject: Sendable {
  struct Place: Hashable, Sendable {
    /// Counted from 1.
    var section: Int
    var address: UInt64
  }

  enum Target: Sendable {
    /// `name` is whatever the link binds the name to; `slot` is a pointer to it that the linker makes. Both are places
    /// in the file.
    case name(Range<Int>), slot(Range<Int>)
    case number(UInt64)
    /// A place that no name makes visible to other files.
    case place(Place)
  }

  struct Reference: Sendable {
    var bytes: MachOReference
    var target: Target
    var base: Target?
  }

  /// A range of bytes that is compared as a whole.
  struct Span: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case atom, element, text }

    var kind: Kind
    /// Counted from 1.
    var section: Int
    var start: UInt64
    var end: UInt64
  }

  let file: MachOFile
  let sections: [MachOSection]
  /// Whether every symbol begins an atom of its own, on whose place no other atom relies.
  let isCut: Bool
  /// By section; nil unless linkers take the section's elements one by one.
  private let elementSizes: [UInt64?]
  private let atoms: ObjectAtoms
  private let tables: [MachODataInCode]
  private let references: DefinitionReferences

  /// Nil if the bytes are of no kind whose definitions can be compared. `reader`'s window is the object file.
  init?(_ reader: borrowing ByteReader) throws(FormatError) {
    guard case .machO(.object) = FileKind(reader) else { return nil }
    file = try MachOFile(reader)
    sections = try file.sections(reader)
    elementSizes = sections.map { [is64Bit = file.is64Bit] in $0.elementSize(is64Bit: is64Bit) }
    isCut = file.flags.contains(.subsectionsViaSymbols)
    atoms = try ObjectAtoms(placesIn: reader)
    tables = try file.dataInCode(reader)
    references = try DefinitionReferences(file, sections, reader)
  }

  // MARK: Spans

  /// Nil if the place is outside of its section.
  func span(at place: Place) -> Span? {
    guard place.section > 0, place.section <= sections.count else { return nil }
    let section = sections[place.section - 1]
    guard place.address >= section.address, place.address &- section.address <= section.size else { return nil }
    let end = section.address &+ section.size
    if section.kind == .strings {
      return Span(kind: .text, section: place.section, start: place.address, end: end)
    }
    if let size = elementSizes[place.section - 1], size > 0, place.address < end {
      let start = place.address - (place.address - section.address) % size
      return Span(kind: .element, section: place.section, start: start, end: min(end, start &+ size))
    }
    guard let number = atoms.atom(at: place.address, section: place.section) else { return nil }
    let next = number + 1 < atoms.count ? atoms.atoms[number + 1] : nil
    let isLast = next?.section != place.section - 1
    return Span(
      kind: .atom, section: place.section, start: atoms.atoms[number].start, end: isLast ? end : next?.start ?? end)
  }

  /// Whether there is data, such as jump tables, between its instructions.
  func hasTables(_ span: Span) -> Bool {
    tables.contains { span.start <= UInt64($0.offset) && UInt64($0.offset) < span.end }
  }

  /// The references whose bytes begin in the span, sorted by place. `reader`'s window is the object file.
  func references(in span: Span, _ reader: borrowing ByteReader) throws(FormatError) -> [Reference] {
    try references.all(in: span, reader)
  }

  func callsOutlined(_ span: Span, _ reader: borrowing ByteReader) throws(FormatError) -> Bool {
    try references.callsOutlined(in: span, reader)
  }

  /// The bytes of a span; nil if it takes no room in the file. `reader`'s window is the object file.
  func range(of span: Span, _ reader: borrowing ByteReader) throws(FormatError) -> Range<Int>? {
    let section = sections[span.section - 1]
    if section.isZeroFill { return nil }
    return try reader.claimed(
      start: UInt64(section.offset) &+ (span.start &- section.address), size: span.end &- span.start,
      at: file.range.lowerBound, "section \(section.name)")
  }
}

extension MachOSection {
  /// Nil unless the section is an array whose elements linkers take one by one.
  fileprivate func elementSize(is64Bit: Bool) -> UInt64? {
    let pointer: UInt64 = is64Bit ? 8 : 4
    switch kind {
    case .literals4: return 4
    case .literals8: return 8
    case .literals16: return 16
    case .literalPointers, .nonLazyPointers, .lazyPointers, .threadLocalPointers: return pointer
    case .stubs: return UInt64(reserved2)
    default: break
    }
    switch name {
    case "__cfstring": return 4 * pointer
    case "__objc_classrefs", "__objc_superrefs", "__objc_selrefs", "__objc_protorefs": return pointer
    default: return nil
    }
  }
}
