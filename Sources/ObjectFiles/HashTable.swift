// A table of hashes of names, with the upper 48 of the 64 bits of each hash. Numbers are little-endian:
//
//   starts    the index of the first hash with each value of the uppermost 8 bits, and the end    4 bytes each
//   middles   bits 8 to 39 of the 48, in the order of the uppermost 8 bits                        4 bytes each
//   lows      bits 0 to 7, in the same order                                                      1 byte each

/// The place of a table of hashes in a file.
package struct HashTable: Sendable {
  /// An absolute offset.
  package let start: Int
  package let count: Int

  package init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }

  /// In bytes.
  package var size: Int { 4 * 257 + 5 * count }
  fileprivate var middles: Int { start + 4 * 257 }
  fileprivate var lows: Int { middles + 4 * count }

  /// Appends a table of hashes of 64 bits.
  package static func append(_ hashes: [UInt64], to bytes: inout [UInt8]) {
    var starts = [Int](repeating: 0, count: 257)
    var counts = starts.mutableSpan
    for hash in hashes { counts[Int(truncatingIfNeeded: hash >> 56) + 1] += 1 }
    for part in 1...256 { counts[part] += counts[part - 1] }
    var free = starts
    var places = free.mutableSpan
    var sorted = [UInt64](repeating: 0, count: hashes.count)
    var output = sorted.mutableSpan
    for hash in hashes {
      let part = Int(truncatingIfNeeded: hash >> 56)
      output[places[part]] = hash
      places[part] += 1
    }
    bytes.append(addingCapacity: 4 * 257 + 5 * hashes.count) { room in
      for start in starts { room.append(littleEndian: UInt32(truncatingIfNeeded: start)) }
      for hash in sorted { room.append(littleEndian: UInt32(truncatingIfNeeded: hash >> 24)) }
      for hash in sorted { room.append(UInt8(truncatingIfNeeded: hash >> 16)) }
    }
  }
}

extension ByteReader {
  /// Whether the parts follow one another. The other functions rely on it.
  package func isSound(_ table: HashTable) -> Bool {
    guard table.count >= 0, table.count <= count / 5, holds(table.start..<(table.start + table.size)) else {
      return false
    }
    for top in 0..<256 where first(top, table) > first(top + 1, table) { return false }
    return first(0, table) == 0 && first(256, table) == table.count
  }

  /// The index of the first hash whose uppermost 8 bits are at least `top`.
  private func first(_ top: Int, _ table: HashTable) -> Int {
    Int(UInt32(littleEndian: load(at: table.start + 4 * top)))
  }

  @inline(__always)
  private func hash(_ name: Int, _ top: Int, _ table: HashTable) -> UInt64 {
    let middle = UInt64(UInt32(littleEndian: load(at: table.middles + 4 * name)))
    return UInt64(top) << 40 | middle << 8 | UInt64(load(at: table.lows + name, as: UInt8.self))
  }

  /// Appends 48 bits of each hash whose uppermost 8 bits are in `tops`. The table must be sound (`isSound`).
  package func appendHashes(_ tops: Range<Int>, of table: HashTable, to output: inout [UInt64]) {
    guard tops.lowerBound >= 0, tops.upperBound <= 256 else { return }
    output.append(addingCapacity: first(tops.upperBound, table) - first(tops.lowerBound, table)) { room in
      for top in tops {
        for name in first(top, table)..<first(top + 1, table) { room.append(hash(name, top, table)) }
      }
    }
  }

  /// Appends 48 bits of each hash that a filter may contain. The table must be sound.
  package func appendHashes(of table: HashTable, in filter: BloomFilter, to output: inout [UInt64]) {
    let middles = table.middles
    for top in 0..<256 {
      for name in first(top, table)..<first(top + 1, table) {
        guard filter.mayContain(middle: UInt32(littleEndian: load(at: middles &+ 4 &* name))) else { continue }
        let hash = hash(name, top, table)
        if filter.mayContain(hash) { output.append(hash) }
      }
    }
  }
}

extension OutputSpan<UInt8> {
  @inline(__always)
  fileprivate mutating func append(littleEndian number: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
