import Artifacts
import Findings
import ObjectFiles

/// The names of a slice as they are found: hashes of 64 bits, of which the upper 48 are kept.
struct FoundNames {
  let slice: Slice
  private var defined: [UInt64] = []
  /// The same once all are found.
  private(set) var parted = PartedHashes([])
  private(set) var wanted: [UInt64] = []

  /// It only needs to be the same for everybody: who makes names of one hash gets them looked at.
  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(slice: Slice) { self.slice = slice }

  /// From hashes of 48 bits.
  init(slice: Slice, defined: [UInt64], wanted: [UInt64]) {
    self.slice = slice
    parted = PartedHashes(defined.map { $0 << 16 })
    self.wanted = wanted.map { $0 << 16 }
  }

  /// What could not be read; the rest was.
  mutating func add(_ file: CodeFile) -> [Mistake] {
    file.withReader { reader in
      var mistakes: [Mistake] = []
      let architecture = Architecture(name: slice.architecture)
      for unit in file.units.units where unit.slice == nil || unit.slice == architecture {
        do throws(FormatError) {
          try add(try reader.slice(unit.range, "object file"))
        } catch {
          // Metadata that nobody reads hides no name.
          if case .unsupported = error.reason { continue }
          mistakes.append(Mistake("\(error)", at: file.place(of: unit)))
        }
      }
      return mistakes
    }
  }

  private mutating func add(_ reader: borrowing ByteReader) throws(FormatError) {
    guard let symbols = try ObjectSymbols(reader) else { return }
    if case .machO(let symbols) = symbols {
      guard symbols.file.architecture.name == slice.architecture else { return }
      let room = symbols.table?.count ?? 0
      if defined.capacity - defined.count < room {
        defined.reserveCapacity(max(2 * defined.capacity, defined.count + room))
      }
      try symbols.table?.appendHashes(reader, seed: FoundNames.seed, defined: &defined, wanted: &wanted)
    } else {
      try add(symbols, reader)
    }
    for symbol in try symbols.loaderSymbols(reader, SymbolSelection(externalOnly: true))
    where !symbol.symbol.flags.contains(.undefined) {
      defined.append(FoundNames.hash(0..<symbol.name.count, ByteReader(symbol.name.span)))
    }
    try addMethods(reader)
  }

  private mutating func add(_ symbols: ObjectSymbols, _ reader: borrowing ByteReader) throws(FormatError) {
    var (defined, wanted) = (defined, wanted)
    try symbols.forEach(reader, SymbolSelection(externalOnly: true)) { (symbol: Symbol) throws(FormatError) in
      guard let name = symbol.name else { return }
      let hash = FoundNames.hash(name, reader)
      if symbol.flags.contains(.undefined) { wanted.append(hash) } else { defined.append(hash) }
    }
    (self.defined, self.wanted) = (defined, wanted)
  }

  /// Two categories of one method clash, though they share no symbol.
  private mutating func addMethods(_ reader: borrowing ByteReader) throws(FormatError) {
    let data = try ObjCMetadata(reader)
    func hash(_ className: Range<Int>, _ method: ObjCMethod) -> UInt64 {
      let own = FoundNames.hash(className, reader) &* (method.isClassMethod ? 3 : 5)
      return own ^ FoundNames.hash(method.selector, reader)
    }
    for item in data.classes { defined += item.methods.map { hash(item.name, $0) } }
    for item in data.categories { defined += item.methods.map { hash(item.className.range, $0) } }
  }

  mutating func add(_ stub: TextStub) {
    for symbol in stub.exports + stub.reexports
    where symbol.targets.contains(where: { $0.architecture?.name == slice.architecture }) {
      let name = Array(symbol.name.utf8)
      defined.append(FoundNames.hash(0..<name.count, ByteReader(name.span)))
    }
  }

  /// Each wanted name once.
  mutating func finish() {
    parted = PartedHashes(defined)
    defined = []
    var seen: Set<UInt64> = []
    wanted = wanted.filter { seen.insert($0 >> 16).inserted }
  }

  private static func hash(_ range: Range<Int>, _ reader: borrowing ByteReader) -> UInt64 {
    reader.hash(of: range, seed: seed)
  }
}
