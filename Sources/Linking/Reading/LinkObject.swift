package import ObjectFiles

/// One object file as a linker sees it: its symbols, the libraries that it asks for, and the lists for the Objective-C
/// runtime that it has. The bytes are read again for what only some links want (atoms, metadata).
package struct LinkObject: Sendable {
  package var file: FileID
  /// Nil outside of a static library.
  var member: MemberID?
  package var range: Range<Int>
  /// Those that others see and that a `SymbolFilter` lets through, in the file's order.
  package var symbols: [LinkSymbol] = []
  /// The words of each `LC_LINKER_OPTION`.
  var linkerOptions: [[String]] = []
  /// Sections for which `-ObjC` loads an object file: categories, or Swift's metadata (rule 1.6).
  enum ObjCSections: Sendable { case none, empty, filled }

  var objCSections = ObjCSections.none
  /// The platforms that it was built for.
  package var builds: [BuildVersion] = []
  /// Only one platform is read, and it is for another: it has no symbols.
  var isPassedOver = false
  var hasClasses = false
  var hasCategories = false
  /// The runtime is told of more classes and protocols than symbols name: the others' are local, as `ld -r` leaves what was
  /// hidden.
  package var hasLocalObjC = false
  /// Why it has no symbols; of interest if a link loads it.
  var damage: FormatError?
}

extension LinkFileReading {
  /// `reader`'s window is the object file. Other processors' gives nothing. After an error `raw` has what was read.
  func read(_ reader: borrowing ByteReader, _ raw: inout RawLinkObject) throws(FormatError) {
    switch FileKind(reader) {
    case .machO(.object): try readMachO(reader, &raw)
    case .bitcode: try readBitcode(reader, &raw)
    // The error for the whole library says it.
    case let kind where kind.foreignCode != nil: break
    case let kind:
      throw .invalid("object file", at: raw.object.range.lowerBound, "this is \(kind.named)")
    }
  }

  private func readMachO(_ reader: borrowing ByteReader, _ raw: inout RawLinkObject) throws(FormatError) {
    let file = try MachOFile(reader)
    let sections = try file.sections(reader)
    raw.object.objCSections = LinkObject.ObjCSections(sections)
    guard file.architecture == architecture else { return }
    // Lists of pointers.
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
    // Read once in order: the pages are in memory then when names are read here and there.
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
      // Categories are looked at together with their class; and what is local in one file may be named by another's symbol.
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
      guard let range = symbol.name, let symbol = LinkSymbol(symbol) else { return }
      symbols.append((symbol, NamePlace(range, reader, seed: seed)))
    }
    raw.symbols = symbols
  }
}

extension LinkObject {
  /// Tells whether there are classes and categories. Returns how long the lists of classes and protocols are, in bytes.
  fileprivate mutating func readLists(_ sections: [MachOSection]) -> UInt64 {
    var listed: UInt64 = 0
    for section in sections where section.size > 0 {
      switch section.name {
      case "__objc_classlist":
        hasClasses = true
        listed += section.size
      case "__objc_protolist": listed += section.size
      case "__objc_catlist", "__objc_catlist2": hasCategories = true
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
      let isData = section.segment == "__DATA" || section.segment == "__DATA_CONST"
      guard
        isData && section.name == "__objc_catlist"
          || section.segment == "__TEXT" && section.name.bytes.starts(with: Array("__swift".utf8))
      else { continue }
      if section.size > 0 { self = .filled } else if self == .none { self = .empty }
    }
  }
}
