import Findings
import ObjectFiles

/// What a linker sees of one object file: its symbols, what it asks of the linker, and which lists for the Objective-C
/// runtime it has. The bytes are read again for what only some links want (atoms, metadata).
struct LinkObject: Sendable {
  /// In the link set.
  var file: Int
  /// In its static library; nil outside of one.
  var member: Int?
  var range: Range<Int>
  var isBitcode = false
  /// Those that others see, in the file's order.
  var symbols: [LinkSymbol] = []
  /// Of each `LC_LINKER_OPTION` its words.
  var linkerOptions: [[String]] = []
  var hasClasses = false
  var hasCategories = false
  /// Why it has no symbols; of interest if a link loads it.
  var mistake: Mistake?

  init(file: Int, member: Int?, range: Range<Int>) {
    self.file = file
    self.member = member
    self.range = range
  }
}

extension LinkObject {
  /// `reader`'s window is the object file. What is for another processor has nothing to give.
  mutating func read(
    _ reader: borrowing ByteReader, for architecture: Architecture, _ names: inout NameTable
  ) throws(FormatError) {
    switch FileKind(reader) {
    case .machO(.object): try readMachO(reader, architecture, &names)
    case .bitcode: try readBitcode(reader, architecture, &names)
    default:
      throw FormatError(
        offset: range.lowerBound, field: "object file", reason: .invalid("this is \(FileKind(reader).description)"))
    }
  }

  private mutating func readMachO(
    _ reader: borrowing ByteReader, _ architecture: Architecture, _ names: inout NameTable
  ) throws(FormatError) {
    let file = try MachOFile(reader)
    guard file.architecture == architecture else { return }
    let sections = try file.sections(reader)
    for section in sections where section.size > 0 {
      switch section.name {
      case "__objc_classlist": hasClasses = true
      case "__objc_catlist", "__objc_catlist2": hasCategories = true
      default: break
      }
    }
    linkerOptions = try MachOLinkage(file, reader).linkerOptions.map { words in
      words.map { String(decoding: $0, as: UTF8.self) }
    }
    guard let table = try MachOSymbolTable(file, reader) else { return }
    let strings = try reader.slice(table.strings, "string table")
    var budget = NameBudget(reader)
    try table.forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      guard entry.isExternal, !entry.isDebug, let range = table.name(at: entry.nameOffset, strings) else { return }
      try budget.spend(range)
      guard var symbol = LinkSymbol(entry, names.id(range, strings), sections) else { return }
      if symbol.kind == .alias {
        guard let offset = UInt32(exactly: symbol.value), let target = table.name(at: offset, strings) else { return }
        try budget.spend(target)
        symbol.value = UInt64(names.id(target, strings).rawValue)
      }
      symbols.append(symbol)
    }
  }

  private mutating func readBitcode(
    _ reader: borrowing ByteReader, _ architecture: Architecture, _ names: inout NameTable
  ) throws(FormatError) {
    isBitcode = true
    let table = try BitcodeSymbols(reader)
    guard Architecture(name: String(table.target.prefix { $0 != "-" })) == architecture else { return }
    try table.forEach(SymbolSelection()) { (symbol: Symbol) throws(FormatError) in
      guard let range = symbol.name, let symbol = LinkSymbol(symbol, names.id(range, reader)) else { return }
      symbols.append(symbol)
    }
  }

  /// Whether `-ObjC` loads an object file for a section of its own: categories, or Swift's metadata (rule 1.6).
  static func hasObjCSection(_ reader: borrowing ByteReader, emptyOnesCount: Bool) -> Bool {
    guard case .machO(.object) = FileKind(reader), let file = try? MachOFile(reader),
      let sections = try? file.sections(reader)
    else { return false }
    return sections.contains { section in
      if !emptyOnesCount, section.size == 0 { return false }
      let isData = section.segment == "__DATA" || section.segment == "__DATA_CONST"
      return isData && section.name == "__objc_catlist"
        || section.segment == "__TEXT" && section.name.bytes.starts(with: Array("__swift".utf8))
    }
  }
}
