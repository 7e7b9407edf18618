// Versions of the symbols that a loader sees (LSB core, 10.7): three sections beside the dynamic symbol table.
//
//   versym (6FFFFFFF)    2 bytes a symbol: 0 local, 1 no version, else the number of one; 8000: not the default one
//   verdef (6FFFFFFD)    versions of the file itself: revision 2, flags 2 (1 the file's own name), number 2, names 2,
//                        hash 4, offset of its names 4, of the next one 4, each from its own start    20 bytes
//   verdaux              name 4, offset of the next 4; the first is the version's, the rest its parents'   8 bytes
//   verneed (6FFFFFFE)   a library that versions are wanted of: revision 2, versions 2, library 4, offset of them 4,
//                        of the next library 4                                                          16 bytes
//   vernaux              hash 4, flags 2 (2 weak), number 2, name 4, offset of the next 4               16 bytes
//
// Names are offsets in the table of strings that the section names in `link`.

/// The version that a symbol has, or that is wanted of it.
package struct ELFVersion: Hashable, Sendable {
  /// Where its name is in the file.
  package var name: Range<Int>
  /// Of an undefined symbol: where the name of the library is that should have it.
  package var library: Range<Int>?
  /// Who asks for the name alone gets this one (`name@@VERSION`).
  package var isDefault = false
}

/// The versions of an ELF file's dynamic symbols. A plain value: it keeps no bytes.
package struct ELFVersions: Sendable {
  private var versions: [UInt16: ELFVersion] = [:]
  private let numbers: Range<Int>
  private let endianness: Endianness
  private var budget: NameBudget

  /// Of the symbols in the section of number `table`; nil if they have none.
  init?(
    _ sections: ELFSections, of table: Int, _ file: ELFFile, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    let section = sections.all.first { $0.type == 0x6FFF_FFFF && Int($0.link) == table }
    guard let section else { return nil }
    self.init(try sections.range(of: section, "versions of the symbols", reader), file, reader)
    for section in sections.all where section.type == 0x6FFF_FFFD || section.type == 0x6FFF_FFFE {
      let isDefinition = section.type == 0x6FFF_FFFD
      let range = try sections.range(of: section, isDefinition ? "version definitions" : "wanted versions", reader)
      guard Int(section.link) < sections.all.count else {
        throw FormatError(
          offset: range.lowerBound, field: "names of versions", reason: .invalid("there is no section \(section.link)"))
      }
      let strings = try sections.range(of: sections.all[Int(section.link)], "names of versions", reader)
      try read(range, strings, isDefinition: isDefinition, reader)
    }
  }

  /// As the dynamic section says it, for files without sections.
  init?(
    _ dynamic: ELFDynamic, symbols: Int, strings: Range<Int>, _ file: ELFFile, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    guard let entry = dynamic[0x6FFF_FFF0] else { return nil }
    self.init(
      try dynamic.range(of: entry, size: 2 * UInt64(symbols), "versions of the symbols", reader), file, reader)
    if let entry = dynamic[0x6FFF_FFFC] {
      try read(try dynamic.range(of: entry, "version definitions", reader), strings, isDefinition: true, reader)
    }
    if let entry = dynamic[0x6FFF_FFFE] {
      try read(try dynamic.range(of: entry, "wanted versions", reader), strings, isDefinition: false, reader)
    }
  }

  private init(_ numbers: Range<Int>, _ file: ELFFile, _ reader: borrowing ByteReader) {
    self.numbers = numbers
    endianness = file.endianness
    budget = NameBudget(reader)
  }

  private mutating func read(
    _ range: Range<Int>, _ strings: Range<Int>, isDefinition: Bool, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    var entries = try reader.slice(range, "versions")
    entries.endianness = endianness
    if isDefinition {
      try readDefinitions(entries, strings, reader)
    } else {
      try readWanted(entries, strings, reader)
    }
  }

  /// Of a symbol by its number in the table; nil if it has none.
  package func version(
    of index: Int, isUndefined: Bool, _ reader: borrowing ByteReader
  ) throws(FormatError) -> ELFVersion? {
    var window = try reader.slice(numbers, "versions of the symbols")
    window.endianness = endianness
    let number: UInt16 = try window.integer(at: numbers.lowerBound + 2 * index, "version of a symbol")
    guard number & 0x7FFF > 1, var version = versions[number & 0x7FFF] else { return nil }
    version.isDefault = !isUndefined && number & 0x8000 == 0
    return version
  }

  private mutating func readDefinitions(
    _ entries: borrowing ByteReader, _ strings: Range<Int>, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    var place = entries.range.lowerBound
    while place < entries.range.upperBound {
      let flags: UInt16 = try entries.integer(at: place + 2, "version definition")
      let number: UInt16 = try entries.integer(at: place + 4, "version definition")
      let names: UInt32 = try entries.integer(at: place + 12, "version definition")
      let next: UInt32 = try entries.integer(at: place + 16, "version definition")
      // The one that bears the file's own name is no version of symbols.
      if flags & 1 == 0 {
        let name: UInt32 = try entries.integer(at: place + Int(names), "name of a version")
        versions[number & 0x7FFF] = ELFVersion(name: try text(name, place, strings, reader))
      }
      if next == 0 { return }
      place += Int(next)
    }
  }

  private mutating func readWanted(
    _ entries: borrowing ByteReader, _ strings: Range<Int>, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    // Lists of one library may not lie in those of another, so there are no more than find room.
    var left = entries.count / 16
    var place = entries.range.lowerBound
    while place < entries.range.upperBound {
      let count: UInt16 = try entries.integer(at: place + 2, "wanted library")
      let library = try text(try entries.integer(at: place + 4, "wanted library"), place, strings, reader)
      var item = place + Int(try entries.integer(at: place + 8, "wanted library", as: UInt32.self))
      let next: UInt32 = try entries.integer(at: place + 12, "wanted library")
      for _ in 0..<count {
        left -= 1
        guard left >= 0 else {
          throw FormatError(offset: place, field: "wanted versions", reason: .invalid("they lie in each other"))
        }
        let number: UInt16 = try entries.integer(at: item + 6, "wanted version")
        let name = try text(try entries.integer(at: item + 8, "wanted version"), item, strings, reader)
        versions[number & 0x7FFF] = ELFVersion(name: name, library: library)
        let step: UInt32 = try entries.integer(at: item + 12, "wanted version")
        if step == 0 { break }
        item += Int(step)
      }
      if next == 0 { return }
      place += Int(next)
    }
  }

  private mutating func text(
    _ offset: UInt32, _ place: Int, _ strings: Range<Int>, _ reader: borrowing ByteReader
  ) throws(FormatError) -> Range<Int> {
    guard Int(offset) < strings.count,
      let text = reader.terminatedRange(at: strings.lowerBound + Int(offset), in: strings)
    else { throw FormatError(offset: place, field: "name of a version", reason: .outOfBounds) }
    try budget.spend(text)
    return text
  }
}
