// Functions that cut and change foreign text, by scalars and bytes instead of `Character`: a character with a combining
// accent is another `Character`, and CR with LF is one.

extension StringProtocol {
  /// The text without white space at either end.
  package var trimmed: SubSequence {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isSpace }),
      let last = scalars.lastIndex(where: { !$0.isSpace })
    else { return self[endIndex...] }
    return self[first..<scalars.index(after: last)]
  }

  /// The non-empty lines, which end in LF, CR or both.
  package var lines: [SubSequence] {
    utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { self[$0.startIndex..<$0.endIndex] }
  }

  /// The words between white space.
  package var words: [SubSequence] {
    unicodeScalars.split(whereSeparator: \.isSpace).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// The non-empty parts of a path.
  package var pathParts: [SubSequence] {
    utf8.split(separator: UInt8(ascii: "/")).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// The last of them; empty if there is none.
  package var lastPathPart: SubSequence {
    let scalars = unicodeScalars
    let end = scalars.lastIndex { $0 != "/" }.map { scalars.index(after: $0) } ?? startIndex
    let start = scalars[..<end].lastIndex(of: "/").map { scalars.index(after: $0) } ?? startIndex
    return self[start..<end]
  }

  /// Replaces each byte for which `replacement` returns a text; only ASCII may have one.
  package func replacingBytes(_ replacement: (UInt8) -> String?) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if let other = replacement(byte) { bytes += other.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces every occurrence of an ASCII text.
  package func replacingText(_ old: String, with new: String) -> String {
    let (old, bytes) = (Array(old.utf8), Array(utf8))
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if !old.isEmpty, bytes[index...].starts(with: old) {
        result += new.utf8
        index += old.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Both scalars have to be ASCII.
  package func with(_ new: Unicode.Scalar, for old: Unicode.Scalar) -> String {
    replacingBytes { $0 == UInt8(ascii: old) ? String(new) : nil }
  }
}

extension UInt8 {
  /// Whether it is white space of ASCII.
  package var isSpace: Bool { self == UInt8(ascii: " ") || UInt8(ascii: "\t")...UInt8(ascii: "\r") ~= self }
}

extension Unicode.Scalar {
  /// Whether it is white space; most are ASCII, which needs no table of properties.
  fileprivate var isSpace: Bool { isASCII ? UInt8(ascii: self).isSpace : properties.isWhitespace }
}
