/// A symbol that the file's own symbol table lacks.
package struct LoaderSymbol: Hashable, Sendable {
  package var name: [UInt8]
  /// The name that a re-export has in the library that it comes from.
  package var target: [UInt8]?
  /// The other properties; `symbol.name` is nil.
  package var symbol: Symbol
}

/// Symbols that dyld knows and the symbol table of an image lacks: exports, names that it binds, and starts of
/// functions.
///
/// A linker or `strip` may leave symbols out of the table and say so with a flag in the header, since dyld reads its
/// own tables. Those tell less: letters follow from the sections, and there are no sizes.
package struct MachOLoaderSymbols: Sendable {
  package private(set) var all: [LoaderSymbol] = []
  /// The names of the table, and of the symbols that were added.
  private var names: Set<Name> = []
  private var addresses: Set<UInt64> = []
  private let seed = UInt64.random(in: .min ... .max)

  /// `withFunctions` adds functions without a name, under the names that `nm` gives them.
  package init(
    _ symbols: MachOSymbols, _ reader: borrowing ByteReader, withFunctions: Bool
  ) throws(FormatError) {
    let info = try MachOLoaderInfo(symbols.file, reader)
    var known: Set<Place> = []
    var budget = NameBudget(reader)
    names.reserveCapacity(symbols.table?.count ?? 0)
    known.reserveCapacity(symbols.table?.count ?? 0)
    try symbols.forEach(reader, SymbolSelection()) { (symbol: Symbol) throws(FormatError) in
      let name = try symbol.name.map { (range) throws(FormatError) in try reader.copy(range, "name of a symbol") } ?? []
      try budget.spend(symbol.name)
      let hashed = Name(name, seed)
      names.insert(hashed)
      addresses.insert(symbol.address)
      known.insert(Place(name: hashed, address: symbol.address))
    }
    try MachOExports(info).forEach(reader) { (export: MachOExport) throws(FormatError) in
      let address = export.address &+ info.baseAddress
      if !known.contains(Place(name: Name(export.name, seed), address: address)) { add(export, info, symbols) }
    }
    for binds in info.allBinds(is64Bit: symbols.file.is64Bit) {
      try binds.forEach(reader) { (bind: MachOBind) throws(FormatError) in
        // A name may be bound again and again, and each time its bytes are hashed.
        try budget.spend(bind.name)
        let name = try reader.copy(bind.name, "name of a bind")
        guard !names.contains(Name(name, seed)) else { return }
        var flags: Symbol.Flags = [.external, .undefined]
        if bind.isWeakReference { flags.insert(.weak) }
        add(name, Symbol(name: nil, letter: UInt8(ascii: "U"), address: 0, flags: flags))
      }
    }
    if withFunctions { try addFunctions(info, symbols, reader) }
  }

  private struct Place: Hashable {
    var name: Name
    var address: UInt64
  }

  /// A name with its hash: hashing an array byte by byte would take longer than everything else.
  private struct Name: Hashable {
    private let bytes: [UInt8]
    private let hash: UInt64

    init(_ bytes: [UInt8], _ seed: UInt64) {
      self.bytes = bytes
      hash = ByteReader(bytes.span).hash(of: 0..<bytes.count, seed: seed)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  private mutating func add(_ name: [UInt8], target: [UInt8]? = nil, _ symbol: Symbol) {
    all.append(LoaderSymbol(name: name, target: target, symbol: symbol))
    names.insert(Name(name, seed))
    addresses.insert(symbol.address)
  }

  private mutating func add(_ export: MachOExport, _ info: MachOLoaderInfo, _ symbols: MachOSymbols) {
    var symbol = Symbol(name: nil, letter: UInt8(ascii: "A"), address: export.address &+ info.baseAddress)
    symbol.flags = .external
    if export.flags.contains(.weak) { symbol.flags.insert(.weak) }
    if export.isThreadLocal { symbol.flags.insert(.threadLocal) }
    if export.isAbsolute {
      symbol.flags.insert(.absolute)
      add(export.name, symbol)
    } else if export.flags.contains(.reexport) {
      let target = export.importedName ?? export.name
      symbol.letter = UInt8(ascii: "I")
      symbol.flags.insert(.indirect)
      add(export.name, target: target, symbol)
      add(target, Symbol(name: nil, letter: UInt8(ascii: "U"), address: 0, flags: [.external, .undefined]))
    } else {
      if let resolver = export.resolver {
        symbol.address = resolver &+ info.baseAddress
        // The lowest bit says that it is Thumb code.
        if symbols.file.architecture.cpu == .arm, symbol.address & 1 != 0 {
          symbol.address &= ~1
          symbol.flags.insert(.thumb)
        }
      }
      let isHeader = export.name.elementsEqual("__mh_execute_header".utf8)
      symbol.letter = symbols.letter(at: symbol.address, orInText: isHeader) - 0x20
      add(export.name, symbol)
    }
  }

  private mutating func addFunctions(
    _ info: MachOLoaderInfo, _ symbols: MachOSymbols, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    var starts = try reader.slice(info.functionStarts, "starts of functions")
    var offset: UInt64 = 0
    var number = 0
    while starts.remaining > 0 {
      // Each start is counted from the one before; 0 ends the list.
      let distance = try starts.readULEB128("start of a function")
      if distance == 0 { return }
      guard number <= 4096 + reader.count / 4 else {
        throw .invalid("starts of functions", at: starts.offset, "there are more functions than the file has words")
      }
      offset &+= distance
      let address = offset &+ info.baseAddress
      if !addresses.contains(address) {
        let name = offset == info.entryPoint ? "<redacted LC_MAIN>" : "<redacted function \(number)>"
        add(Array(name.utf8), Symbol(name: nil, letter: symbols.letter(at: address), address: address))
      }
      number += 1
    }
  }
}

extension MachOSymbols {
  /// The lower-case letter of an address, by its section, or by the last section if it is in none.
  fileprivate func letter(at address: UInt64, orInText isHeader: Bool = false) -> UInt8 {
    // No linker makes more sections than a symbol has numbers for.
    let section = sections.prefix(255).first {
      address >= $0.address && address - $0.address < $0.size
        || isHeader && $0.segment == "__TEXT" && $0.name == "__text"
    }
    return (section ?? sections.last).map { MachOSymbols.letter(of: $0, in: file) } ?? UInt8(ascii: "s")
  }
}
