import Store

/// The pairs of plugins that share a name, by number. A plugin that defines a name twice shares it with itself.
package struct AdjacencyMatrix: Sendable, Equatable {
  package let count: Int
  /// For each plugin that shares names, a bit for each plugin that it shares them with.
  private var rows: [Int: [UInt64]] = [:]

  package init(count: Int) { self.count = count }

  private var width: Int { (count + 63) / 64 }

  /// The plugins that share names, sorted.
  package var plugins: [Int] { rows.keys.sorted() }

  func has(_ a: Int, _ b: Int) -> Bool { (rows[a]?[b / 64] ?? 0) >> UInt64(b % 64) & 1 != 0 }

  /// Relates each plugin of the group to all others of it.
  mutating func relate(_ group: some Collection<Int>) {
    var bits = [UInt64](repeating: 0, count: width)
    for index in group { bits[index / 64] |= 1 << UInt64(index % 64) }
    for index in group {
      let isOwn = has(index, index)
      add(bits, to: index)
      if !isOwn { rows[index]?[index / 64] &= ~(1 << UInt64(index % 64)) }
    }
  }

  mutating func relate(toItself index: Int) {
    var bits = [UInt64](repeating: 0, count: width)
    bits[index / 64] |= 1 << UInt64(index % 64)
    add(bits, to: index)
  }

  mutating func formUnion(_ other: AdjacencyMatrix) { for (index, bits) in other.rows { add(bits, to: index) } }

  private mutating func add(_ bits: [UInt64], to index: Int) {
    var row = rows[index] ?? [UInt64](repeating: 0, count: width)
    for word in row.indices { row[word] |= bits[word] }
    rows[index] = row
  }

  /// The matrix without all relations of these plugins.
  func without(_ gone: [Int]) -> AdjacencyMatrix {
    var left = AdjacencyMatrix(count: count)
    let isGone = Set(gone)
    for (index, row) in rows where !isGone.contains(index) {
      var row = row
      for other in gone { row[other / 64] &= ~(1 << UInt64(other % 64)) }
      if row.contains(where: { $0 != 0 }) { left.rows[index] = row }
    }
    return left
  }
}

extension AdjacencyMatrix {
  func write(to writer: inout RecordWriter) {
    writer.add(rows.sorted { $0.key < $1.key }) { writer, row in
      writer.add(row.key)
      for word in row.value { writer.add(wide: word) }
    }
  }

  /// Nil if the record is not of this many plugins.
  init?(_ reader: inout RecordReader, count: Int) {
    self.init(count: count)
    let width = width
    let rows = reader.list { reader -> (number: Int, bits: [UInt64])? in
      guard let number = reader.number(), number < count else { return nil }
      var bits: [UInt64] = []
      for _ in 0..<width {
        guard let word = reader.wide() else { return nil }
        bits.append(word)
      }
      return (number, bits)
    }
    guard let rows else { return nil }
    for (number, bits) in rows { self.rows[number] = bits }
  }
}
