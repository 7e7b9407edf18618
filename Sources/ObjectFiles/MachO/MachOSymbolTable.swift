// The symbol table of a Mach-O file (`<mach-o/nlist.h>`, `LC_SYMTAB`):
//
//   symtab_command   cmd, cmdsize, symoff, nsyms, stroff, strsize                                24 bytes
//   nlist            strx (offset of the name in the string table), type 1, sect 1, desc 2, value 4    12 bytes
//   nlist_64         the same with a value of 8 bytes                                                 16 bytes
//
//   type  xxx. ....  a debugging symbol (stab), if any of the three is set
//         ...x ....  private extern: global while linking, hidden in the image
//         .... ...x  external
//         .... xxx.  0 undefined (or common, if external with a value: its size), 2 absolute, E in section `sect`,
//                    A indirect (the value is the offset of another name), C prebound undefined
//   desc  0040 a weak reference, 0080 a weak definition, 0020 never to be stripped, 0008 Thumb code, 0200 another
//         entry of the function before; of a common symbol bits 8…11 are its alignment; of an undefined one in an image
//         the top byte is the number of the library that it comes from

/// One entry of the table, as it stands.
package struct MachOSymbol: Hashable, Sendable {
  /// The offset of the name in the string table: a claim.
  package var nameOffset: UInt32
  package var type: UInt8
  /// Counted from 1; 0 is none.
  package var section: UInt8
  package var description: UInt16
  package var value: UInt64

  package enum Kind: UInt8, Sendable {
    case undefined = 0
    case absolute = 0x2
    case indirect = 0xA
    case preboundUndefined = 0xC
    case section = 0xE
  }

  /// Nil for a number without a meaning.
  package var kind: Kind? { Kind(rawValue: type & 0x0E) }
  package var isDebug: Bool { type & 0xE0 != 0 }
  package var isPrivateExternal: Bool { type & 0x10 != 0 }
  package var isExternal: Bool { type & 0x01 != 0 }
  package var isUndefined: Bool { isExternal && type & 0x0E == 0 && value == 0 }
  /// A definition without storage, which the linker allocates for the largest one of the name. The value is the size.
  package var isCommon: Bool { isExternal && type & 0x0E == 0 && value != 0 }
  package var isWeakReference: Bool { description & 0x40 != 0 }
  package var isWeakDefinition: Bool { description & 0x80 != 0 }
  /// `REFERENCED_DYNAMICALLY`
  package var isReferencedDynamically: Bool { description & 0x10 != 0 }
  package var isNeverStripped: Bool { description & 0x20 != 0 }
  package var isThumb: Bool { description & 0x08 != 0 }
  package var isAlternativeEntry: Bool { description & 0x200 != 0 }
  /// For a common symbol: the exponent of a power of two.
  package var commonAlignment: Int { Int(description >> 8 & 0x0F) }
}

extension MachOSymbol {
  @inline(__always)
  fileprivate init(_ entry: inout ByteReader, _ is64Bit: Bool) throws(FormatError) {
    nameOffset = try entry.read("symbol")
    // Type, section and description are read as one word, in the file's byte order.
    let word: UInt32 = try entry.read("symbol")
    let isLittle = entry.endianness == .little
    type = UInt8(truncatingIfNeeded: isLittle ? word : word >> 24)
    section = UInt8(truncatingIfNeeded: isLittle ? word >> 8 : word >> 16)
    description = UInt16(truncatingIfNeeded: isLittle ? word >> 16 : word)
    value = try entry.readAddress(is64Bit, "symbol")
  }
}

/// The places of the entries and names of a file's symbols. A plain value: it keeps no bytes.
package struct MachOSymbolTable: Hashable, Sendable {
  /// In bounds.
  package var range: Range<Int>
  package var count: Int
  /// In bounds.
  package var strings: Range<Int>
  package var is64Bit: Bool
  package var endianness: Endianness

  /// Nil if the file has no `LC_SYMTAB`. If there are several, the first counts (`llvm-nm` refuses such a file).
  package init?(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    guard var fields = try file.content(of: .symbolTable, reader) else { return nil }
    (is64Bit, endianness) = (file.is64Bit, file.endianness)
    range = try reader.table(&fields, "symbol table", entrySize: is64Bit ? 16 : 12)
    strings = try reader.table(&fields, "string table")
    count = range.count / (is64Bit ? 16 : 12)
  }

  /// Calls `body` with each entry, in the table's order. `reader` must be one of the same file.
  @inline(__always)
  package func forEach(
    _ reader: borrowing ByteReader, _ body: (MachOSymbol) throws(FormatError) -> Void
  ) throws(FormatError) {
    var entries = try reader.slice(range, "symbol table", endianness)
    for _ in 0..<count { try body(try MachOSymbol(&entries, is64Bit)) }
  }

  /// The entry of a number below `count`.
  package func entry(_ number: Int, _ reader: borrowing ByteReader) throws(FormatError) -> MachOSymbol {
    let size = is64Bit ? 16 : 12
    let start = range.lowerBound + size * number
    var entry = try reader.slice(start..<start + size, "symbol", endianness)
    return try MachOSymbol(&entry, is64Bit)
  }

  /// The range of a name, without its NUL; nil if the entry points outside of the table.
  package func name(at offset: UInt32, _ reader: borrowing ByteReader) -> Range<Int>? {
    reader.terminatedRange(at: strings.lowerBound + Int(offset), in: strings)
  }

  /// The range of a name, without its NUL, and its hash; nil if the entry points outside of the table.
  package func hashedName(
    at offset: UInt32, _ reader: borrowing ByteReader, seed: UInt64
  ) -> (range: Range<Int>, hash: UInt64)? {
    reader.terminatedHash(at: strings.lowerBound + Int(offset), in: strings, seed: seed)
  }

  /// Appends hashes of the external names, defined and undefined. `reader` reads the same file.
  package func appendHashes(
    _ reader: borrowing ByteReader, seed: UInt64, defined: inout [UInt64], undefined: inout [UInt64]
  ) throws(FormatError) {
    let entries = try reader.slice(range, "symbol table")
    let names = try reader.slice(strings, "string table")
    // The pages are touched in order, so that they are in memory when names are read in any order.
    names.touch(strings)
    var budget = NameBudget(reader)
    // The loop of `forEach`, without the fields that are not needed here.
    let size = is64Bit ? 16 : 12
    for index in 0..<count {
      let place = range.lowerBound + index * size
      let (offset, word): (UInt32, UInt32) = (entries.load(at: place), entries.load(at: place + 4))
      let value = is64Bit ? entries.load(at: place + 8) : UInt64(entries.load(at: place + 8, as: UInt32.self))
      let isLittle = endianness == .little
      let type = UInt8(truncatingIfNeeded: isLittle ? UInt32(littleEndian: word) : UInt32(bigEndian: word) >> 24)
      let entry = MachOSymbol(
        nameOffset: isLittle ? UInt32(littleEndian: offset) : UInt32(bigEndian: offset), type: type, section: 0,
        description: 0, value: value)
      guard entry.isExternal, !entry.isDebug, let (name, hash) = hashedName(at: entry.nameOffset, names, seed: seed)
      else { continue }
      try budget.spend(name)
      if entry.isUndefined { undefined.append(hash) } else { defined.append(hash) }
    }
  }
}
