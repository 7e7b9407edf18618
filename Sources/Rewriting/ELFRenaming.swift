import ObjectFiles

// The parts of an ELF object file that hold names, or the places of parts that get longer:
//
//   .strtab           the names of the symbols, written anew; compilers keep the names of sections in it too
//   .symtab           offsets into it
//   section headers   offsets into it, and each section's place in the file
//   ELF header        the place of the section headers
//   .debug_…          linkage names (see `DWARFRenaming`); their numbers are in relocations that have addends
//
// The names of sections (`.text.foo`) stay: nothing goes by them but linker scripts.

extension ELFSections {
  /// The symbol table, and the section with its strings; nil if the file has none.
  func symbolTable(
    _ reader: borrowing ByteReader
  ) throws(FormatError) -> (range: Range<Int>, link: Int, strings: Range<Int>)? {
    guard let table = all.first(where: { $0.kind == .symbolTable }), Int(table.link) < all.count else { return nil }
    let link = Int(table.link)
    return (try range(of: table, "symbol table", reader), link, try range(of: all[link], "string table", reader))
  }
}

/// The changes of one ELF object file.
struct ELFRenaming: ~Escapable {
  private let reader: ByteReader
  private let file: ELFFile
  private let sections: ELFSections
  private let names: RenamedNames
  /// The sections of relocations (`SHT_RELA`, `SHT_REL`) of each section.
  private let relocations: [Int: [Int]]
  private var headers: EditedBytes
  private var edits: [ByteEdits.Edit] = []

  @_lifetime(copy reader)
  private init(_ file: ELFFile, _ names: RenamedNames, _ reader: borrowing ByteReader) throws(FormatError) {
    (self.file, self.names) = (file, names)
    self.reader = try reader.slice(reader.range, "ELF file", file.endianness)
    sections = try ELFSections(file, reader)
    let all = sections.all
    relocations = Dictionary(grouping: all.indices.filter { [4, 9].contains(all[$0].type) }) { Int(all[$0].info) }
    let start = sections.place(of: 0)
    headers = try EditedBytes(
      start..<sections.place(of: sections.all.count), "section headers", reader, file.endianness)
  }

  /// The edits for the file that is `reader`'s window; none if no name of it changes.
  static func edits(
    _ reader: borrowing ByteReader, _ names: RenamedNames, keepsDebug: Bool
  ) throws(FormatError) -> ByteEdits {
    let file = try ELFFile(reader)
    guard file.type == .relocatable else {
      throw .unsupported(
        "type", at: reader.range.lowerBound,
        "the names of a linked \(file.type.description) are in tables that its code leads to; "
          + "rename those of the static library, and link again")
    }
    var renaming = try ELFRenaming(file, names, reader)
    let isChanged = try renaming.renameSymbols()
    if !isChanged, keepsDebug { return ByteEdits() }
    try renaming.changeDebugInformation(keeps: keepsDebug)
    return try renaming.finished()
  }

  // MARK: Symbols

  /// Whether a symbol changes.
  @_lifetime(self: copy self)
  private mutating func renameSymbols() throws(FormatError) -> Bool {
    guard let (table, link, strings) = try sections.symbolTable(reader) else { return false }
    let all = sections.all
    let size = file.is64Bit ? 24 : 16
    var uses: [StringTable.Use] = []
    var isChanged = false
    for number in 0..<table.count / size {
      let entry = try ELFSymbol(reader, at: table.lowerBound + number * size, is64Bit: file.is64Bit)
      var use = StringTable.Use(offset: Int(entry.nameOffset), change: nil)
      if number > 0, let name = reader.terminatedRange(at: strings.lowerBound + use.offset, in: strings), !name.isEmpty
      {
        if entry.binding == .local {
          use.change = try names.localChange(of: name, reader)
        } else {
          use.change = names.change(of: name, reader)
          if use.change == nil { try names.refuseRival(of: name, reader) }
        }
        isChanged = isChanged || use.change != nil
      }
      uses.append(use)
    }
    guard isChanged else { return false }
    let symbols = uses.count
    let hasSectionNames = try sectionNames() == link
    if hasSectionNames { uses += all.map { .init(offset: Int($0.nameOffset), change: nil) } }
    var new = try StringTable(uses, names.rewrite, of: strings, reader)
    new.pad(over: strings.count, toMultipleOf: 16)
    var entries = try EditedBytes(table, "symbol table", reader, file.endianness)
    for number in 0..<symbols {
      entries.put(UInt64(new.places[number]), at: table.lowerBound + number * size, bytes: 4)
    }
    if hasSectionNames {
      for number in all.indices {
        headers.put(UInt64(new.places[symbols + number]), at: sections.place(of: number), bytes: 4)
      }
    }
    edits.append(entries.edit(of: table))
    edits.append(.init(range: strings, bytes: new.bytes))
    putSize(UInt64(new.bytes.count), of: link)
    return true
  }

  /// The index of the section that has the names of sections.
  private func sectionNames() throws(FormatError) -> Int {
    let place = reader.range.lowerBound + (file.is64Bit ? 62 : 50)
    let index: UInt16 = try reader.integer(at: place, "section of the section names")
    return index == UInt16.max ? Int(sections.all.first?.link ?? 0) : Int(index)
  }

  private var width: Int { file.is64Bit ? 8 : 4 }

  @_lifetime(self: copy self)
  private mutating func putSize(_ size: UInt64, of index: Int) {
    headers.put(size, at: sections.place(of: index) + 8 + 3 * width, bytes: width)
  }

  // MARK: Debugging information

  private func index(named name: StaticString) -> Int? {
    sections.all.firstIndex { sections.hasName($0, name, reader) }
  }

  @_lifetime(self: copy self)
  private mutating func changeDebugInformation(keeps: Bool) throws(FormatError) {
    if !keeps {
      for (index, section) in sections.all.enumerated() where sections.hasName(section, ".debug_", reader) {
        try empty(index)
      }
      return
    }
    guard let strings = index(named: ".debug_str\0") else { return }
    var parts = DWARFParts()
    parts.strings = try content(strings)
    if let index = index(named: ".debug_abbrev\0") { parts.abbreviations = try content(index) }
    if let index = index(named: ".debug_str_offsets\0") {
      parts.stringOffsets = try content(index)
      try addRelocations(of: index, to: &parts)
    }
    for (index, section) in sections.all.enumerated() {
      let areTypes = sections.hasName(section, ".debug_types\0", reader)
      guard areTypes || sections.hasName(section, ".debug_info\0", reader) else { continue }
      parts.units.append((try content(index), areTypes))
      try addRelocations(of: index, to: &parts)
    }
    let renaming = try DWARFRenaming(parts, names, reader, file.endianness)
    guard !renaming.isEmpty else { return }
    edits += renaming.sites
    edits.append(.init(range: parts.strings.upperBound..<parts.strings.upperBound, bytes: renaming.strings))
    putSize(UInt64(parts.strings.count + renaming.strings.count), of: strings)
    if let index = index(named: ".debug_names\0") { try empty(index) }
  }

  private func content(_ index: Int) throws(FormatError) -> Range<Int> {
    let section = sections.all[index]
    if section.isZeroFill { return reader.range.lowerBound..<reader.range.lowerBound }
    guard section.flags & 0x800 == 0 else {
      throw .unsupported(
        "section \(index)", at: sections.place(of: index), "compressed debugging information is not rewritten")
    }
    return try reader.claimed(
      start: section.offset, size: section.size, at: sections.place(of: index), "section \(index)")
  }

  /// Adds the fields of a section that relocations with addends fill in (`SHT_RELA`: offset, info, addend).
  private func addRelocations(of index: Int, to parts: inout DWARFParts) throws(FormatError) {
    guard let own = relocations[index]?.first(where: { sections.all[$0].type == 4 }) else { return }
    let start = try content(index).lowerBound
    let entries = try content(own)
    let limit = UInt64(try content(index).count)
    for number in 0..<entries.count / (3 * width) {
      let entry = entries.lowerBound + number * 3 * width
      let offset = try reader.address(at: entry, is64Bit: file.is64Bit, "relocation")
      guard offset < limit else { continue }
      let place = entry + 2 * width
      parts.relocated[start + Int(offset)] = DWARFParts.Field(
        value: try reader.address(at: place, is64Bit: file.is64Bit, "relocation"), place: place, width: width)
    }
  }

  /// Takes the content of a section out, and its relocations, but for what keeps the alignment of those behind it.
  @_lifetime(self: copy self)
  private mutating func empty(_ index: Int) throws(FormatError) {
    for index in [index] + (relocations[index] ?? []) {
      let section = sections.all[index]
      let content = try reader.claimed(
        start: section.offset, size: section.isZeroFill ? 0 : section.size, at: sections.place(of: index),
        "section \(index)")
      edits.append(.init(range: content.lowerBound..<content.lowerBound + content.count & ~15, bytes: []))
      putSize(0, of: index)
    }
  }

  // MARK: Places

  private consuming func finished() throws(FormatError) -> ByteEdits {
    let start = reader.range.lowerBound
    let moved = try ByteEdits(edits)
    for (index, section) in sections.all.enumerated() where index > 0 && section.offset <= UInt64(reader.count) {
      let place = moved.place(of: start + Int(section.offset)) - start
      headers.put(UInt64(place), at: sections.place(of: index) + 8 + 2 * width, bytes: width)
    }
    let table = sections.place(of: 0)..<sections.place(of: sections.all.count)
    var header = try EditedBytes(start..<start + (file.is64Bit ? 64 : 52), "ELF header", reader, file.endianness)
    header.put(UInt64(moved.place(of: table.lowerBound) - start), at: start + (file.is64Bit ? 40 : 32), bytes: width)
    return try ByteEdits(
      edits + [headers.edit(of: table), header.edit(of: start..<start + (file.is64Bit ? 64 : 52))])
  }
}
