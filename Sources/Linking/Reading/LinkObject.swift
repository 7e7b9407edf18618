package import ObjectFiles

/// One object file as a linker sees it. Its bytes are read again for data that only some links need (atoms,
/// metadata).
package struct LinkObject: Sendable {
  package var file: FileID
  /// Nil outside of a static library.
  var member: MemberID?
  package var range: Range<Int>
  /// The external symbols that `SymbolFilter` keeps, in the file's order.
  package var symbols: [LinkSymbol] = []
  /// The words of each `LC_LINKER_OPTION`.
  var linkerOptions: [[String]] = []
  /// Sections for which `-ObjC` loads an object file: categories, or Swift's metadata (rule 1.6).
  enum ObjCSections: Sendable { case none, empty, filled }

  var objCSections = ObjCSections.none
  /// The processor that it is for, if that is another than the link's: it has no symbols then.
  var foreign: Architecture?
  package var builds: [BuildVersion] = []
  /// It has no symbols, since only object files for another platform are read.
  var isPassedOver = false
  var hasClasses = false
  var hasCategories = false
  /// It has more classes and protocols than external symbols for them: the symbols of the others are local, as `ld
  /// -r` makes hidden ones.
  package var hasLocalObjC = false
  /// The reason why it has no symbols, for a link that loads it.
  var damage: FormatError?
}

extension LinkFileReading {
  /// `reader`'s window is the object file. One for another processor adds nothing. After an error `raw` has the parts
  /// that were read.
  func read(_ reader: borrowing ByteReader, _ raw: inout RawLinkObject) throws(FormatError) {
    switch FileKind(reader) {
    case .machO(.object): try readMachO(reader, &raw)
    case .bitcode: try readBitcode(reader, &raw)
    // `LinkArchive.unread` has the error.
    case let kind where kind.foreignCode != nil: break
    case let kind:
      throw .invalid("object file", at: raw.object.range.lowerBound, "this is \(kind.named)")
    }
  }

  private func readMachO(_ reader: borrowing ByteReader, _ raw: inout RawLinkObject) throws(FormatError) {
    let file = try MachOFile(reader)
    let sections = try file.sections(reader)
    raw.object.objCSections = LinkObject.ObjCSections(sections)
    guard file.architecture == architecture else {
      raw.object.foreign = file.architecture
      return
    }
    // The lists hold a pointer for each.
    let listedCount = raw.object.readLists(sections) / (file.is64Bit ? 8 : 4)
    raw.object.builds = try file.buildVersions(reader)
    if let platform, !raw.object.builds.isEmpty, !raw.object.builds.contains(where: { $0.platform == platform }) {
      raw.object.isPassedOver = true
      return
    }
    raw.object.linkerOptions = try MachOLinkage(file, reader).linkerOptions.map { words in
      words.map { String(decoding: $0, as: UTF8.self) }
    }
    guard let table = try MachOSymbolTable(file, reader) else { return }
    let strings = try reader.slice(table.strings, "string table")
    // The names are touched in order, so that their pages are in memory when they are read in any order.
    strings.touch(table.strings)
    let kinds = LinkSymbol.SectionKinds(sections, profile)
    var symbols: [(symbol: LinkSymbol, name: NamePlace)] = []
    symbols.reserveCapacity(table.count)
    var targets: [NamePlace] = []
    var always: [UInt64] = []
    let hasClasses = raw.object.hasClasses
    var namedCount: UInt64 = 0
    var budget = NameBudget(reader)
    try table.forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      guard entry.isExternal, !entry.isDebug,
        let (range, hash) = table.hashedName(at: entry.nameOffset, strings, seed: seed)
      else { return }
      try budget.spend(range)
      guard var symbol = LinkSymbol(entry, named: range, strings, kinds) else { return }
      if symbol.kind == .alias {
        guard let offset = UInt32(exactly: symbol.value), let target = table.name(at: offset, strings) else { return }
        try budget.spend(target)
        symbol.value = UInt64(targets.count)
        targets.append(NamePlace(target, strings, seed: seed))
        always.append(hash)
      }
      let name = NamePlace(range, hash: hash)
      symbols.append((symbol, name))
      guard listedCount > 0, symbol.isDefinition else { return }
      // Categories are compared with their class, and a class or protocol that is local in one file may have a symbol
      // in another.
      let isProtocol = LinkFileReading.isProtocol(range, strings)
      if isProtocol || hasClasses && LinkFileReading.isClass(range, strings) {
        always.append(name.hash)
        namedCount += 1
      }
    }
    raw.object.hasLocalObjC = namedCount < listedCount
    raw.symbols = symbols
    raw.targets = targets
    raw.alwaysWanted = always
  }

  private func readBitcode(_ reader: borrowing ByteReader, _ raw: inout RawLinkObject) throws(FormatError) {
    let table = try BitcodeSymbols(reader)
    if table.hasObjCSection { raw.object.objCSections = .filled }
    guard Architecture(name: String(table.target.prefix { $0 != "-" })) == architecture else { return }
    var symbols: [(symbol: LinkSymbol, name: NamePlace)] = []
    try table.forEach(SymbolSelection()) { (symbol: Symbol) throws(FormatError) in
      guard let range = symbol.name, let symbol = LinkSymbol(symbol, profile) else { return }
      symbols.append((symbol, NamePlace(range, reader, seed: seed)))
    }
    raw.symbols = symbols
  }
}

extension LinkObject {
  /// Sets `hasClasses` and `hasCategories`. Returns the size of the lists of classes and protocols in bytes.
  fileprivate mutating func readLists(_ sections: [MachOSection]) -> UInt64 {
    var listed: UInt64 = 0
    for section in sections where section.size > 0 {
      switch section.name {
      case .classList:
        hasClasses = true
        listed += section.size
      case .protocolList: listed += section.size
      case .categoryList, .secondCategoryList: hasCategories = true
      default: break
      }
    }
    return listed
  }
}

extension LinkObject.ObjCSections {
  fileprivate init(_ sections: [MachOSection]) {
    self = .none
    for section in sections {
      let isData = section.segment == .data || section.segment == .constantData
      guard
        isData && section.name == .categoryList || section.segment == .text && section.name.hasPrefix(.swiftPrefix)
      else { continue }
      if section.size > 0 { self = .filled } else if self == .none { self = .empty }
    }
  }
}
