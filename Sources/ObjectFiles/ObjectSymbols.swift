/// The symbols of one object file, shared library or executable of any format.
package enum ObjectSymbols: Sendable {
  case machO(MachOSymbols)
  case elf(ELFSymbols)

  /// Nil if the bytes, the whole of `reader`'s window, are of no format with symbols.
  package init?(_ reader: borrowing ByteReader) throws(FormatError) {
    switch FileKind(reader) {
    case .machO: self = .machO(try MachOSymbols(reader))
    case .elf: self = .elf(try ELFSymbols(reader))
    default: return nil
    }
  }

  package var is64Bit: Bool {
    switch self {
    case .machO(let symbols): symbols.file.is64Bit
    case .elf(let symbols): symbols.file.is64Bit
    }
  }

  /// Calls `body` with each wanted symbol, in the order of the file's own table.
  @inline(__always)
  package func forEach(
    _ reader: borrowing ByteReader, _ selection: SymbolSelection, _ body: (Symbol) throws(FormatError) -> Void
  ) throws(FormatError) {
    switch self {
    case .machO(let symbols): try symbols.forEach(reader, selection, body)
    case .elf(let symbols): try symbols.forEach(reader, selection, body)
    }
  }

  /// How many are wanted.
  package func count(_ reader: borrowing ByteReader, _ selection: SymbolSelection) throws(FormatError) -> Int {
    switch self {
    case .machO(let symbols): try symbols.count(reader, selection)
    case .elf(let symbols): try symbols.count(reader, selection)
    }
  }

  /// Whether the table has nothing at all in it.
  package func isEmpty(_ reader: borrowing ByteReader) throws(FormatError) -> Bool {
    switch self {
    case .machO(let symbols): symbols.table?.count ?? 0 == 0
    case .elf(let symbols): try symbols.count(reader, SymbolSelection()) == 0
    }
  }
}
