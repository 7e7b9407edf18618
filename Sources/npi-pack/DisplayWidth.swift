/// How wide text is on a terminal. Never less than it is: terminals and versions of Unicode differ in what they draw
/// wide, and a line that wraps cannot be written over.
enum DisplayWidth {
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// One column for ASCII, at least two for all else. Where emoji are joined, each counts: not every terminal joins them.
  static func of(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    let columns = character.unicodeScalars.reduce(0) { columns, scalar in
      switch scalar.properties.generalCategory {
      case _ where scalar.isASCII: columns + 1
      case .nonspacingMark, .enclosingMark, .format: columns
      default: columns + 2
      }
    }
    return max(2, columns)
  }

  /// At most so many columns of it: beginning and end, if there is room for both.
  static func shorten(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    guard columns >= 8 else { return String(prefix(of: text, columns)) }
    let room = columns - 3
    let end = prefix(of: String(text.reversed()), room / 2)
    return prefix(of: text, room - room / 2) + "..." + String(end.reversed())
  }

  private static func prefix(of text: String, _ columns: Int) -> Substring {
    var left = columns
    return text.prefix { character in
      left -= of(character)
      return left >= 0
    }
  }
}
