import ObjectFiles

// Object files, archives and universal libraries.
extension FuzzTarget {
  func isSoundCode(_ bytes: [UInt8]) -> Bool { isSound(ByteReader(bytes.span)) }

  private func isSound(_ reader: borrowing ByteReader) -> Bool {
    switch self {
    case .machO: return symbols(reader, isMine: { if case .machO = $0 { true } else { false } })
    case .elf: return symbols(reader, isMine: { if case .elf = $0 { true } else { false } })
    case .class: return javaClass(reader)
    case .bitcode: return symbols(reader, isMine: { $0 == .bitcode })
    case .archive:
      guard let archive = try? StaticArchive(reader) else { return true }
      var text: [UInt8] = []
      try? NMFormat(SymbolSelection()).appendMap(of: ObjectUnits(reader), reader, to: &text)
      return archive.members.allSatisfy { within($0.range, reader) && within($0.nameRange, reader) }
        && archive.symbolTables.allSatisfy { within($0.range, reader) }
    case .fat:
      let facts = CodeFacts(reader)
      return facts.slices.allSatisfy { within($0.range, reader) }
        && ObjectUnits(reader).units.allSatisfy { within($0.range, reader) }
    case .lipo:
      if let input = try? StaticLibraryInput(name: "input", member: [], reader) {
        guard input.objects.allSatisfy({ within($0.range, reader) }) else { return false }
        guard let libraries = try? StaticLibrary.all(of: [input]) else { return true }
        guard libraries.allSatisfy({ $0.size % 8 == 0 && !$0.pieces.isEmpty }) else { return false }
      }
      guard let input = try? UniversalInput(name: "input", reader) else { return true }
      guard input.slices.allSatisfy({ within($0.range, reader) }) else { return false }
      guard let library = try? UniversalLibrary([input]) else { return true }
      return library.slices.allSatisfy { $0.padding >= 0 && $0.padding < 1 << 15 }
    case .loader: return loader(reader)
    case .tables: return tables(reader)
    case .objc: return objc(reader)
    case .code: return code(reader)
    case .linkage: return linkage(reader)
    default: return true
    }
  }

  private func symbols(_ reader: borrowing ByteReader, isMine: (FileKind) -> Bool) -> Bool {
    // A change of the first bytes leads to another format: that one has its own target.
    guard isMine(FileKind(reader)) else { return true }
    let units = ObjectUnits(reader)
    guard units.units.allSatisfy({ within($0.range, reader) }) else { return false }
    var text = ListedText()
    for unit in units.units {
      let printed = NMFormat(SymbolSelection(), namesFiles: true)
      try? printed.append(unit, of: units, named: "x", reader, to: &text)
      guard let symbols = try? ObjectSymbols(reader) else { continue }
      _ = try? symbols.count(reader, SymbolSelection(externalOnly: true))
      var isSound = true
      try? symbols.forEach(reader, SymbolSelection()) { (symbol: Symbol) throws(FormatError) in
        if let name = symbol.name, !within(name, reader) { isSound = false }
      }
      if !isSound { return false }
    }
    return true
  }

  func within(_ range: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    range.lowerBound >= reader.range.lowerBound && range.upperBound <= reader.range.upperBound
  }
}
