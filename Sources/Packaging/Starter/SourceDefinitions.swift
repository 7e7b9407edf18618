/// The names that a source of C or Objective-C gives to the linker, read without a compiler: what two files both have cannot
/// be in one library. Functions of C++ are told apart by what stands between their parentheses, too: they may be overloaded.
struct SourceDefinitions: Sendable {
  /// Functions of C, and those of C++ that are declared `extern "C"`.
  private(set) var functions: Set<String> = []
  /// Of Objective-C.
  private(set) var classes: Set<String> = []
  /// All of them, each with the conditions of the preprocessor that it stands under: alternatives are no contradiction.
  private(set) var conditional: Set<String> = []

  private let isCxx: Bool
  private var conditions: [String] = []
  /// Of `#else` and `#elif`, which are passed over so that braces are in balance: how deep they began.
  private var skipping: Int?
  /// What stands since the last `;` or `}` outside of all functions.
  private var statement: [UInt8] = []
  private var depth = 0
  /// Braces that hold definitions, of `extern "C"` and of namespaces: `rally::` of one with a name.
  private var scopes: [String] = []

  init(_ text: some StringProtocol, isCxx: Bool) {
    self.isCxx = isCxx
    read(Array(text.utf8))
  }

  private mutating func read(_ bytes: [UInt8]) {
    var index = 0
    var isAtStart = true
    func at(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
    func line(from start: Int) -> Int {
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") || end > start && bytes[end - 1] == UInt8(ascii: "\\") {
        end += 1
      }
      return end
    }
    while index < bytes.count {
      let byte = bytes[index]
      let start = index
      index += 1
      switch byte {
      case UInt8(ascii: "/") where at(0) == UInt8(ascii: "/"):
        index = line(from: index)
      case UInt8(ascii: "/") where at(0) == UInt8(ascii: "*"):
        index += 1
        while index < bytes.count, at(0) != UInt8(ascii: "*") || at(1) != UInt8(ascii: "/") { index += 1 }
        index += 2
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        while index < bytes.count, bytes[index] != byte, bytes[index] != UInt8(ascii: "\n") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
        if depth == 0, skipping == nil { statement += bytes[start..<min(index, bytes.count)] }
        isAtStart = false
      case UInt8(ascii: "#") where isAtStart:
        let end = line(from: index)
        directive(bytes[index..<end])
        index = end
      case UInt8(ascii: "@") where isAtStart && depth == 0 && skipping == nil:
        var end = index
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "{") { end += 1 }
        marked(bytes[index..<end])
        index = end
      case UInt8(ascii: "\n"): isAtStart = true
      case 0x20, 0x09, 0x0D: break
      default: isAtStart = false
      }
      if skipping == nil, index == start + 1 { take(byte) }
    }
  }

  private mutating func take(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"):
      if depth == 0, let scope = openedScope {
        scopes.append(scope)
        statement = []
        return
      }
      if depth == 0 { define() }
      depth += 1
    case UInt8(ascii: "}"):
      if depth > 0 { depth -= 1 } else { _ = scopes.popLast() }
      if depth == 0 { statement = [] }
    case UInt8(ascii: ";"): if depth == 0 { statement = [] }
    default: if depth == 0, statement.count < SourceDefinitions.longest { statement.append(byte) }
    }
  }

  /// In bytes: a declaration is shorter.
  private static let longest = 4096

  private var words: [Substring] {
    String(decoding: statement, as: UTF8.self).split { !($0.isLetter || $0.isNumber || "_:~".contains($0)) }
  }

  /// What is in a namespace without a name no other file sees.
  private var openedScope: String? {
    guard isCxx, !statement.contains(UInt8(ascii: "(")), scopes.count < SourceDefinitions.deepest else { return nil }
    let words = words
    if words.first == "extern" { return SourceDefinitions.linkage }
    guard words.count == 2, words[0] == "namespace", words[1].utf8.count <= 64 else { return nil }
    return words[1] + "::"
  }

  /// Nobody nests so deep by hand, and what is inside would be named by all that it is in.
  private static let deepest = 8

  private static let linkage = "extern "

  /// `int rally(int x)`, and nothing that begins with `-` or `+`, as methods do.
  private mutating func define() {
    let text = String(decoding: statement, as: UTF8.self).drop { $0.isWhitespace }
    guard let open = text.firstIndex(of: "("), let first = text.first, first.isLetter || first == "_" else { return }
    let before = text[..<open].split { !($0.isLetter || $0.isNumber || "_:~".contains($0)) }
    // A constructor or destructor has no type in front.
    guard let name = before.last, before.count > 1 || name.contains("::"), !name.hasPrefix("__"),
      !text[..<open].contains("="),
      !text.contains("weak")
    else { return }
    let others = [
      "static", "inline", "constexpr", "template", "struct", "class", "namespace", "typedef", "enum", "union",
    ]
    guard !before.contains(where: { others.contains(String($0)) || $0.hasSuffix("INLINE") || $0.hasSuffix("_inline") })
    else { return }
    let isC = !isCxx || scopes.last == SourceDefinitions.linkage || text.hasPrefix("extern \"C\"")
    if isC {
      if !name.contains(":") { add(String(name), to: \.functions) }
    } else if let end = text.lastIndex(of: ")"), open < end {
      let scope = scopes.filter { $0 != SourceDefinitions.linkage }.joined()
      addConditional("\(scope)\(name)\(text[open...end].filter { !$0.isWhitespace })")
    }
  }

  /// `@implementation Rally`; one with a category or an extension is no class of its own.
  private mutating func marked(_ line: ArraySlice<UInt8>) {
    let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard words.first == "implementation", words.count > 1, !line.contains(UInt8(ascii: "(")) else { return }
    add(String(words[1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }), to: \.classes)
  }

  private mutating func add(_ name: String, to names: WritableKeyPath<SourceDefinitions, Set<String>>) {
    self[keyPath: names].insert(name)
    addConditional(name)
  }

  private mutating func addConditional(_ name: String) {
    // What is inside of conditions without end would be as long as they are.
    guard conditions.reduce(0, { $0 + $1.utf8.count }) < 1000 else { return }
    conditional.insert(([name] + conditions).joined(separator: "\n"))
  }

  private mutating func directive(_ line: ArraySlice<UInt8>) {
    let text = String(decoding: line, as: UTF8.self).drop { $0.isWhitespace }
    if text.hasPrefix("if") {
      conditions.append(String(text.split(separator: "//").first ?? text).filter { !$0.isWhitespace })
    } else if text.hasPrefix("endif") {
      _ = conditions.popLast()
      if let start = skipping, conditions.count < start { skipping = nil }
    } else if text.hasPrefix("el"), skipping == nil, !conditions.isEmpty {
      skipping = conditions.count
    }
  }
}
