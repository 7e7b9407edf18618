extension MachOSymbolTable {
  /// Where a name is, without its NUL, and its hash; nil if the entry points outside of the table.
  package func hashedName(
    at offset: UInt32, _ reader: borrowing ByteReader, seed: UInt64
  ) -> (range: Range<Int>, hash: UInt64)? {
    guard Int(offset) < strings.count else { return nil }
    return reader.terminatedHash(at: strings.lowerBound + Int(offset), in: strings, seed: seed)
  }

  /// Appends the hashes of the names that other files see: of all that the file defines, and of all that it wants. `reader`
  /// must be one of the same file.
  package func appendHashes(
    _ reader: borrowing ByteReader, seed: UInt64, defined: inout [UInt64], wanted: inout [UInt64]
  ) throws(FormatError) {
    let names = try reader.slice(strings, "string table")
    // Looked at once in order: then its bytes are there when names are read here and there.
    names.touch(strings)
    var budget = NameBudget(reader)
    try forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      guard entry.isExternal, !entry.isDebug,
        let (name, hash) = hashedName(at: entry.nameOffset, names, seed: seed)
      else { return }
      try budget.spend(name)
      if entry.isUndefined { wanted.append(hash) } else { defined.append(hash) }
    }
  }
}
