import ObjectFiles

// What hides a symbol changes no size:
//
//   Mach-O   N_PEXT (0x10) in the type of an entry of the symbol table; in an image the name leaves the export trie
//   ELF      STV_HIDDEN (2) in the two lowest bits of `st_other`
//
/// Symbols that other images do not see any more.
enum SymbolHiding {
  /// The edits for the file that is `reader`'s window.
  static func edits(_ reader: borrowing ByteReader, _ names: RenamedNames) throws(FormatError) -> ByteEdits {
    if FileKind(reader) == .elf { return try elf(reader, names) }
    let file = try MachOFile(reader)
    let whole = try reader.slice(file.range, "Mach-O file", file.endianness)
    guard let table = try MachOSymbolTable(file, whole) else { return ByteEdits() }
    var entries = try EditedBytes(table.range, "symbol table", whole, file.endianness)
    let isObject = file.fileType == .object
    let hidden = isObject ? nil : try exports(file, whole, names)
    let size = file.is64Bit ? 16 : 12
    var place = table.range.lowerBound + 4
    try table.forEach(whole) { (symbol) throws(FormatError) in
      defer { place += size }
      guard symbol.isExternal, !symbol.isDebug, !symbol.isUndefined,
        let range = table.name(at: symbol.nameOffset, whole), names.change(of: range, whole) != nil
      else { return }
      if let hidden, !hidden.names.contains(try whole.copy(range, "name of a symbol")) { return }
      entries.put(UInt64(symbol.type | 0x10), at: place, bytes: 1)
    }
    return try ByteEdits([entries.edit(of: table.range)] + (hidden?.edits ?? []))
  }

  private static func elf(_ reader: borrowing ByteReader, _ names: RenamedNames) throws(FormatError) -> ByteEdits {
    let file = try ELFFile(reader)
    guard file.type == .relocatable else {
      throw .unsupported(
        "type", at: reader.range.lowerBound,
        "Android's loader finds the names of a linked \(file.type.description) whatever their visibility is; link it anew "
          + "with hidden names (-fvisibility=hidden, or a version script)")
    }
    let whole = try reader.slice(reader.range, "ELF file", file.endianness)
    let sections = try ELFSections(file, whole)
    guard let table = try sections.symbolTable(whole) else { return ByteEdits() }
    let strings = table.strings
    var entries = try EditedBytes(table.range, "symbol table", whole, file.endianness)
    let size = file.is64Bit ? 24 : 16
    for number in 0..<table.range.count / size {
      let place = table.range.lowerBound + number * size
      let entry = try ELFSymbol(whole, at: place, is64Bit: file.is64Bit)
      guard entry.binding != .local, entry.section != 0,
        let name = whole.terminatedRange(at: strings.lowerBound + Int(entry.nameOffset), in: strings),
        names.change(of: name, whole) != nil
      else { continue }
      let field = place + (file.is64Bit ? 5 : 13)
      let other: UInt8 = try whole.integer(at: field, "symbol")
      // Internal symbols are hidden already.
      if other & 3 != 1 { entries.put(UInt64(other & ~3 | 2), at: field, bytes: 1) }
    }
    return try ByteEdits([entries.edit(of: table.range)])
  }

  // MARK: Images

  /// The names that leave the export trie, and the edits of its nodes.
  private static func exports(
    _ file: MachOFile, _ reader: borrowing ByteReader, _ names: RenamedNames
  ) throws(FormatError) -> (names: Set<[UInt8]>, edits: [ByteEdits.Edit]) {
    let trie = try MachOExports(file, reader)
    guard !trie.range.isEmpty else {
      throw .unsupported("exports", at: file.range.lowerBound, "it has no export trie; link it anew with hidden names")
    }
    var found: Set<[UInt8]> = []
    var places: Set<Int> = []
    var stays = false
    try trie.forEach(reader) { (export) throws(FormatError) in
      guard names.change(of: export.name) != nil, !export.flags.contains(.weak) else {
        stays = true
        return
      }
      found.insert(export.name)
      places.insert(export.place)
    }
    guard stays || places.isEmpty else {
      throw .unsupported("exports", at: trie.range.lowerBound, "none would be left to link with; keep what others use")
    }
    return (found, places.isEmpty ? [] : try ExportTrie(trie.range, reader).edits(removing: places, reader))
  }

  /// The names that an image still exports though they were to be hidden: weak definitions, which the loader unites with
  /// those of other images by their names. Of an object file there are none.
  static func exportsThatStay(
    _ reader: borrowing ByteReader, _ names: RenamedNames
  ) throws(FormatError) -> Set<[UInt8]> {
    guard case .machO(let kind) = FileKind(reader), kind != .object else { return [] }
    let file = try MachOFile(reader)
    var found: Set<[UInt8]> = []
    try MachOExports(file, reader).forEach(reader) { (export) throws(FormatError) in
      guard names.change(of: export.name) != nil else { return }
      guard export.flags.contains(.weak) else {
        throw .invalid("exports", at: export.place, "'\(String(decoding: export.name, as: UTF8.self))' is still there")
      }
      found.insert(export.name)
    }
    return found
  }
}
