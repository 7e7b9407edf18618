import ObjectFiles
import Rewriting

/// The names of a C or Objective-C header that its library's symbols have no longer, as macros: who includes the header
/// goes on to write the old names and gets the new ones.
///
/// A name counts where it is declared: outside of braces, as a function, variable, class or protocol. Another header or
/// an inline function may use it afterwards, and not before.
struct HeaderNames {
  /// Old names and new ones, in the order of the header.
  private(set) var names: [(old: [UInt8], new: [UInt8])] = []
  /// Words inside of classes and protocols. A macro would change the names of methods among them, too.
  private(set) var members: Set<[UInt8]> = []

  /// - Parameter newName: that of a declared thing; nil if it stays.
  init(_ text: [UInt8], newName: (_ name: [UInt8], _ kind: Declared) -> [UInt8]?) {
    var words = HeaderWords(text)
    var seen: Set<[UInt8]> = []
    while let (name, kind) = words.next() {
      guard !seen.contains(name), let new = newName(name, kind) else { continue }
      seen.insert(name)
      names.append((name, new))
      if kind == .symbol { symbols.insert(name) }
    }
    members = words.members
  }

  /// The names of functions and variables among them.
  private(set) var symbols: Set<[UInt8]> = []

  enum Declared {
    /// A function or variable.
    case symbol
    case objcClass
    case objcProtocol
  }

  /// The lines that stand before the header's own. They may stand in several headers, because they are the same in each.
  var lines: [UInt8] {
    names.flatMap { old, new in Array("#define ".utf8) + old + Array(" ".utf8) + new + Array("\n".utf8) }
  }
}

/// Finds the declared names of a header, one after the other. It reads words, braces and comments, and no grammar: a
/// name too many is one that the library has renamed, too.
private struct HeaderWords {
  private let text: [UInt8]
  private var place = 0
  private var depth = 0
  private var isInInterface = false
  private(set) var members: Set<[UInt8]> = []

  init(_ text: [UInt8]) { self.text = text }

  mutating func next() -> (name: [UInt8], kind: HeaderNames.Declared)? {
    while place < text.count {
      let byte = text[place]
      switch byte {
      case UInt8(ascii: "/") where follows("/"): skipLine()
      case UInt8(ascii: "/") where follows("*"): skipComment()
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipText(byte)
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        place += 1
      case UInt8(ascii: "@"):
        place += 1
        if let found = directive() { return found }
      case _ where isLetter(byte):
        let word = word()
        if word == Array("extern".utf8) { openLinkage() }
        if isInInterface { members.insert(word) }
        if depth == 0, !isInInterface, isDeclared { return (word, .symbol) }
      case _ where isDigit(byte): _ = word()
      default: place += 1
      }
    }
    return nil
  }

  /// The name behind `@interface`, `@protocol` and `@class`.
  private mutating func directive() -> (name: [UInt8], kind: HeaderNames.Declared)? {
    let directive = String(decoding: word(), as: UTF8.self)
    switch directive {
    case "end": isInInterface = false
    case "interface", "protocol", "class":
      skipSpace()
      let name = word()
      skipSpace()
      let next = place < text.count ? text[place] : 0
      let isForward =
        directive == "class" || directive == "protocol" && (next == UInt8(ascii: ";") || next == UInt8(ascii: ","))
      if !isForward { isInInterface = true }
      return name.isEmpty ? nil : (name, directive == "protocol" ? .objcProtocol : .objcClass)
    default: break
    }
    return nil
  }

  /// `extern "C" {` opens no block.
  private mutating func openLinkage() {
    skipSpace()
    guard place < text.count, text[place] == UInt8(ascii: "\"") else { return }
    skipText(UInt8(ascii: "\""))
    skipSpace()
    if place < text.count, text[place] == UInt8(ascii: "{") { place += 1 }
  }

  /// Whether what follows a word is what follows a declared name.
  private var isDeclared: Bool {
    var next = self
    next.skipSpace()
    guard next.place < text.count else { return false }
    return "([;,=".utf8.contains(text[next.place]) || text[next.place...].starts(with: "__".utf8)
      || isLetter(text[next.place]) && next.isAttribute
  }

  /// Macros of attributes are in capitals: `extern int x NS_AVAILABLE(…);`
  private var isAttribute: Bool {
    var next = self
    return next.word().allSatisfy {
      !isLetter($0) || $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
  }

  private func follows(_ character: Unicode.Scalar) -> Bool {
    place + 1 < text.count && text[place + 1] == UInt8(ascii: character)
  }

  private mutating func word() -> [UInt8] {
    let start = place
    while place < text.count, isLetter(text[place]) || isDigit(text[place]) { place += 1 }
    return Array(text[start..<place])
  }

  private mutating func skipSpace() {
    while place < text.count, " \t\r\n".utf8.contains(text[place]) { place += 1 }
  }

  /// To the end of the line, or of the last one that a backslash joins to it.
  private mutating func skipLine() {
    while place < text.count {
      defer { place += 1 }
      if text[place] == UInt8(ascii: "\n"), text[place - 1] != UInt8(ascii: "\\") { return }
    }
  }

  private mutating func skipComment() {
    place += 2
    while place < text.count, !(text[place] == UInt8(ascii: "*") && follows("/")) { place += 1 }
    place = min(place + 2, text.count)
  }

  private mutating func skipText(_ quote: UInt8) {
    place += 1
    while place < text.count, text[place] != quote, text[place] != UInt8(ascii: "\n") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place + 1, text.count)
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
