/// The words, literals and signs of a script, for readers that look for a few statements in it. Nothing is computed. The
/// cost is linear in the bytes, whatever they are.
struct ScriptTokens {
  enum Language { case ruby, swift, gradle }

  enum Token: Equatable {
    case word(String)
    /// `name:` or `:name`
    case label(String)
    case text(String)
    /// With something in it that is computed, as it stands there: `#{s.name}.bundle`
    case computed(String)
    case number(String)
    /// One character; `=>` is `>`, and `::` is `:`.
    case sign(UInt8)
    /// One for several empty lines.
    case newLine
  }

  private(set) var tokens: [Token] = []
  private let language: Language
  private let bytes: [UInt8]
  private var position = 0
  /// The ends of texts that begin below this line, as Ruby has them.
  private var documents: [[UInt8]] = []

  static func read(_ bytes: [UInt8], _ language: Language) -> [Token] {
    var reader = ScriptTokens(bytes, language)
    while reader.position < bytes.count { reader.readNext() }
    return reader.tokens
  }

  private init(_ bytes: [UInt8], _ language: Language) {
    self.bytes = bytes
    self.language = language
  }

  private func byte(_ ahead: Int = 0) -> UInt8 { position + ahead < bytes.count ? bytes[position + ahead] : 0 }
  private func isNext(_ text: StaticString, _ ahead: Int = 0) -> Bool {
    text.description.utf8.enumerated().allSatisfy { byte(ahead + $0.offset) == $0.element }
  }

  private mutating func readNext() {
    let next = byte()
    switch next {
    case UInt8(ascii: "\n"): endLine()
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
    case UInt8(ascii: "\\"): position += byte(1) == UInt8(ascii: "\r") ? 3 : 2
    case UInt8(ascii: "#") where language == .ruby: skipLine()
    case UInt8(ascii: "/") where language != .ruby && byte(1) == next: skipLine()
    case UInt8(ascii: "/") where language != .ruby && byte(1) == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "/") where language == .ruby && isBeforeValue: skipPattern()
    case UInt8(ascii: "\""): readText(next)
    case UInt8(ascii: "'") where language != .swift: readText(next)
    case UInt8(ascii: "%") where language == .ruby && isBeforeValue: readPercent()
    case UInt8(ascii: "<") where language == .ruby && byte(1) == next: readDocumentMark()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
    case UInt8(ascii: ":") where language == .ruby && isWord(byte(1)):
      position += 1
      tokens.append(.label(word()))
    case UInt8(ascii: ":") where language == .ruby && byte(1) == next:
      position += 2
      tokens.append(.sign(next))
    case UInt8(ascii: "=") where byte(1) == UInt8(ascii: ">"):
      position += 2
      tokens.append(.sign(UInt8(ascii: ">")))
    case _ where isWord(next): readWord()
    default:
      position += 1
      tokens.append(.sign(next))
    }
  }

  private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Where a value may begin, and so no division and no remainder.
  private var isBeforeValue: Bool {
    switch tokens.last {
    case .sign(let sign)?: !")]}".utf8.contains(sign)
    case .word?, .text?, .computed?, .number?: false
    case .label?, .newLine?, nil: true
    }
  }

  private mutating func word() -> String {
    let start = position
    while isWord(byte()) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func readWord() {
    let isLineStart = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
    let text = word()
    if language == .ruby, isLineStart, text == "__END__" {
      position = bytes.count
      return
    }
    if byte() == UInt8(ascii: ":"), byte(1) != UInt8(ascii: ":") {
      position += 1
      tokens.append(.label(text))
      return
    }
    if language == .ruby, byte() == UInt8(ascii: "?") || byte() == UInt8(ascii: "!"), byte(1) != UInt8(ascii: "=") {
      position += 1
    }
    tokens.append(.word(text))
  }

  private mutating func readNumber() {
    let start = position
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    while isDigit(byte()) || byte() == UInt8(ascii: ".") && isDigit(byte(1)) || byte() == UInt8(ascii: "_") {
      position += 1
    }
    tokens.append(.number(String(decoding: bytes[start..<position], as: UTF8.self)))
  }

  // MARK: - What is passed over

  private mutating func skipLine() {
    while position < bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipComment() {
    position += 2
    while position < bytes.count, byte() != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") { position += 1 }
    position += 2
  }

  /// `/\.h$/`
  private mutating func skipPattern() {
    position += 1
    while position < bytes.count, byte() != UInt8(ascii: "/"), byte() != UInt8(ascii: "\n") {
      position += byte() == UInt8(ascii: "\\") ? 2 : 1
    }
    if byte() == UInt8(ascii: "/") { position += 1 }
    tokens.append(.computed(""))
  }

  private mutating func endLine() {
    position += 1
    if tokens.last != .newLine { tokens.append(.newLine) }
    for end in documents { skipDocument(end) }
    documents = []
    if language == .ruby, isNext("=begin") { skipDocument(Array("=end".utf8)) }
  }

  /// Up to the line that is nothing but this, white space apart.
  private mutating func skipDocument(_ end: [UInt8]) {
    while position < bytes.count {
      let start = position
      skipLine()
      let line = bytes[start..<min(position, bytes.count)]
      position += 1
      let isEnd = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 > 0x20 }.elementsEqual(end)
      if isEnd { return }
    }
  }

  /// `<<-END`, `<<~END`, `<<END`, `<<'END'`: the text begins with the next line.
  private mutating func readDocumentMark() {
    position += 2
    var ahead = "-~".utf8.contains(byte()) ? 1 : 0
    let isQuoted = "'\"".utf8.contains(byte(ahead))
    if isQuoted { ahead += 1 }
    guard isWord(byte(ahead)), isQuoted || ahead > 0 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte()) else {
      tokens.append(.sign(UInt8(ascii: "<")))
      return
    }
    position += ahead
    documents.append(Array(word().utf8))
    if isQuoted { position += 1 }
    tokens.append(.computed(""))
  }

  // MARK: - Texts

  private mutating func readText(_ quote: UInt8) {
    if language != .ruby, byte(1) == quote, byte(2) == quote {
      position += 3
      while position < bytes.count, !(byte() == quote && byte(1) == quote && byte(2) == quote) { position += 1 }
      position += 3
      tokens.append(.computed(""))
      return
    }
    position += 1
    readText(until: quote, isPlain: quote == UInt8(ascii: "'"))
  }

  /// Only in Ruby does a text go on in the next line.
  private mutating func readText(until end: UInt8, isPlain: Bool) {
    var text: [UInt8] = []
    var isComputed = false
    // How deep in braces of a computed part; quotes in there end nothing.
    var depth = 0
    while position < bytes.count, depth > 0 || byte() != end, language == .ruby || byte() != UInt8(ascii: "\n") {
      let next = byte()
      if next == UInt8(ascii: "\\"), position + 1 < bytes.count, depth == 0 {
        position += 1
        if language == .swift, byte() == UInt8(ascii: "(") { isComputed = true }
        // Between single quotes Ruby has it escape nothing but itself and them.
        if language == .ruby, isPlain, byte() != next, byte() != end { text.append(next) }
        text.append(byte())
        position += 1
        continue
      }
      if depth > 0 {
        depth += next == UInt8(ascii: "{") ? 1 : next == UInt8(ascii: "}") ? -1 : 0
      } else if !isPlain, begins(computed: next) {
        isComputed = true
        if byte(1) == UInt8(ascii: "{") {
          depth = 1
          text.append(next)
          position += 1
        }
      }
      text.append(byte())
      position += 1
    }
    if byte() == end { position += 1 }
    let string = String(decoding: text, as: UTF8.self)
    tokens.append(isComputed ? .computed(string) : .text(string))
  }

  private func begins(computed next: UInt8) -> Bool {
    switch language {
    case .ruby: next == UInt8(ascii: "#") && byte(1) == UInt8(ascii: "{")
    case .gradle: next == UInt8(ascii: "$")
    case .swift: false
    }
  }

  /// `%w[a b]` is a list of texts, `%q(a)` a text.
  private mutating func readPercent() {
    let kind = byte(1)
    let brackets: [UInt8: UInt8] = [0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D, 0x3C: 0x3E, 0x7C: 0x7C, 0x21: 0x21]
    guard "wWiIqQ".utf8.contains(kind), let end = brackets[byte(2)] else {
      position += 1
      tokens.append(.sign(UInt8(ascii: "%")))
      return
    }
    position += 3
    readText(until: end, isPlain: kind == UInt8(ascii: "w") || kind == UInt8(ascii: "q"))
    guard !"qQ".utf8.contains(kind), case .text(let list)? = tokens.last else { return }
    tokens.removeLast()
    tokens.append(.sign(UInt8(ascii: "[")))
    for item in list.split(whereSeparator: \.isWhitespace) {
      tokens += [.text(String(item)), .sign(UInt8(ascii: ","))]
    }
    tokens.append(.sign(UInt8(ascii: "]")))
  }
}

extension ScriptTokens.Token {
  static func sign(_ character: Character) -> ScriptTokens.Token { .sign(character.asciiValue ?? 0) }

  var opens: Bool { isSign("([{") }
  var closes: Bool { isSign(")]}") }

  func isSign(_ signs: String) -> Bool { if case .sign(let sign) = self { signs.utf8.contains(sign) } else { false } }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: String? { if case .number(let number) = self { number } else { nil } }
  var word: String? { if case .word(let word) = self { word } else { nil } }
  var label: String? { if case .label(let label) = self { label } else { nil } }
}

extension [ScriptTokens.Token] {
  subscript(at index: Int) -> ScriptTokens.Token? { indices.contains(index) ? self[index] : nil }

  /// For each sign that opens something, where that ends; the end of all, if it does not.
  var closings: [Int: Int] {
    var closings: [Int: Int] = [:]
    var open: [Int] = []
    for (index, token) in enumerated() {
      if token.opens { open.append(index) } else if token.closes, let start = open.popLast() { closings[start] = index }
    }
    for start in open { closings[start] = count }
    return closings
  }
}
