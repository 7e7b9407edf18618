import ObjectFiles

/// A table of names, each ended by a NUL, written anew for names of which some change. Names keep their order, and one
/// that was the end of a longer one stays so where neither changes.
struct StringTable {
  /// A name that something points to.
  struct Use {
    /// From the start of the old table.
    var offset: Int
    /// How this use changes. A section or a local symbol may share the place of a name that changes.
    var change: NameChange?
  }

  private(set) var bytes: [UInt8] = [0]
  /// The offset of each use's name in the new table.
  private(set) var places: [Int]

  /// - Parameter uses: all that points to the table, in any order.
  init(
    _ uses: [Use], _ rewrite: SymbolRewrite, of strings: Range<Int>, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    places = [Int](repeating: 0, count: uses.count)
    bytes.reserveCapacity(strings.count + rewrite.prefix.count * uses.count)
    let order = uses.indices.sorted { (uses[$0].offset, uses[$0].key) < (uses[$1].offset, uses[$1].key) }
    /// The last name that was written as it was.
    var whole: (range: Range<Int>, place: Int)?
    var last: Int?
    var budget = NameBudget(reader)
    for index in order {
      let use = uses[index]
      if let last, uses[last].offset == use.offset, uses[last].key == use.key {
        places[index] = places[last]
        continue
      }
      last = index
      guard let name = reader.terminatedRange(at: strings.lowerBound + use.offset, in: strings) else {
        // A claim of the file that is as wrong in the new table.
        if use.change == nil, use.offset == strings.count { continue }
        throw .outOfBounds("name of a symbol", at: strings.lowerBound)
      }
      if name.isEmpty { continue }
      try budget.spend(name)
      if let whole, use.change == nil, whole.range.upperBound == name.upperBound {
        places[index] = whole.place + (name.lowerBound - whole.range.lowerBound)
        continue
      }
      places[index] = bytes.count
      if let change = use.change {
        rewrite.append(name, change, reader, to: &bytes)
      } else {
        whole = (name, bytes.count)
        reader.append(name, to: &bytes)
      }
      bytes.append(0)
    }
  }

  /// Fills up so that the table grows by a multiple of `unit` bytes.
  mutating func pad(over old: Int, toMultipleOf unit: Int) { bytes.pad(over: old, toMultipleOf: unit) }
}

extension StringTable.Use {
  /// Tells the uses of one name apart.
  fileprivate var key: Int { change.map { $0.start } ?? -1 }
}
