import ObjectFiles

// The parts of a Mach-O object file that hold names, or the places of parts that get longer:
//
//   LC_SYMTAB            the string table is written anew, and the symbols' offsets into it
//   N_INDR symbols       their value is the offset of another name
//   LC_LINKER_OPTION     words that are a symbol's name (`-u`, `_name`)
//   __DWARF              linkage names (see `DWARFNames`); indices of names are left out
//   load commands        every offset in the file

/// The changes of one Mach-O object file.
struct MachORenaming: ~Escapable {
  let reader: ByteReader
  let file: MachOFile
  let names: RenamedNames
  var commands: EditedBytes
  var edits: [ByteEdits.Edit] = []
  /// Edits of the load commands, whose growth moves all that follows them.
  var options: [ByteEdits.Edit] = []
  var newSection: NewSection?
  /// The address behind all sections.
  private var endOfSections: UInt64 = 0
  /// How many symbols of the file change.
  private(set) var count = 0

  @_lifetime(copy reader)
  private init(_ file: MachOFile, _ names: RenamedNames, _ reader: borrowing ByteReader) throws(FormatError) {
    (self.file, self.names) = (file, names)
    self.reader = try reader.slice(file.range, "Mach-O file", file.endianness)
    commands = try EditedBytes(
      file.range.lowerBound..<file.commandRange.upperBound, "load commands", reader, file.endianness)
    for section in try file.sections(reader) { endOfSections = max(endOfSections, section.address &+ section.size) }
  }

  /// The edits for the file that is `reader`'s window; none if no name of it changes.
  static func edits(
    _ reader: borrowing ByteReader, _ names: RenamedNames, keepsDebug: Bool
  ) throws(FormatError) -> ByteEdits {
    let file = try MachOFile(reader)
    var renaming = try MachORenaming(file, names, reader)
    try renaming.renameSymbols()
    if renaming.count == 0, keepsDebug { return ByteEdits() }
    try renaming.changeDebugInformation(keeps: keepsDebug)
    try renaming.renameClasses()
    try renaming.renameLinkerOptions()
    return try renaming.finished()
  }

  // MARK: Symbols

  @_lifetime(self: copy self)
  private mutating func renameSymbols() throws(FormatError) {
    guard let table = try MachOSymbolTable(file, reader) else { return }
    var uses: [StringTable.Use] = []
    uses.reserveCapacity(table.count)
    // The values of indirect symbols come behind the names of all symbols.
    var indirect: [(symbol: Int, offset: Int)] = []
    let names = names
    let strings = try reader.slice(table.strings, "string table")
    var changed = 0
    try table.forEach(strings, of: reader) { (symbol, name) throws(FormatError) in
      var change: NameChange?
      if let name, symbol.isExternal || symbol.isDebug {
        change = names.change(of: name, strings)
        if change != nil { changed += 1 } else if symbol.isExternal { try names.refuseRival(of: name, strings) }
      }
      if symbol.kind == .indirect, !symbol.isDebug, symbol.value <= UInt64(table.strings.count) {
        indirect.append((uses.count, Int(symbol.value)))
      }
      uses.append(StringTable.Use(offset: Int(symbol.nameOffset), change: change))
    }
    count = changed
    guard changed > 0 else { return }
    for (_, offset) in indirect {
      let name = strings.terminatedRange(at: table.strings.lowerBound + offset, in: table.strings)
      uses.append(StringTable.Use(offset: offset, change: name.flatMap { names.change(of: $0, strings) }))
    }
    var new = try StringTable(uses, names.rewrite, of: table.strings, strings)
    new.pad(over: table.strings.count, toMultipleOf: 8)
    var entries = try EditedBytes(table.range, "symbol table", reader, file.endianness)
    let size = file.is64Bit ? 16 : 12
    for number in 0..<table.count {
      entries.put(UInt64(new.places[number]), at: table.range.lowerBound + number * size, bytes: 4)
    }
    for (index, symbol) in indirect.enumerated() {
      entries.put(
        UInt64(new.places[table.count + index]), at: table.range.lowerBound + symbol.symbol * size + 8,
        bytes: size - 8)
    }
    try putStringSize(new.bytes.count)
    edits.append(entries.edit(of: table.range))
    edits.append(.init(range: table.strings, bytes: new.bytes))
  }

  @_lifetime(self: copy self)
  private mutating func putStringSize(_ size: Int) throws(FormatError) {
    guard size <= Int(UInt32.max) else {
      throw .unsupported("string table", at: file.range.lowerBound, "it would have more than 4 GiB")
    }
    var list = try file.loadCommands(reader)
    while let command = try list.next() {
      guard command.kind == .symbolTable else { continue }
      commands.put(UInt64(size), at: command.range.lowerBound + 20, bytes: 4)
      return
    }
  }

  // MARK: Debugging information

  @_lifetime(self: copy self)
  private mutating func changeDebugInformation(keeps: Bool) throws(FormatError) {
    let sections = try file.placedSections(reader).filter { $0.section.segment == .dwarf && $0.section.size > 0 }
    guard !sections.isEmpty else { return }
    if !keeps {
      for section in sections { try empty(section) }
      return
    }
    var parts = DWARFParts()
    var strings: PlacedSection?
    for placed in sections {
      let range = try placed.content(reader)
      switch placed.section.name {
      case "__debug_info": parts.units.append((range, false))
      case "__debug_abbrev": parts.abbreviations = range
      case "__debug_str":
        parts.strings = range
        strings = placed
      case "__debug_str_offs": parts.stringOffsets = range
      default: break
      }
    }
    guard let strings else { return }
    let renaming = try DWARFRenaming(parts, names, reader, file.endianness)
    guard !renaming.isEmpty else { return }
    edits += renaming.sites
    if !renaming.strings.isEmpty {
      edits.append(.init(range: parts.strings.upperBound..<parts.strings.upperBound, bytes: renaming.strings))
      grow(strings, by: renaming.strings.count)
    }
    for placed in sections where ["__apple_names", "__debug_names"].contains(placed.section.name) {
      try empty(placed)
    }
  }

  /// Makes a section longer. Nothing refers to the address of this one, so it moves behind all others, where there is
  /// room.
  @_lifetime(self: copy self)
  private mutating func grow(_ placed: PlacedSection, by count: Int) {
    let address = freeAddress()
    let size = placed.section.size &+ UInt64(count)
    let width = placed.isWide ? 8 : 4
    commands.put(address, at: placed.place + 32, bytes: width)
    commands.put(size, at: placed.place + 32 + width, bytes: width)
    cover(address &+ size, placed.segmentPlace, isWide: placed.isWide)
  }

  /// An address behind all sections.
  func freeAddress() -> UInt64 { (endOfSections &+ 15) & ~15 }

  /// Lets a segment reach to an address, behind which is room for other sections.
  @_lifetime(self: copy self)
  mutating func cover(_ end: UInt64, _ segmentPlace: Int, isWide: Bool) {
    endOfSections = end
    let width = isWide ? 8 : 4
    let field = segmentPlace + 24
    let start = (try? reader.address(at: field, is64Bit: isWide, "address of a segment")) ?? 0
    commands.put(end &- start, at: field + width, bytes: width)
  }

  /// Takes the content of a section out, but for what keeps the alignment of the sections behind it.
  @_lifetime(self: copy self)
  private mutating func empty(_ placed: PlacedSection) throws(FormatError) {
    let content = try placed.content(reader)
    edits.append(.init(range: content.lowerBound..<content.lowerBound + content.count & ~15, bytes: []))
    let width = placed.isWide ? 8 : 4
    commands.put(0, at: placed.place + 32 + width, bytes: width)
    commands.put(0, at: placed.place + 32 + 2 * width + 8, bytes: 8)
  }

  // MARK: Load commands

  /// Words of linker options that are names of symbols.
  @_lifetime(self: copy self)
  private mutating func renameLinkerOptions() throws(FormatError) {
    var list = try file.loadCommands(reader)
    while let command = try list.next() {
      guard command.kind == .linkerOption else { continue }
      var fields = try list.content(of: command)
      let count: UInt32 = try fields.read("words of a linker option")
      var (words, start, isChanged): ([UInt8], Int, Bool) = ([], fields.offset, false)
      for _ in 0..<min(Int(count), fields.remaining) {
        guard let word = reader.terminatedRange(at: start, in: start..<command.range.upperBound) else { break }
        start = min(word.upperBound + 1, command.range.upperBound)
        if let change = names.change(of: word, reader) {
          names.rewrite.append(word, change, reader, to: &words)
          isChanged = true
        } else {
          reader.append(word, to: &words)
        }
        words.append(0)
      }
      let content = (command.range.lowerBound + 12)..<command.range.upperBound
      guard isChanged, content.count >= 0 else { continue }
      words.pad(over: content.count, toMultipleOf: 8)
      options.append(.init(range: content, bytes: words))
      commands.put(UInt64(words.count + 12), at: command.range.lowerBound + 4, bytes: 4)
    }
  }

  /// All edits, with the load commands' offsets into the file that has grown.
  private consuming func finished() throws(FormatError) -> ByteEdits {
    let start = file.range.lowerBound
    let head = start..<file.commandRange.upperBound
    // What follows the load commands moves as they get longer.
    let growth = options.reduce(newSection?.header(offset: 0).growth ?? 0) { $0 + $1.growth }
    let grown = ByteEdits.Edit(
      range: head.upperBound..<head.upperBound, bytes: [UInt8](repeating: 0, count: max(0, growth)))
    let moved = try ByteEdits(edits + [grown])
    if let newSection {
      options.append(newSection.header(offset: moved.place(of: newSection.end) - start - newSection.size))
    }
    var patches = MachOOffsets(file, commands)
    try patches.move(reader) { moved.place(of: start + $0) - start }
    patches.put(sizeOfCommands: file.commandRange.count + growth)
    let bytes = patches.commands.bytes
    let new = try ByteEdits(options).applied(to: ByteReader(bytes.span, base: start))
    return try ByteEdits(edits + [.init(range: head, bytes: new)])
  }
}

extension MachOSymbolTable {
  /// `forEach` with the range of each name. `strings` is a reader of the string table.
  @inline(__always)
  fileprivate func forEach(
    _ strings: borrowing ByteReader, of reader: borrowing ByteReader,
    _ body: (MachOSymbol, Range<Int>?) throws(FormatError) -> Void
  ) throws(FormatError) {
    try forEach(reader) { (symbol) throws(FormatError) in try body(symbol, name(at: symbol.nameOffset, strings)) }
  }
}
