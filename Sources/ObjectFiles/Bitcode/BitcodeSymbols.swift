// LLVM bitcode: "BC" C0DE, or a wrapper (0B17C0DE, version, offset, size, CPU type: 4 bytes each) around that; then a
// stream of blocks (`BitReader`). A module's symbols for linkers stand in two blocks behind the module:
//
//   SYMTAB (25)  one blob, of numbers of 4 bytes, little-endian (LLVM's IRSymtab.h, versions 1 to 3):
//                version, producer (offset, size of a text), then (offset, count) of modules, comdats, symbols, uncommons,
//                then target triple and source file (texts) and (offset, count) of dependent libraries
//     symbol     name (text), name in the module (text), comdat 4, flags 4                                  24 bytes
//     uncommon   size 4 and alignment 4 of a common, fallback (text), section (text)                        24 bytes
//   STRTAB (23)  one blob: all texts, by offset and size
//
//   flags        visibility in bits 0 and 1 (1 hidden, 2 protected), 2 it has the next of the uncommons, 3 undefined, 4 weak,
//                5 common, 6 an alias, 7 to be kept, 8 thread-local, 9 may be hidden once it is linked, 10 external, 11 for LLVM
//                alone, 13 code
//
// Only block 8 (MODULE) has the rest: record 7 (GLOBALVAR), as [offset and size of the name in STRTAB, type, 1
// if constant, initial value, linkage …], and record 5 (SECTIONNAME), a letter an operand.

/// The symbols of a bitcode file in the unified view. They have no addresses.
package struct BitcodeSymbols: Sendable {
  /// `arm64-apple-ios13.0.0`
  package let target: String
  private let entries: [Symbol]
  package let is64Bit: Bool
  /// It has a section that `-ObjC` loads an object file for: categories, or Swift's metadata.
  package let hasObjCSection: Bool
  /// It has definitions that are used without a reference: initializers, lists for a runtime, or those marked as
  /// used.
  package let hasRoots: Bool

  /// `reader`'s window is the file. A file without a symbol table (it is optional) has no symbols.
  package init(_ reader: borrowing ByteReader) throws(FormatError) {
    let content = try BitcodeSymbols.unwrapped(reader)
    guard content.starts(with: "BC"),
      try content.integer(at: content.range.lowerBound + 2, "magic number", as: UInt16.self) == 0xDEC0
    else { throw .invalid("magic number", at: content.range.lowerBound, "this is not a bitcode file") }
    let stream = try content.slice((content.range.lowerBound + 4)..<content.range.upperBound, "bitcode")
    let blocks = try BitcodeBlocks(stream)
    hasObjCSection = blocks.hasObjCSection
    hasRoots = blocks.hasRoots
    guard let table = blocks.symbolTable, let strings = blocks.strings else {
      target = ""
      entries = []
      is64Bit = true
      return
    }
    let symbols = try IRSymbolTable(try content.slice(table, "symbol table"), strings: strings)
    target = String(decoding: try content.copy(symbols.target, "target"), as: UTF8.self)
    is64Bit = BitcodeSymbols.isWide(target)
    let isApple = target.contains("-apple-")
    // The module and the symbol table share their texts, so equal names have equal ranges.
    var constants: Set<Range<Int>> = []
    for name in isApple ? blocks.constants : [] {
      constants.insert(try content.range(of: name, in: strings, at: strings.lowerBound, "name of a variable"))
    }
    var budget = NameBudget(reader)
    var entries: [Symbol] = []
    for symbol in symbols.all where symbol.flags & IRSymbolTable.Entry.isFormatSpecific == 0 {
      try budget.spend(symbol.name)
      entries.append(Symbol(symbol, isConstant: constants.contains(symbol.moduleName)))
    }
    self.entries = entries
  }

  /// The architecture as `lipo` names it: Thumb is an encoding of instructions, not an architecture.
  package var architectureName: String {
    let machine = target.split(separator: "-").first.map(String.init) ?? ""
    return machine.hasPrefix("thumb") ? "arm" + machine.dropFirst("thumb".count) : machine
  }

  package func forEach(
    _ selection: SymbolSelection, _ body: (Symbol) throws(FormatError) -> Void
  ) throws(FormatError) {
    for symbol in entries {
      let isTaken = selection.takes(
        isExternal: symbol.flags.contains(.external), isUndefined: symbol.flags.contains(.undefined))
      if isTaken { try body(symbol) }
    }
  }

  @_lifetime(copy reader)
  private static func unwrapped(_ reader: borrowing ByteReader) throws(FormatError) -> ByteReader {
    let whole = try reader.slice(reader.range, "bitcode", .little)
    let start = reader.range.lowerBound
    guard try whole.integer(at: start, "magic number", as: UInt32.self) == 0x0B17_C0DE else { return whole }
    let offset: UInt32 = try whole.integer(at: start + 8, "offset of the bitcode")
    let size: UInt32 = try whole.integer(at: start + 12, "size of the bitcode")
    let range = try whole.claimed(start: UInt64(offset), size: UInt64(size), at: start + 8, "bitcode")
    return try whole.slice(range, "bitcode")
  }

  private static func isWide(_ target: String) -> Bool {
    let narrow = ["arm64_32", "aarch64_32"]
    let wide = ["arm64", "aarch64", "x86_64", "riscv64", "mips64", "powerpc64", "ppc64", "wasm64"]
    return !narrow.contains { target.hasPrefix($0) } && wide.contains { target.hasPrefix($0) }
  }
}

extension Symbol {
  /// The meanings of a symbol's bits from bit 3 on.
  private static let bitcodeFlags: [Flags] = [
    .undefined, .weak, .common, .indirect, .neverStripped, .threadLocal, .autoHide, .external,
  ]

  fileprivate init(_ symbol: IRSymbolTable.Entry, isConstant: Bool) {
    let bits = symbol.flags
    var flags: Flags = bits & 3 == 1 ? .hidden : bits & 3 == 2 ? .protected : []
    for (bit, flag) in Symbol.bitcodeFlags.enumerated() where bits >> (3 + bit) & 1 != 0 { flags.insert(flag) }
    var letter: UInt8
    if flags.contains(.undefined) {
      letter = UInt8(ascii: flags.contains(.weak) ? "w" : "U")
    } else if flags.contains(.weak) {
      letter = UInt8(ascii: "W")
    } else if flags.contains(.common) {
      letter = UInt8(ascii: "C")
    } else {
      letter = UInt8(ascii: bits & IRSymbolTable.Entry.isExecutable != 0 ? "t" : isConstant ? "s" : "d")
      if flags.contains(.external) { letter -= 0x20 }
    }
    self.init(name: symbol.name, letter: letter, address: 0, size: symbol.commonSize, flags: flags)
  }
}

/// The blobs of a bitcode file, and its module's facts about variables and sections.
private struct BitcodeBlocks {
  var symbolTable: Range<Int>?
  var strings: Range<Int>?
  /// Names of constant variables, as offsets and sizes in the strings.
  var constants: [(offset: UInt64, size: UInt64)] = []
  var hasObjCSection = false
  var hasRoots = false

  init(_ reader: borrowing ByteReader) throws(FormatError) {
    var stream = try BitStream(reader)
    var block: Int?
    while let item = try stream.next() {
      switch item {
      case .enters(let id):
        if block == nil, id == 8 || id == 23 || id == 25 { block = id } else { try stream.skipBlock() }
      case .leaves: block = nil
      case .record(let record):
        switch (block, record.code) {
        case (25, 1): symbolTable = symbolTable ?? record.blob
        case (23, 1): strings = strings ?? record.blob
        case (8, 5): hasObjCSection = hasObjCSection || Self.isForObjC(record.operands)
        case (8, 7) where record.operands.count > 3:
          if record.operands[3] & 1 != 0 { constants.append((record.operands[0], record.operands[1])) }
          // Linkage 2 is "appending": `llvm.used`, `llvm.compiler.used`, `llvm.global_ctors` and similar variables.
          if record.operands.count > 5, record.operands[5] == 2 { hasRoots = true }
        default: break
        }
      }
    }
  }

  /// LLVM's own rule (`isBitcodeContainingObjCCategory`); only the first runtime has `__OBJC`.
  private static func isForObjC(_ letters: [UInt64]) -> Bool {
    let text = letters.map { UInt8(truncatingIfNeeded: $0) }
    let parts = text.split(separator: UInt8(ascii: ","), maxSplits: 1).map { part in
      String(decoding: part.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }
    guard parts.count == 2 else { return false }
    let known = [("__DATA", "__objc_catlist"), ("__OBJC", "__category"), ("__TEXT", "__swift")]
    return known.contains { segment, section in parts[0] == segment && parts[1].hasPrefix(section) }
  }
}

/// The blob of SYMTAB.
private struct IRSymbolTable {
  struct Entry {
    var name: Range<Int>
    var moduleName: Range<Int>
    var flags: UInt32
    static let (hasUncommon, isCommon): (UInt32, UInt32) = (1 << 2, 1 << 5)
    static let (isFormatSpecific, isExecutable): (UInt32, UInt32) = (1 << 11, 1 << 13)
    /// 0 if the symbol is not common.
    var commonSize: UInt64 = 0
  }

  var target: Range<Int>
  var all: [Entry] = []

  init(_ reader: borrowing ByteReader, strings: Range<Int>) throws(FormatError) {
    var header = try reader.slice(reader.range, "symbol table", .little)
    let place = header.offset
    let version: UInt32 = try header.read("version of the symbol table")
    guard (1...3).contains(version) else {
      throw .unsupported("version of the symbol table", at: place, "version \(version) is not known")
    }
    // The producer, modules and comdats are not used.
    try header.skip(24, "symbol table")
    let symbolsPlace = header.offset
    let offset: UInt32 = try header.read("symbols")
    let count: UInt32 = try header.read("number of symbols")
    let uncommonsPlace = header.offset
    let uncommonsOffset: UInt32 = try header.read("uncommon properties")
    let uncommonsCount: UInt32 = try header.read("number of uncommon properties")
    target = try header.text(in: strings)
    let range = try header.claimed(
      start: UInt64(offset), size: UInt64(count) * 24, at: symbolsPlace, "symbols of the symbol table")
    var entries = try header.slice(range, "symbols of the symbol table", .little)
    // The compilers that wrote version 1 are obsolete, and its uncommons had other sizes.
    let uncommonsRange = try header.claimed(
      start: UInt64(uncommonsOffset), size: version > 1 ? UInt64(uncommonsCount) * 24 : 0, at: uncommonsPlace,
      "uncommon properties of the symbol table")
    var uncommons = try header.slice(uncommonsRange, "uncommon properties of the symbol table", .little)
    for _ in 0..<count {
      let name = try entries.text(in: strings)
      let moduleName = try entries.text(in: strings)
      try entries.skip(4, "comdat of a symbol")
      var entry = Entry(name: name, moduleName: moduleName, flags: try entries.read("flags of a symbol"))
      if entry.flags & Entry.hasUncommon != 0, uncommons.offset < uncommonsRange.upperBound {
        let size: UInt32 = try uncommons.read("size of a common symbol")
        try uncommons.skip(20, "uncommon properties of a symbol")
        if entry.flags & Entry.isCommon != 0 { entry.commonSize = UInt64(size) }
      }
      all.append(entry)
    }
  }
}

extension ByteReader {
  /// Reads offset and size of a text of STRTAB, and returns its range in the file.
  @_lifetime(self: copy self)
  fileprivate mutating func text(in strings: Range<Int>) throws(FormatError) -> Range<Int> {
    let place = offset
    let text: (UInt32, UInt32) = (try read("name"), try read("size of a name"))
    return try range(of: (UInt64(text.0), UInt64(text.1)), in: strings, at: place, "name")
  }

  fileprivate func range(
    of text: (offset: UInt64, size: UInt64), in strings: Range<Int>, at place: Int, _ field: String
  ) throws(FormatError) -> Range<Int> {
    let (end, overflow) = text.offset.addingReportingOverflow(text.size)
    guard !overflow, end <= UInt64(strings.count) else { throw .outOfBounds(field, at: place) }
    return (strings.lowerBound + Int(text.offset))..<(strings.lowerBound + Int(end))
  }
}
