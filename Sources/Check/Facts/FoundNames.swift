package import Artifacts
import Collisions
package import Findings
import ObjectFiles

/// The names found in a slice, as hashes of 64 bits, of which the upper 48 are kept.
package struct FoundNames {
  package let slice: Slice
  private(set) var defined: [UInt64] = []
  /// Each once.
  private(set) var undefined: [UInt64] = []
  /// Classes that the Objective-C runtime registers.
  private(set) var classes: Set<String> = []
  private(set) var libraries: Set<LibraryVersion> = []
  /// Whether a library has members that a linker may refuse for their alignment: such a library is always linked.
  private(set) var isMisaligned = false

  /// It need not be secret: names with equal hashes only make a check read more plugins.
  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(slice: Slice) { self.slice = slice }

  /// The names by slice, and a mistake for each file whose names could not be read.
  package static func all(of artifact: Artifact) -> (names: [FoundNames], mistakes: [Mistake]) {
    var found: [FoundNames] = []
    var mistakes: [Mistake] = []
    for code in artifact.code where code.file.isLinked {
      for slice in code.slices {
        let index = found.firstIndex { $0.slice == slice } ?? found.count
        if index == found.count { found.append(FoundNames(slice: slice)) }
        mistakes += found[index].add(code.file)
        // Files of one name are related: one of them is linked in place of the other.
        if let name = code.file.linkName { found[index].defined.append(hash("link name \(name)")) }
        if found[index].isMisaligned(code.file.units) { found[index].isMisaligned = true }
      }
    }
    for (_, stub) in artifact.stubs {
      for index in found.indices { found[index].add(stub) }
    }
    for index in found.indices { found[index].finish() }
    return (found, mistakes)
  }

  /// Returns the unreadable parts; the rest was read.
  mutating func add(_ file: CodeFile) -> [Mistake] {
    file.withReader { reader in
      var mistakes: [Mistake] = []
      let architecture = Architecture(name: slice.architecture)
      for unit in file.units.units where unit.slice == nil || unit.slice == architecture {
        do throws(FormatError) {
          try add(try reader.slice(unit.range, "object file"))
        } catch {
          // Metadata in an unsupported format hides no names.
          if case .unsupported = error.reason { continue }
          mistakes.append(Mistake("\(error)", at: file.place(of: unit)))
        }
      }
      return mistakes
    }
  }

  private mutating func add(_ reader: borrowing ByteReader) throws(FormatError) {
    guard let symbols = try ObjectSymbols(reader) else { return }
    let start = defined.count
    if case .machO(let symbols) = symbols {
      guard symbols.file.architecture.name == slice.architecture else { return }
      let room = symbols.table?.count ?? 0
      if defined.capacity - defined.count < room {
        defined.reserveCapacity(max(2 * defined.capacity, defined.count + room))
      }
      try symbols.table?.appendHashes(reader, seed: FoundNames.seed, defined: &defined, undefined: &undefined)
      LibraryProbes.all.add(defined[start...], symbols, reader, to: &libraries)
    } else {
      try add(symbols, reader)
    }
    for symbol in try symbols.loaderSymbols(reader, SymbolSelection(externalOnly: true))
    where !symbol.symbol.flags.contains(.undefined) {
      defined.append(FoundNames.hash(0..<symbol.name.count, ByteReader(symbol.name.span)))
    }
    try addObjC(reader, after: start)
  }

  private mutating func add(_ symbols: ObjectSymbols, _ reader: borrowing ByteReader) throws(FormatError) {
    var (defined, undefined) = (defined, undefined)
    try symbols.forEach(reader, SymbolSelection(externalOnly: true)) { (symbol: Symbol) throws(FormatError) in
      guard let name = symbol.name else { return }
      let hash = FoundNames.hash(name, reader)
      if symbol.flags.contains(.undefined) { undefined.append(hash) } else { defined.append(hash) }
    }
    (self.defined, self.undefined) = (defined, undefined)
  }

  /// Adds methods of classes and categories, which clash without sharing a symbol, and registered classes and protocols
  /// without symbols. `start` is the index of the first name of the file's symbols.
  private mutating func addObjC(_ reader: borrowing ByteReader, after start: Int) throws(FormatError) {
    let data = try ObjCMetadata(reader)
    if data.classes.isEmpty, data.categories.isEmpty, data.protocols.isEmpty { return }
    for item in data.classes { classes.insert(reader.text(item.name)) }
    var registered: [UInt64] = []
    for (prefix, names) in [
      ("_OBJC_CLASS_$_", data.classes.map(\.name)), ("__OBJC_PROTOCOL_$_", data.protocols.map(\.name)),
    ] {
      for name in names {
        var symbol = Array(prefix.utf8)
        reader.append(name, to: &symbol)
        registered.append(FoundNames.hash(0..<symbol.count, ByteReader(symbol.span)))
      }
    }
    // Most have symbols, which a filter finds.
    var filter = BloomFilter(count: registered.count)
    filter.insert(registered)
    let symbols = Array(defined[start...])
    let own = Set(filter.positions(of: symbols).map { symbols[$0] >> 16 })
    defined += registered.filter { !own.contains($0 >> 16) }
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

  private func isMisaligned(_ units: ObjectUnits) -> Bool {
    guard let architecture = Architecture(name: slice.architecture), architecture.cpu.is64Bit else { return false }
    return units.archives.contains { item in
      (item.slice == nil || item.slice == architecture) && !item.archive.members.allSatisfy(item.archive.isAligned)
    }
  }

  private mutating func finish() {
    var seen: Set<UInt64> = []
    undefined = undefined.filter { seen.insert($0 >> 16).inserted }
  }

  static func hash(_ name: String) -> UInt64 {
    let name = Array(name.utf8)
    return hash(0..<name.count, ByteReader(name.span))
  }

  static func hash(_ range: Range<Int>, _ reader: borrowing ByteReader) -> UInt64 {
    reader.hash(of: range, seed: seed)
  }

}

extension CodeFile {
  /// The name by which Xcode links it: `libX.a` by `-lX`, `X.framework` by `-framework X`; nil for other files.
  var linkName: String? {
    let parts = place.parts.flatMap { $0.pathParts }
    guard let last = parts.last else { return nil }
    if last.hasPrefix("lib"), last.hasSuffix(".a") { return String(last) }
    return parts.contains { $0 == "\(last).framework" } ? "\(last).framework" : nil
  }

  /// Whether an app's linker takes it: it is no executable and no debug symbols.
  package var isLinked: Bool {
    if !units.archives.isEmpty { return true }
    guard let unit = units.units.first else { return false }
    switch unit.kind {
    case .machO(.object), .machO(.dylib), .machO(.dylibStub), .bitcode: return true
    default: return false
    }
  }
}
