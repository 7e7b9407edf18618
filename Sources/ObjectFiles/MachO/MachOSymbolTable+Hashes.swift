extension MachOSymbolTable {
  /// Where a name is, without its NUL, and its hash; nil if the entry points outside of the table.
  package func hashedName(
    at offset: UInt32, _ reader: borrowing ByteReader, seed: UInt64
  ) -> (range: Range<Int>, hash: UInt64)? {
    guard Int(offset) < strings.count else { return nil }
    return reader.terminatedHash(at: strings.lowerBound + Int(offset), in: strings, seed: seed)
  }

  /// Appends the hashes of the names that other files see: of all that the file defines, and of all that it refers to. `reader`
  /// must be one of the same file.
  package func appendHashes(
    _ reader: borrowing ByteReader, seed: UInt64, defined: inout [UInt64], undefined: inout [UInt64]
  ) throws(FormatError) {
    let entries = try reader.slice(range, "symbol table")
    let names = try reader.slice(strings, "string table")
    // Looked at once in order: then its bytes are there when names are read here and there.
    names.touch(strings)
    var budget = NameBudget(reader)
    // As `forEach`, without the fields that nobody asks for.
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
      guard entry.isExternal, !entry.isDebug, Int(entry.nameOffset) < strings.count,
        let (name, hash) = names.terminatedHash(
          at: strings.lowerBound + Int(entry.nameOffset), in: strings, seed: seed)
      else { continue }
      try budget.spend(name)
      if entry.isUndefined { undefined.append(hash) } else { defined.append(hash) }
    }
  }
}
