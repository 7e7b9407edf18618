package import Artifacts
package import ObjectFiles
import Recipes

/// The APIs that need a reason in a privacy manifest and the libraries of third parties, in the code for Apple's systems
/// in one file, slice by slice.
package struct PrivacyUses: Facts {
  package var slices: [Slice] = []

  package struct Slice: Sendable {
    package var architecture: Architecture?
    /// The platform of the first object that names one.
    package var platform: Platform?
    package var isDynamicLibrary = false
    /// In the order of the members.
    package var uses: [Use] = []
    /// Libraries that it defines symbols of, with their number, by the index in `ThirdParties.all`.
    package var libraries: [Int: Int] = [:]
  }

  package struct Use: Hashable, Sendable {
    package let api: RequiredReason.API
    /// Nil outside of a static library.
    package let member: String?
    /// The library of a third party that most of the member's symbols are of.
    package let library: String?
  }

  package static func interest(inHead head: borrowing ByteReader) -> Interest {
    switch FileKind(head) {
    case .machO, .archive, .fat, .fat64, .bitcode: .content
    default: .none
    }
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> PrivacyUses? {
    bytes.withReader { PrivacyUses($0) }
  }

  /// Unreadable parts are left out; `CodeFacts` reports them.
  package init(_ reader: borrowing ByteReader) {
    var found: [Found] = []
    for unit in ObjectUnits(reader).units where unit.kind != .elf {
      guard let object = try? reader.slice(unit.range, "object file") else { continue }
      let file = unit.kind == .bitcode ? nil : try? MachOFile(object)
      let architecture = unit.slice ?? file?.architecture
      let index = found.firstIndex { $0.slice.architecture == architecture } ?? found.count
      if index == found.count { found.append(Found(architecture, reader)) }
      found[index].add(file, object, member: unit.member.map { reader.text($0) })
    }
    slices = found.map { $0.finished() }
  }
}

/// What has been found in one slice so far.
private struct Found {
  var slice: PrivacyUses.Slice
  private var budget: NameBudget
  private var uses: [(symbol: String?, use: PrivacyUses.Use)] = []
  /// The symbols of the table that the slice itself defines.
  private var own: Set<String> = []

  /// A file with more is made to be large.
  private static let maxUses = 10_000

  init(_ architecture: Architecture?, _ reader: borrowing ByteReader) {
    slice = PrivacyUses.Slice(architecture: architecture)
    budget = NameBudget(reader)
  }

  func finished() -> PrivacyUses.Slice {
    var slice = slice
    slice.uses = uses.filter { $0.symbol.map { !own.contains($0) } ?? true }.map(\.use)
    return slice
  }

  mutating func add(_ file: MachOFile?, _ object: borrowing ByteReader, member: String?) {
    if let file {
      if slice.platform == nil { slice.platform = (try? file.buildVersions(object))?.first?.platform }
      slice.isDynamicLibrary = slice.isDynamicLibrary || file.fileType == .dylib
    }
    // Symbols before damage count.
    var symbols = ObjectNames()
    try? symbols.read(object, &budget)
    own.formUnion(symbols.own)
    for (library, count) in symbols.libraries { slice.libraries[library, default: 0] += count }
    let library = member == nil ? nil : symbols.library.map { ThirdParties.all.names[$0] }
    func note(_ symbol: String?, _ api: RequiredReason.API) {
      guard uses.count < Self.maxUses else { return }
      uses.append((symbol, PrivacyUses.Use(api: api, member: member, library: library)))
    }
    for symbol in symbols.used { RequiredReason.apiOfSymbol[symbol].map { note(symbol, $0) } }
    guard file != nil else { return }
    let listed = (try? ObjCMetadata(object, .selectors))?.selectors ?? []
    var seen: Set<String> = []
    for name in symbols.selectors + listed.map({ object.text($0.name) }) {
      guard let api = RequiredReason.apiOfSelector[name], seen.insert(name).inserted else { continue }
      // A method of that name may be of any class.
      if let owner = RequiredReason.classOfSelector[name], !symbols.classes.contains(owner) { continue }
      note(nil, api)
    }
  }
}

/// What the symbols of one object say.
private struct ObjectNames {
  private(set) var used: [String] = []
  private(set) var own: [String] = []
  /// Selectors that it sends through stubs, which the linker makes: compilers of Xcode 14 and later leave them to it.
  private(set) var selectors: [String] = []
  /// Classes of Objective-C that it uses.
  private(set) var classes: Set<String> = []
  private(set) var libraries: [Int: Int] = [:]
  private var count = 0

  /// The library that at least half of the symbols are of.
  var library: Int? {
    libraries.filter { $0.value * 2 >= count }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  mutating func read(_ object: borrowing ByteReader, _ budget: inout NameBudget) throws(FormatError) {
    guard let symbols = try ObjectSymbols(object) else { return }
    try symbols.forEach(object, SymbolSelection(externalOnly: true)) { (symbol: Symbol) throws(FormatError) in
      guard let range = symbol.name else { return }
      try budget.spend(range)
      let name = object.text(range)
      if symbol.flags.contains(.undefined) {
        if let known = Self.listed(name) { used.append(known) }
        if name.hasPrefix(Self.stubPrefix) { selectors.append(String(name.dropFirst(Self.stubPrefix.count))) }
        if name.hasPrefix(Self.classPrefix) { classes.insert(String(name.dropFirst(Self.classPrefix.count))) }
        return
      }
      if let known = Self.listed(name) { own.append(known) }
      // A weak definition, such as an inline function of C++, is in every file that uses it, and a Swift symbol of a
      // module may be another module's extension of its types: only the descriptor of a type is surely its own.
      guard !symbol.flags.contains(.weak), !name.hasPrefix("_$s") || name.hasSuffix("Mn") else { return }
      count += 1
      if let library = ThirdParties.all.index(of: name) { libraries[library, default: 0] += 1 }
    }
  }

  private static let stubPrefix = "_objc_msgSend$"
  private static let classPrefix = "_OBJC_CLASS_$_"

  /// `_stat` of `_stat$INODE64`, which is the same function for another layout of its result.
  private static func listed(_ name: String) -> String? {
    if RequiredReason.apiOfSymbol[name] != nil { return name }
    guard let end = name.utf8.firstIndex(of: UInt8(ascii: "$")) else { return nil }
    let base = String(name[..<end])
    return RequiredReason.apiOfSymbol[base] == nil ? nil : base
  }
}
