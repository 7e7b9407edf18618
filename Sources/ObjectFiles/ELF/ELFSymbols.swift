// Sections and symbols of an ELF file (System V gABI, chapter 4):
//
//   section header   name, type, flags, addr, offset, size, link, info, addralign, entsize      40 or 64 bytes
//   Elf32_Sym        name 4, value 4, size 4, info 1, other 1, shndx 2                            16 bytes
//   Elf64_Sym        name 4, info 1, other 1, shndx 2, value 8, size 8                            24 bytes
//
//   info   binding (0 local, 1 global, 2 weak, 10 unique) in the upper half, type (0 none, 1 object, 2 function,
//          3 section, 4 file, 5 common, 6 thread-local, 10 chosen by a function) in the lower
//   other  visibility in the two lowest bits: 0 default, 1 internal, 2 hidden, 3 protected
//   shndx  the section that it is in; 0 undefined, FFFF in the table of SHT_SYMTAB_SHNDX beside
//
// The table for the linker is the section of type SHT_SYMTAB; it names its table of strings in `link`. More than FEFF
// sections: their number is the size of section 0, the index of the section names its `link`.

package struct ELFSection: Hashable, Sendable {
  package var nameOffset: UInt32
  package var type: UInt32
  package var flags: UInt64
  package var address: UInt64
  package var offset: UInt64
  package var size: UInt64
  package var link: UInt32
  /// Its meaning depends on the type.
  package var info: UInt32
  package var entrySize: UInt64

  /// The values of `SHT_…` that are used here.
  package enum Kind: UInt32, Sendable {
    case none = 0
    case symbolTable = 2
    /// For the loader: the libraries that it needs, and flags.
    case dynamic = 6
    case zeroFill = 8
    /// The symbols that the loader sees.
    case dynamicSymbols = 11
    case symbolSections = 18
  }

  package var kind: Kind? { Kind(rawValue: type) }
  package var isWritable: Bool { flags & 1 != 0 }
  package var isLoaded: Bool { flags & 2 != 0 }
  package var isCode: Bool { flags & 4 != 0 }
  package var isZeroFill: Bool { kind == .zeroFill }
}

/// The symbols of an ELF file in the unified view.
package struct ELFSymbols: Sendable {
  package let file: ELFFile
  package let sections: [ELFSection]
  /// The lower-case letter of the symbols in each section.
  private let letters: [UInt8]
  private let table: Table?

  private struct Table: Sendable {
    let entries: Range<Int>
    let strings: Range<Int>
    /// Holds 4 bytes for each symbol: its section, if `shndx` has no room for it.
    let indices: Range<Int>?
  }

  /// Those for a linker.
  package init(_ reader: borrowing ByteReader) throws(FormatError) { try self.init(reader, .symbolTable) }

  init(_ reader: borrowing ByteReader, _ kind: ELFSection.Kind) throws(FormatError) {
    let file = try ELFFile(reader)
    self.file = file
    let sections = try ELFSections(file, reader)
    self.sections = sections.all
    var letters: [UInt8] = []
    letters.reserveCapacity(sections.all.count)
    for section in sections.all { letters.append(ELFSymbols.letter(of: section, in: sections, reader)) }
    self.letters = letters
    guard let index = sections.all.firstIndex(where: { $0.kind == kind }) else {
      table = nil
      return
    }
    let section = sections.all[index]
    let entries = try sections.range(of: section, "symbol table", reader)
    let size = file.is64Bit ? 24 : 16
    guard section.entrySize == size, entries.count % size == 0 else {
      throw .invalid("symbol table", at: entries.lowerBound, "its \(entries.count) bytes are not entries of \(size)")
    }
    guard Int(section.link) < sections.all.count else {
      throw .invalid("string table of the symbol table", at: entries.lowerBound, "there is no section \(section.link)")
    }
    let strings = try sections.range(of: sections.all[Int(section.link)], "string table", reader)
    let wide = sections.all.first { $0.kind == .symbolSections && Int($0.link) == index }
    var indices: Range<Int>?
    if let wide { indices = try sections.range(of: wide, "section indices of the symbol table", reader) }
    table = Table(entries: entries, strings: strings, indices: indices)
  }

  private static func letter(
    of section: ELFSection, in sections: ELFSections, _ reader: borrowing ByteReader
  ) -> UInt8 {
    if section.isCode { return UInt8(ascii: "t") }
    if section.isZeroFill { return UInt8(ascii: "b") }
    if section.isLoaded { return UInt8(ascii: section.isWritable ? "d" : "r") }
    if sections.hasName(section, ".debug", reader) { return UInt8(ascii: "N") }
    return UInt8(ascii: section.isWritable ? "?" : "n")
  }

  /// Calls `body` with each selected symbol, in the table's order, except names of files, sections and mapping
  /// symbols.
  package func forEach(
    _ reader: borrowing ByteReader, _ selection: SymbolSelection, _ body: (Symbol) throws(FormatError) -> Void
  ) throws(FormatError) {
    guard let table else { return }
    let entries = try reader.slice(table.entries, "symbol table", file.endianness)
    let names = try reader.slice(table.strings, "string table")
    let size = file.is64Bit ? 24 : 16
    var budget = NameBudget(reader)
    // The first entry is no symbol.
    for index in 1..<max(1, table.entries.count / size) {
      let entry = try ELFSymbol(entries, at: table.entries.lowerBound + index * size, is64Bit: file.is64Bit)
      if entry.type == .file || entry.type == .section { continue }
      guard selection.takes(isExternal: entry.binding != .local, isUndefined: entry.section == 0) else { continue }
      let name = names.terminatedRange(at: table.strings.lowerBound + Int(entry.nameOffset), in: table.strings)
      try budget.spend(name)
      if file.machine.hasMarks, try isMark(name, names) { continue }
      var section = Int(entry.section)
      if entry.section == ELFSectionIndex.elsewhere, let indices = table.indices {
        let window = try reader.slice(indices, "section indices of the symbol table", file.endianness)
        section = Int(try window.integer(at: indices.lowerBound + 4 * index, "section of a symbol", as: UInt32.self))
      }
      try body(symbol(entry, name, section))
    }
  }

  private func symbol(_ entry: ELFSymbol, _ name: Range<Int>?, _ section: Int) -> Symbol {
    var address = entry.value
    // The lowest bit of a function's address says that it is Thumb or MIPS16 code.
    if entry.section != ELFSectionIndex.absolute, entry.type == .function, file.machine == .arm || file.machine == .mips
    {
      address &= ~1
    }
    let isInSection =
      entry.section != 0 && entry.section < ELFSectionIndex.firstReserved || entry.section == ELFSectionIndex.elsewhere
    if file.type == .relocatable, isInSection, section < sections.count { address &+= sections[section].address }
    return Symbol(
      name: name, letter: letter(entry, isInSection ? section : nil), address: address, size: entry.size,
      flags: entry.flags)
  }

  private func letter(_ entry: ELFSymbol, _ section: Int?) -> UInt8 {
    let isObject = entry.type == .object
    if entry.section == 0 {
      return entry.binding == .weak ? UInt8(ascii: isObject ? "v" : "w") : UInt8(ascii: "U")
    }
    if entry.type == .indirect { return UInt8(ascii: "i") }
    if entry.binding == .weak { return UInt8(ascii: isObject ? "V" : "W") }
    if entry.isCommon { return UInt8(ascii: "C") }
    if entry.binding == .unique { return UInt8(ascii: "u") }
    var letter = UInt8(ascii: "?")
    if entry.section == ELFSectionIndex.absolute {
      letter = UInt8(ascii: "a")
    } else if let section, section < letters.count, entry.binding == .local || entry.binding == .global {
      letter = letters[section]
    }
    return entry.binding != .local && letter >= UInt8(ascii: "a") ? letter - 0x20 : letter
  }

  /// Whether it is a mapping symbol: `$a`, `$t`, `$d` and `$x` mark where code of one kind, or data, begins
  /// (ARM ELF, 4.5.5). RISC-V also has empty names, and `.L0 ` for the ends of ranges that relocations measure.
  private func isMark(_ name: Range<Int>?, _ names: borrowing ByteReader) throws(FormatError) -> Bool {
    guard let name else { return false }
    if name.isEmpty { return file.machine != .aarch64 }
    if file.machine == .riscv, name.count == 4, names.starts(with: ".L0 ", at: name.lowerBound) { return true }
    guard name.count >= 2, try names.integer(at: name.lowerBound, "name", as: UInt8.self) == UInt8(ascii: "$") else {
      return false
    }
    switch try names.integer(at: name.lowerBound + 1, "name", as: UInt8.self) {
    case UInt8(ascii: "d"): return true
    case UInt8(ascii: "x"): return file.machine != .arm
    case UInt8(ascii: "a"), UInt8(ascii: "t"): return file.machine == .arm
    default: return false
    }
  }
}

/// Section indices that stand for no section (`SHN_…`).
enum ELFSectionIndex {
  static let firstReserved: UInt16 = 0xFF00
  static let absolute: UInt16 = 0xFFF1
  static let common: UInt16 = 0xFFF2
  /// The number of the section is too large for the field, and stands in another table.
  static let elsewhere: UInt16 = 0xFFFF
}

extension ELFMachine {
  fileprivate var hasMarks: Bool { self == .arm || self == .aarch64 || self == .riscv }
}
