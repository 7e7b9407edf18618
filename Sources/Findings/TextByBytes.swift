// Cutting and changing text of somebody else. By scalars and bytes, not by `Character`: a sign with an accent on it is
// another `Character`, and a CR with its LF is one.

extension StringProtocol {
  /// Without white space at either end.
  package var trimmed: SubSequence {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return self[endIndex...] }
    return self[first..<scalars.index(after: last)]
  }

  /// What ends in LF, CR or both. Empty lines are left out.
  package var lines: [SubSequence] { pieces { $0 == "\n" || $0 == "\r" } }

  /// What white space stands between.
  package var words: [SubSequence] { pieces(\.properties.isWhitespace) }

  private func pieces(_ isBetween: (Unicode.Scalar) -> Bool) -> [SubSequence] {
    unicodeScalars.split(whereSeparator: isBetween).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// With a text in place of each byte that has one; only ASCII may.
  package func replacingBytes(_ replacement: (UInt8) -> String?) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if let other = replacement(byte) { bytes += other.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Of ASCII, both.
  package func with(_ new: Unicode.Scalar, for old: Unicode.Scalar) -> String {
    replacingBytes { $0 == UInt8(ascii: old) ? String(new) : nil }
  }
}
