/// A SHA-256 digest (FIPS 180-4): 32 bytes that stand for a content.
///
/// The order is that of the bytes. It has four words instead of an array, because it is a dictionary key in hot code.
package struct Digest: Hashable, Sendable, Comparable, CustomStringConvertible {
  private let words: Words

  /// Not `SIMD4`, which needs an alignment of 32 bytes that the memory of a task does not have.
  private struct Words: Hashable { let first, second, third, fourth: UInt64 }

  package static let byteCount = 32

  /// Nil unless there are exactly 32 bytes. It is not generic, because logs and caches hold thousands of them.
  package init?(bytes: ArraySlice<UInt8>) {
    guard bytes.count == Digest.byteCount else { return nil }
    self.init(first32: bytes)
  }

  /// The bytes must be 32.
  init(first32 bytes: ArraySlice<UInt8>) {
    func word(_ index: Int) -> UInt64 {
      let start = bytes.startIndex + 8 * index
      var word: UInt64 = 0
      for place in start..<(start + 8) { word = word << 8 | UInt64(bytes[place]) }
      return word
    }
    words = Words(first: word(0), second: word(1), third: word(2), fourth: word(3))
  }

  /// Nil unless there are exactly 64 hexadecimal digits, of either case.
  package init?(hex: String) {
    let digits = hex.utf8.compactMap(Digest.value)
    guard digits.count == 2 * Digest.byteCount, hex.utf8.count == digits.count else { return nil }
    self.init(first32: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }[...])
  }

  package init(of bytes: [UInt8]) {
    var builder = DigestBuilder()
    builder.update(bytes)
    self = builder.finish()
  }

  package init(of text: String) { self.init(of: Array(text.utf8)) }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Digest.byteCount)
    for word in [words.first, words.second, words.third, words.fourth] {
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    return bytes
  }

  /// 64 lower-case hexadecimal digits.
  package var hex: String { hexadecimal(bytes[...]) }

  private static func value(ofHexDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  package static func < (a: Digest, b: Digest) -> Bool {
    (a.words.first, a.words.second, a.words.third, a.words.fourth)
      < (b.words.first, b.words.second, b.words.third, b.words.fourth)
  }

  package var description: String { hex }
}

/// Two lower-case digits for each byte.
func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
