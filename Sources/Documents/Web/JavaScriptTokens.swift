/// The tokens of a script, by the lexical grammar of ECMAScript, as far as strings depend on them: comments, strings,
/// templates, and regular expressions, which a slash begins where no value stands before it.
///
/// After `)` and `}` only the whole grammar could tell whether a value stands there. Here the text before the opening
/// bracket decides: it tells `if (…) /a/` from `f(…) / 2`, and a block from an object.
struct JavaScriptTokens {
  enum Kind { case word, number, text, regularExpression, sign }

  struct Token {
    let kind: Kind
    let range: Range<Int>
    /// The value of a string, or of a template up to its first expression.
    var value: [UInt8] = []
    /// Whether the token is a template and an expression follows.
    var isCut = false
  }

  private enum Brace { case block, object, template }

  let bytes: [UInt8]
  private var at: Int
  private let end: Int
  private var braces: [Brace] = []
  /// For each open parenthesis, whether a statement follows the closing one.
  private var conditions: [Bool] = []
  /// Whether a value must follow, so that a slash begins a regular expression.
  private var expectsValue = true
  private var isAtLineStart = true
  private var last: Token?

  init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    self.bytes = bytes
    at = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
    if bytes.has("#!", at: at, before: end) { skipLine() }
  }

  /// Nil at the end.
  mutating func next() -> Token? {
    skipSpaceAndComments()
    guard at < end else { return nil }
    let token = token()
    last = token
    isAtLineStart = false
    return token
  }

  private mutating func token() -> Token {
    let start = at
    let byte = bytes[at]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return string(byte)
    case UInt8(ascii: "`"):
      at += 1
      return template(start)
    case UInt8(ascii: "}"):
      at += 1
      switch braces.popLast() {
      case .template: return template(start)
      case .object: expectsValue = false
      case .block, nil: expectsValue = true
      }
      return Token(kind: .sign, range: start..<at)
    case UInt8(ascii: "/") where expectsValue:
      skipRegularExpression()
      expectsValue = false
      return Token(kind: .regularExpression, range: start..<at)
    case _ where byte.isDigit:
      while at < end, isWord(bytes[at]) || bytes[at] == UInt8(ascii: ".") { at += 1 }
      expectsValue = false
      return Token(kind: .number, range: start..<at)
    case _ where isWord(byte):
      while at < end, isWord(bytes[at]) { at += 1 }
      let isProperty = last.map { isSign($0, ".") } ?? false
      expectsValue = !isProperty && JavaScriptTokens.beforeValues.contains(word(start..<at))
      return Token(kind: .word, range: start..<at)
    default:
      return sign()
    }
  }

  private static let beforeValues: Set<String> = [
    "return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else", "yield",
    "await",
    "extends", "default",
  ]

  /// A section of a template counts as a name; a backslash begins an escape in a name.
  private func isWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isDigit || byte >= 0x80 || byte == WebReferenceList.unknown || "_$\\".utf8.contains(byte)
  }

  /// Empty if the word is longer than every known one.
  func word(_ range: Range<Int>) -> String {
    range.count > 24 ? "" : String(decoding: bytes[range], as: UTF8.self)
  }

  func isSign(_ token: Token, _ sign: String) -> Bool {
    token.kind == .sign && token.range.count == sign.utf8.count
      && bytes.has(sign, at: token.range.lowerBound, before: token.range.upperBound)
  }

  private mutating func sign() -> Token {
    let start = at
    let byte = bytes[at]
    at += 1
    switch byte {
    case UInt8(ascii: "("):
      let name = last.map { $0.kind == .word ? word($0.range) : "" } ?? ""
      conditions.append(["if", "while", "for", "with"].contains(name))
      expectsValue = true
    case UInt8(ascii: ")"):
      expectsValue = conditions.popLast() ?? false
    case UInt8(ascii: "]"):
      expectsValue = false
    case UInt8(ascii: "{"):
      braces.append(beginsObject ? .object : .block)
      expectsValue = true
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      // `a++ / b`: `++` leaves `expectsValue` as it is.
      if at < end, bytes[at] == byte { at += 1 } else { expectsValue = true }
    case UInt8(ascii: "="):
      if at < end, bytes[at] == UInt8(ascii: ">") || bytes[at] == byte { at += 1 }
      expectsValue = true
    case UInt8(ascii: "?"):
      if bytes.has(".", at: at, before: end), at + 1 == end || !bytes[at + 1].isDigit {
        return Token(kind: .sign, range: start..<at)
      }
      expectsValue = true
    default:
      expectsValue = true
    }
    return Token(kind: .sign, range: start..<at)
  }

  /// Whether the brace that stands here begins a value and not a block.
  private var beginsObject: Bool {
    guard expectsValue, let last else { return false }
    if last.kind == .word { return !["do", "else"].contains(word(last.range)) }
    if isSign(last, ":") { return braces.last == .object || !conditions.isEmpty }
    return !["=>", ")", ";", "{", "}"].contains { isSign(last, $0) }
  }

  private mutating func skipSpaceAndComments() {
    while at < end {
      let byte = bytes[at]
      if isLineEnd(at) {
        isAtLineStart = true
        at += 1
      } else if byte <= 0x20, byte != WebReferenceList.unknown {
        at += 1
      } else if byte >= 0x80 {
        guard bytes.has("\u{FEFF}", at: at, before: end) || bytes.has("\u{A0}", at: at, before: end) else { return }
        at += byte == 0xEF ? 3 : 2
      } else if !"/<-".utf8.contains(byte) {
        return
      } else if bytes.has("//", at: at, before: end) || bytes.has("<!--", at: at, before: end)
        || isAtLineStart && bytes.has("-->", at: at, before: end)
      {
        skipLine()
      } else if bytes.has("/*", at: at, before: end) {
        at += 2
        while at < end, bytes[at] != UInt8(ascii: "*") || !bytes.has("*/", at: at, before: end) {
          if isLineEnd(at) { isAtLineStart = true }
          at += 1
        }
        at = min(at + 2, end)
      } else {
        return
      }
    }
  }

  /// LF, CR, or the first byte of U+2028 and U+2029.
  private func isLineEnd(_ index: Int) -> Bool {
    let byte = bytes[index]
    if byte == 0x0A || byte == 0x0D { return true }
    return byte == 0xE2 && index + 2 < end && bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8
  }

  private mutating func skipLine() {
    while at < end, !isLineEnd(at) { at += 1 }
  }

  /// A regular expression without an end is a mistake, and takes up its whole line.
  private mutating func skipRegularExpression() {
    at += 1
    var isInClass = false
    while at < end, !isLineEnd(at) {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\\"): if at < end, !isLineEnd(at) { at += 1 }
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "/") where !isInClass:
        while at < end, isWord(bytes[at]) { at += 1 }
        return
      default: break
      }
    }
  }

  private mutating func string(_ quote: UInt8) -> Token {
    let start = at
    var value: [UInt8] = []
    at += 1
    expectsValue = false
    while at < end {
      let byte = bytes[at]
      if byte == quote {
        at += 1
        return Token(kind: .text, range: start..<at, value: value)
      }
      // U+2028 and U+2029 may stand in a string.
      if byte == 0x0A || byte == 0x0D { break }
      append(to: &value)
    }
    // A string without an end is a mistake, and does not count as text.
    return Token(kind: .number, range: start..<at)
  }

  /// Reads the part of a template after its backquote, or after the brace that ends an expression in it.
  private mutating func template(_ start: Int) -> Token {
    var value: [UInt8] = []
    let isTail = bytes[start] != UInt8(ascii: "`")
    expectsValue = false
    while at < end {
      if bytes[at] == UInt8(ascii: "`") {
        at += 1
        break
      }
      if bytes[at] == UInt8(ascii: "$"), bytes.has("${", at: at, before: end) {
        at += 2
        braces.append(.template)
        expectsValue = true
        return Token(kind: isTail ? .number : .text, range: start..<at, value: isTail ? [] : value, isCut: true)
      }
      append(to: &value)
    }
    return Token(kind: isTail ? .number : .text, range: start..<at, value: isTail ? [] : value)
  }

  /// Appends one byte of a string, or one escape.
  private mutating func append(to value: inout [UInt8]) {
    let byte = bytes[at]
    at += 1
    guard byte == UInt8(ascii: "\\"), at < end else { return value.append(byte) }
    let escape = bytes[at]
    at += 1
    switch escape {
    case UInt8(ascii: "n"): value.append(0x0A)
    case UInt8(ascii: "t"): value.append(0x09)
    case UInt8(ascii: "r"): value.append(0x0D)
    case UInt8(ascii: "b"): value.append(0x08)
    case UInt8(ascii: "f"): value.append(0x0C)
    case UInt8(ascii: "v"): value.append(0x0B)
    case UInt8(ascii: "0"): value.append(0)
    case 0x0D: if at < end, bytes[at] == 0x0A { at += 1 }
    case 0x0A: break
    case UInt8(ascii: "x"): appendHex(2, &value)
    case UInt8(ascii: "u"):
      if at < end, bytes[at] == UInt8(ascii: "{") {
        at += 1
        appendHex(6, &value)
        if at < end, bytes[at] == UInt8(ascii: "}") { at += 1 }
      } else {
        appendHex(4, &value)
      }
    default: value.append(escape)
    }
  }

  private mutating func appendHex(_ most: Int, _ value: inout [UInt8]) {
    var (number, count) = (UInt32(0), 0)
    while at < end, count < most, let digit = bytes[at].hexValue {
      number = number << 4 | digit
      (at, count) = (at + 1, count + 1)
    }
    value.append(codePoint: number)
  }
}
