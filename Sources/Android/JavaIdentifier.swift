extension StringProtocol {
  /// Whether it is an identifier of Java, or of a tool that allows more signs: `beginning` in front, `others` behind.
  package func isIdentifier(beginningWith beginning: String = "_$", with others: String = "$") -> Bool {
    guard let first = unicodeScalars.first,
      first.isLetter ?? first.properties.isXIDStart || beginning.unicodeScalars.contains(first)
    else { return false }
    return unicodeScalars.dropFirst().allSatisfy {
      $0.isLetterOrDigit ?? $0.properties.isXIDContinue || others.unicodeScalars.contains($0)
    }
  }
}

// Almost all names are ASCII, and the properties of a scalar are looked up in tables.
extension Unicode.Scalar {
  /// Nil for a scalar beyond ASCII.
  fileprivate var isLetter: Bool? { isASCII ? "a"..."z" ~= self || "A"..."Z" ~= self : nil }

  /// Nil for a scalar beyond ASCII. An underscore continues a name.
  fileprivate var isLetterOrDigit: Bool? { isLetter.map { $0 || "0"..."9" ~= self || self == "_" } }
}
