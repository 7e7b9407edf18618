import Rewriting

/// The words of a header of C or Objective-C that may be names of its library. Who includes the header goes on to write
/// old names, and gets the new ones by macros: one for each word that is the name of a renamed symbol, class or protocol.
///
/// Declarations are not parsed: macros make them in ways that only a compiler sees through. A word that means something
/// else gets the new name in all headers alike, and so means the same as before, but for names that the library itself
/// knows: those of methods and properties.
struct HeaderNames {
  /// In code and in bodies of macros, not in comments and texts.
  private(set) var words: Set<[UInt8]> = []
  /// The words between `@interface` or `@protocol` and `@end`.
  private(set) var members: Set<[UInt8]> = []
  /// The names that the header itself defines as macros.
  private(set) var macros: Set<[UInt8]> = []

  private let text: [UInt8]
  private var place = 0

  init(_ text: [UInt8]) {
    self.text = text
    var isInInterface = false
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "/"), follows("/") {
        skip(to: "\n")
      } else if byte == UInt8(ascii: "/"), follows("*") {
        place += 2
        skip(to: "*/")
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        skipText(byte)
      } else if byte == UInt8(ascii: "@") {
        place += 1
        let directive = word()
        if directive == Array("end".utf8) { isInInterface = false }
        if directive == Array("interface".utf8) || directive == Array("protocol".utf8) {
          isInInterface = !isForward()
        }
      } else if byte == UInt8(ascii: "#") {
        place += 1
        skipSpace()
        let directive = word()
        if directive == Array("include".utf8) || directive == Array("import".utf8) { skip(to: "\n") }
        if directive == Array("define".utf8) || directive == Array("undef".utf8) {
          skipSpace()
          macros.insert(word())
        }
      } else if byte.isInName {
        let word = word()
        words.insert(word)
        if isInInterface { members.insert(word) }
      } else {
        place += 1
      }
    }
  }

  /// Takes the name of a class or protocol, and tells whether it is only declared: names and a semicolon follow.
  private mutating func isForward() -> Bool {
    skipSpace()
    words.insert(word())
    skipSpace()
    return place < text.count && (text[place] == UInt8(ascii: ";") || text[place] == UInt8(ascii: ","))
  }

  private func follows(_ character: Unicode.Scalar) -> Bool {
    place + 1 < text.count && text[place + 1] == UInt8(ascii: character)
  }

  private mutating func word() -> [UInt8] {
    let start = place
    while place < text.count, text[place].isInName { place += 1 }
    return Array(text[start..<place])
  }

  private mutating func skipSpace() {
    while place < text.count, " \t\r\n\\".utf8.contains(text[place]) { place += 1 }
  }

  /// Moves behind the next such text, or to the end if there is none.
  private mutating func skip(to end: String) {
    let end = Array(end.utf8)
    while place < text.count, !text[place...].starts(with: end) { place += 1 }
    place = min(place + end.count, text.count)
  }

  private mutating func skipText(_ quote: UInt8) {
    place += 1
    while place < text.count, text[place] != quote, text[place] != UInt8(ascii: "\n") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place + 1, text.count)
  }
}
