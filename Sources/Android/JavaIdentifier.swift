extension StringProtocol {
  /// Whether it is an identifier of Java, or of a tool that allows more signs: `beginning` in front, `others` behind.
  package func isIdentifier(beginningWith beginning: String = "_$", with others: String = "$") -> Bool {
    guard let first = unicodeScalars.first,
      first.properties.isXIDStart || beginning.unicodeScalars.contains(first)
    else { return false }
    return unicodeScalars.dropFirst().allSatisfy {
      $0.properties.isXIDContinue || others.unicodeScalars.contains($0)
    }
  }
}
