/// A set of hashes that may say yes for one that is not in it: for about one in seventy.
package struct BloomFilter: Sendable {
  private var words: [UInt64]
  private let mask: UInt64

  /// For about as many hashes.
  package init(count: Int) {
    let bits = max(12, count.bitWidth - count.leadingZeroBitCount + 4)
    words = [UInt64](repeating: 0, count: 1 << (bits - 6))
    mask = 1 << UInt64(bits) - 1
  }

  /// Some hashes have 48 bits only.
  @inline(__always)
  private func places(_ hash: UInt64) -> (UInt64, UInt64) { (hash & mask, hash >> 24 & mask) }

  package mutating func removeAll() { for index in words.indices { words[index] = 0 } }

  @inline(__always)
  package mutating func insert(_ hash: UInt64) {
    let (first, second) = places(hash)
    words[Int(truncatingIfNeeded: first >> 6)] |= 1 << (first & 63)
    words[Int(truncatingIfNeeded: second >> 6)] |= 1 << (second & 63)
  }

  @inline(__always)
  package func mayContain(_ hash: UInt64) -> Bool {
    let (first, second) = places(hash)
    return words[Int(truncatingIfNeeded: first >> 6)] >> (first & 63)
      & words[Int(truncatingIfNeeded: second >> 6)] >> (second & 63) & 1 != 0
  }
}
