extension StringProtocol {
  /// Whether it is an identifier of Java, or of a tool that allows more signs: `beginning` in front, `others` behind.
  package func isIdentifier(beginningWith beginning: String = "_$", with others: String = "$") -> Bool {
    // Almost all names are ASCII, and scalars take several times as long as bytes.
    let text = String(self)
    let bytes = text.utf8.span
    var isASCII = !bytes.isEmpty
    for index in bytes.indices where isASCII {
      let byte = bytes[index]
      isASCII = byte < 0x80
      let fits =
        index == 0
        ? byte.isASCIILetter || beginning.utf8.contains(byte) : byte.continuesASCII || others.utf8.contains(byte)
      if isASCII, !fits { return false }
    }
    if isASCII { return true }
    guard let first = unicodeScalars.first,
      first.properties.isXIDStart || beginning.unicodeScalars.contains(first)
    else { return false }
    return unicodeScalars.dropFirst().allSatisfy {
      $0.properties.isXIDContinue || others.unicodeScalars.contains($0)
    }
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  /// An underscore continues a name.
  fileprivate var continuesASCII: Bool {
    isASCIILetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || self == UInt8(ascii: "_")
  }
}
