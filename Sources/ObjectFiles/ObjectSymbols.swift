/// The symbols of one object file, shared library or executable of any format.
package enum ObjectSymbols: Sendable {
  case machO(MachOSymbols)
  case elf(ELFSymbols)
  case bitcode(BitcodeSymbols)

  /// Nil if the bytes, the whole of `reader`'s window, are of no format with symbols.
  package init?(_ reader: borrowing ByteReader) throws(FormatError) {
    switch FileKind(reader) {
    case .machO: self = .machO(try MachOSymbols(reader))
    case .elf: self = .elf(try ELFSymbols(reader))
    case .bitcode: self = .bitcode(try BitcodeSymbols(reader))
    default: return nil
    }
  }

  package var is64Bit: Bool {
    switch self {
    case .machO(let symbols): symbols.file.is64Bit
    case .elf(let symbols): symbols.file.is64Bit
    case .bitcode(let symbols): symbols.is64Bit
    }
  }

  /// Calls `body` with each selected symbol, in the order of the file's own table.
  @inline(__always)
  package func forEach(
    _ reader: borrowing ByteReader, _ selection: SymbolSelection, _ body: (Symbol) throws(FormatError) -> Void
  ) throws(FormatError) {
    switch self {
    case .machO(let symbols): try symbols.forEach(reader, selection, body)
    case .elf(let symbols): try symbols.forEach(reader, selection, body)
    case .bitcode(let symbols): try symbols.forEach(selection, body)
    }
  }

  /// The selected symbols that only the loader's tables have: those of an image whose flags say so, or whose symbol
  /// table defines nothing external.
  package func loaderSymbols(
    _ reader: borrowing ByteReader, _ selection: SymbolSelection
  ) throws(FormatError) -> [LoaderSymbol] {
    guard case .machO(let symbols) = self, symbols.file.fileType != .object else { return [] }
    if !symbols.file.flags.contains(.symbolsOutOfSync) {
      let definitions = SymbolSelection(externalOnly: true, definedOnly: true)
      guard try symbols.count(reader, definitions) == 0 else { return [] }
    }
    return try MachOLoaderSymbols(symbols, reader, withFunctions: false).all.filter { selection.takes($0.symbol) }
  }

  /// The number of selected symbols, the loader's included.
  package func count(_ reader: borrowing ByteReader, _ selection: SymbolSelection) throws(FormatError) -> Int {
    if case .machO(let symbols) = self {
      return try symbols.count(reader, selection) + loaderSymbols(reader, selection).count
    }
    var count = 0
    try forEach(reader, selection) { (_) throws(FormatError) in count += 1 }
    return count
  }
}
