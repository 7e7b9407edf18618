/// A set of hashes with false positives: at most one in seventy.
package struct BloomFilter: Sendable {
  private var words: [UInt64]
  private let mask: UInt64

  /// `count` is the approximate number of hashes.
  package init(count: Int) {
    let bits = max(12, count.bitWidth - count.leadingZeroBitCount + 4)
    words = [UInt64](repeating: 0, count: 1 << (bits - 6))
    mask = 1 << UInt64(bits) - 1
  }

  /// Some hashes have 48 bits only, and some sets only hashes that begin alike. So the 32 bits in the middle of those
  /// 48 give the first place.
  @inline(__always)
  private func places(_ hash: UInt64) -> (UInt64, UInt64) {
    (UInt64(UInt32(truncatingIfNeeded: hash >> 8)) & mask, hash &* 0x9E37_79B9_7F4A_7C15 >> 36 & mask)
  }

  /// Whether it may contain a hash with these 32 bits in its middle. Most hashes that are not in it fail this test.
  @inline(__always)
  func mayContain(middle: UInt32) -> Bool {
    let place = UInt64(middle) & mask
    return words[Int(truncatingIfNeeded: place >> 6)] >> (place & 63) & 1 != 0
  }

  @inline(__always)
  package mutating func insert(_ hash: UInt64) {
    let (first, second) = places(hash)
    words[Int(truncatingIfNeeded: first >> 6)] |= 1 << (first & 63)
    words[Int(truncatingIfNeeded: second >> 6)] |= 1 << (second & 63)
  }

  @inline(__always)
  package func mayContain(_ hash: UInt64) -> Bool {
    let (first, second) = places(hash)
    // Most hashes fail the first test.
    return words[Int(truncatingIfNeeded: first >> 6)] >> (first & 63) & 1 != 0
      && words[Int(truncatingIfNeeded: second >> 6)] >> (second & 63) & 1 != 0
  }
}

// These functions take many hashes at once: other modules do not inline them, and a call for each would take longer
// than the look-up.
extension BloomFilter {
  package mutating func insert(_ hashes: [UInt64]) { for hash in hashes { insert(hash) } }

  /// Inserts hashes; those that may be in it already go into `repeated`.
  package mutating func insert(_ hashes: [UInt64], repeated: inout BloomFilter) {
    for hash in hashes { if mayContain(hash) { repeated.insert(hash) } else { insert(hash) } }
  }

  package func positions(of hashes: [UInt64]) -> [Int] {
    var found: [Int] = []
    for index in hashes.indices where mayContain(hashes[index]) { found.append(index) }
    return found
  }
}
