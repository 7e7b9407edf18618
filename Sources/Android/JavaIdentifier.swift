extension StringProtocol {
  /// Whether it is an identifier of Java, or of a tool that allows more signs: `beginning` in front, `others` behind.
  package func isIdentifier(beginningWith beginning: String = "_$", with others: String = "$") -> Bool {
    let text = String(self)
    return text.utf8.span.isIdentifier(beginningWith: beginning, with: others)
  }
}

extension Span<UInt8> {
  /// The same for the UTF-8 of a text.
  func isIdentifier(beginningWith beginning: String, with others: String) -> Bool {
    // Almost all names are ASCII, and scalars take several times as long as bytes.
    var isASCII = !isEmpty
    for index in indices where isASCII {
      let byte = self[index]
      isASCII = byte < 0x80
      let fits =
        index == 0
        ? byte.isASCIILetter || beginning.utf8.contains(byte) : byte.continuesASCII || others.utf8.contains(byte)
      if isASCII, !fits { return false }
    }
    if isASCII { return true }
    guard let text = try? UTF8Span(validating: self) else { return false }
    let scalars = String(copying: text).unicodeScalars
    guard let first = scalars.first, first.properties.isXIDStart || beginning.unicodeScalars.contains(first) else {
      return false
    }
    return scalars.dropFirst().allSatisfy { $0.properties.isXIDContinue || others.unicodeScalars.contains($0) }
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  /// An underscore continues a name.
  fileprivate var continuesASCII: Bool {
    isASCIILetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || self == UInt8(ascii: "_")
  }
}
