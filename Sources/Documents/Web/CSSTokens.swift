/// The tokens of a style sheet, by the rules of CSS Syntax Level 3, as far as references depend on them.
struct CSSTokens {
  enum Token {
    /// `url(…)` without quotes.
    case url([UInt8], at: Int)
    case string([UInt8], at: Int)
    /// A name with a parenthesis behind it, in lower case.
    case function(String)
    case atKeyword(String)
    /// A bracket of any kind.
    case open, close
    case semicolon
    case other
  }

  let bytes: [UInt8]
  private var at: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    self.bytes = bytes
    at = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  /// Nil at the end. Comments and spaces are passed over.
  mutating func next() -> Token? {
    skipSpaceAndComments()
    guard at < end else { return nil }
    let byte = bytes[at]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(byte)
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return sign(.open)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return sign(.close)
    case UInt8(ascii: ";"): return sign(.semicolon)
    case UInt8(ascii: "@"):
      at += 1
      return isName(at: at) ? .atKeyword(name()[...].knownName) : .other
    case UInt8(ascii: "#"):
      at += 1
      _ = name()
      return .other
    case _ where byte.isDigit:
      while at < end, bytes[at].isDigit { at += 1 }
      // The unit is part of the number's token.
      if isName(at: at) { _ = name() }
      return .other
    case UInt8(ascii: "-") where bytes.has("-->", at: at, before: end):
      at += 3
      return .other
    case _ where isName(at: at): return named()
    default: return sign(.other)
    }
  }

  private mutating func sign(_ token: Token) -> Token {
    at += 1
    return token
  }

  private mutating func skipSpaceAndComments() {
    while at < end {
      if bytes[at].isWebSpace {
        at += 1
      } else if bytes[at] == UInt8(ascii: "/"), bytes.has("/*", at: at, before: end) {
        at += 2
        while at < end, bytes[at] != UInt8(ascii: "*") || !bytes.has("*/", at: at, before: end) { at += 1 }
        at = min(at + 2, end)
      } else {
        return
      }
    }
  }

  private func isStart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == UInt8(ascii: "_") || byte >= 0x80 }

  private func isEscape(at index: Int) -> Bool {
    index + 1 < end && bytes[index] == UInt8(ascii: "\\") && !isLineEnd(bytes[index + 1])
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0C || byte == 0x0D }

  private func isName(at index: Int) -> Bool {
    guard index < end else { return false }
    if isStart(bytes[index]) || isEscape(at: index) { return true }
    guard bytes[index] == UInt8(ascii: "-"), index + 1 < end else { return false }
    return bytes[index + 1] == UInt8(ascii: "-") || isStart(bytes[index + 1]) || isEscape(at: index + 1)
  }

  private mutating func name() -> [UInt8] {
    var name: [UInt8] = []
    while at < end {
      let byte = bytes[at]
      if isStart(byte) || byte.isDigit || byte == UInt8(ascii: "-") {
        name.append(byte)
        at += 1
      } else if isEscape(at: at) {
        escape(&name)
      } else {
        break
      }
    }
    return name
  }

  /// Reads an escape from its backslash on. A character follows it.
  private mutating func escape(_ output: inout [UInt8]) {
    at += 1
    var (number, count) = (UInt32(0), 0)
    while at < end, count < 6, let digit = bytes[at].hexValue {
      number = number * 16 + digit
      (at, count) = (at + 1, count + 1)
    }
    if count > 0 {
      if bytes.has("\r\n", at: at, before: end) { at += 1 }
      if at < end, bytes[at].isWebSpace { at += 1 }
      output.append(codePoint: number)
    } else if at < end {
      // The caller appends the other bytes of the character.
      output.append(bytes[at])
      at += 1
    }
  }

  private mutating func string(_ quote: UInt8) -> Token {
    let start = at
    var value: [UInt8] = []
    at += 1
    while at < end {
      let byte = bytes[at]
      if byte == quote {
        at += 1
        return .string(value, at: start)
      }
      // A string that reaches the end of its line is invalid.
      if isLineEnd(byte) { return .other }
      if byte != UInt8(ascii: "\\") {
        value.append(byte)
        at += 1
      } else if isEscape(at: at) {
        escape(&value)
      } else {
        at += bytes.has("\r\n", at: at + 1, before: end) ? 3 : 2
        at = min(at, end)
      }
    }
    return .string(value, at: start)
  }

  private mutating func named() -> Token {
    let start = at
    let name = name()[...].knownName
    guard at < end, bytes[at] == UInt8(ascii: "(") else { return .other }
    at += 1
    guard name == "url" else { return .function(name) }
    var look = at
    while look < end, bytes[look].isWebSpace { look += 1 }
    if look < end, bytes[look] == UInt8(ascii: "\"") || bytes[look] == UInt8(ascii: "'") { return .function(name) }
    at = look
    return url(start)
  }

  private mutating func url(_ start: Int) -> Token {
    var value: [UInt8] = []
    var isGood = true
    while at < end, bytes[at] != UInt8(ascii: ")") {
      let byte = bytes[at]
      if isEscape(at: at) {
        escape(&value)
        continue
      }
      at += 1
      if byte.isWebSpace {
        while at < end, bytes[at].isWebSpace { at += 1 }
        isGood = isGood && (at == end || bytes[at] == UInt8(ascii: ")"))
      } else if "\"'(\\".utf8.contains(byte) || byte == 0x7F || byte < 0x20 && byte != WebReferenceList.unknown {
        isGood = false
      } else {
        value.append(byte)
      }
    }
    at = min(at + 1, end)
    return isGood ? .url(value, at: start) : .other
  }
}

extension WebReferenceList {
  /// Adds the references of a style sheet, or of the declarations of a `style` attribute.
  mutating func addCSS(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    var tokens = CSSTokens(bytes, range)
    // This says for each open bracket which strings in it are addresses.
    var open: [Strings] = []
    var rule = ""
    while let token = tokens.next() {
      let strings = open.last ?? .none
      // `first` covers only the first token in a bracket.
      if strings == .first { open[open.count - 1] = .none }
      switch token {
      case .url(let value, let offset):
        if rule != "namespace" { add(.asset, value[...], at: offset) }
      case .string(let value, let offset):
        if rule == "import" || strings != .none, rule != "namespace" { add(.asset, value[...], at: offset) }
      case .function(let name):
        open.append(
          ["url", "src"].contains(name)
            ? .first : ["image-set", "-webkit-image-set", "image"].contains(name) ? .all : .none)
        // `@import url("a.css")`
        if rule == "import" { continue }
      case .open: open.append(.none)
      case .close: open.removeLast(open.isEmpty ? 0 : 1)
      case .atKeyword(let name):
        rule = name
        continue
      case .semicolon: rule = ""
      case .other: break
      }
      // The address comes first; `supports("…")` and media follow.
      if rule == "import" { rule = "" }
    }
  }

  private enum Strings { case none, first, all }
}
