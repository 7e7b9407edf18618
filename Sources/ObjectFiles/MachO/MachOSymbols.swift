/// The symbols of a Mach-O file in the unified view.
package struct MachOSymbols: Sendable {
  package let file: MachOFile
  package let sections: [MachOSection]
  package let table: MachOSymbolTable?
  /// The letter of the symbols in each section, counted from 1 (0 is no section).
  private let letters: [UInt8]

  package init(_ reader: borrowing ByteReader) throws(FormatError) {
    let file = try MachOFile(reader)
    self.file = file
    sections = try file.sections(reader)
    table = try MachOSymbolTable(file, reader)
    letters = [UInt8(ascii: "s")] + sections.map { MachOSymbols.letter(of: $0, in: file) }
  }

  /// A letter for text, data and zero-filled data, and one for all the rest.
  static func letter(of section: MachOSection, in file: MachOFile) -> UInt8 {
    if section.segment == "__TEXT", section.name == "__text" { return UInt8(ascii: "t") }
    if section.segment == "__DATA", section.name == "__data" { return UInt8(ascii: "d") }
    if section.segment == "__DATA", section.name == "__bss" { return UInt8(ascii: "b") }
    if file.fileType == .kernelExtension, file.is64Bit, section.segment == "__TEXT_EXEC", section.name == "__text" {
      return UInt8(ascii: "t")
    }
    return UInt8(ascii: "s")
  }

  /// Calls `body` with each selected symbol, in the table's order. Debugging symbols are left out.
  @inline(__always)
  package func forEach(
    _ reader: borrowing ByteReader, _ selection: SymbolSelection, _ body: (Symbol) throws(FormatError) -> Void
  ) throws(FormatError) {
    guard let table else { return }
    // The slice is made once, and not for each name.
    let names = try reader.slice(table.strings, "string table")
    names.touch(table.strings)
    var budget = NameBudget(reader)
    try table.forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      if entry.isDebug { return }
      guard selection.takes(isExternal: entry.isExternal, isUndefined: entry.isUndefined) else { return }
      let name = table.name(at: entry.nameOffset, names)
      try budget.spend(name)
      try body(
        Symbol(
          name: name, letter: letter(of: entry), address: entry.value,
          size: entry.isCommon ? entry.value : 0, flags: entry.flags))
    }
  }

  /// The number of symbols that `forEach` would give; no name is read.
  package func count(_ reader: borrowing ByteReader, _ selection: SymbolSelection) throws(FormatError) -> Int {
    var count = 0
    try table?.forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      if !entry.isDebug, selection.takes(isExternal: entry.isExternal, isUndefined: entry.isUndefined) { count += 1 }
    }
    return count
  }

  @inline(__always)
  private func letter(of symbol: MachOSymbol) -> UInt8 {
    if symbol.isUndefined { return UInt8(ascii: "U") }
    if symbol.isCommon { return UInt8(ascii: "C") }
    let letter: UInt8 =
      switch symbol.kind {
      case .section: Int(symbol.section) < letters.count ? letters[Int(symbol.section)] : UInt8(ascii: "s")
      case .absolute: UInt8(ascii: "a")
      case .indirect: UInt8(ascii: "i")
      default: UInt8(ascii: "?")
      }
    return symbol.isExternal && letter >= UInt8(ascii: "a") ? letter - 0x20 : letter
  }
}

extension MachOSymbol {
  package var flags: Symbol.Flags {
    var flags: Symbol.Flags = []
    if isExternal { flags.insert(.external) }
    if isUndefined { flags.insert(.undefined) }
    if isCommon { flags.insert(.common) }
    if kind == .absolute { flags.insert(.absolute) }
    if kind == .indirect { flags.insert(.indirect) }
    if isPrivateExternal { flags.insert(.hidden) }
    if isUndefined {
      if isWeakReference { flags.insert(.weak) }
    } else if !isCommon {
      if isWeakDefinition { flags.insert(.weak) }
      if isWeakDefinition, isWeakReference { flags.insert(.autoHide) }
      if isThumb { flags.insert(.thumb) }
      if isNeverStripped { flags.insert(.neverStripped) }
      if isAlternativeEntry { flags.insert(.alternativeEntry) }
    }
    return flags
  }
}
