enum GlobParser {
  /// More choices than this are a mistake, not a pattern.
  private static let maxChoices = 256

  /// The pattern with its braces resolved, in every way. Braces without a comma or a partner are plain characters.
  static func choices(_ pattern: [UInt8]) throws(GlobError) -> [[UInt8]] {
    var done: [[UInt8]] = []
    var open = [pattern]
    while let next = open.popLast() {
      guard let group = firstGroup(next) else {
        done.append(next)
        continue
      }
      // Reversed, because the last one is taken next.
      for choice in group.choices.reversed() { open.append(next[..<group.start] + choice + next[group.end...]) }
      guard done.count + open.count <= maxChoices else {
        throw GlobError(message: "the braces make more than \(maxChoices) patterns", hint: "use * or several patterns")
      }
    }
    return done
  }

  private static func firstGroup(_ bytes: [UInt8]) -> (start: Int, end: Int, choices: [[UInt8]])? {
    var start = 0
    while start < bytes.count {
      if bytes[start] == UInt8(ascii: "\\") {
        start += 2
        continue
      }
      if bytes[start] == UInt8(ascii: "{"), let group = group(bytes, from: start) { return group }
      start += 1
    }
    return nil
  }

  private static func group(_ bytes: [UInt8], from start: Int) -> (start: Int, end: Int, choices: [[UInt8]])? {
    var (depth, index, begin) = (0, start, start + 1)
    var choices: [[UInt8]] = []
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}") where depth > 1: depth -= 1
      case UInt8(ascii: "}"):
        choices.append(Array(bytes[begin..<index]))
        return choices.count > 1 ? (start, index + 1, choices) : nil
      case UInt8(ascii: ",") where depth == 1:
        choices.append(Array(bytes[begin..<index]))
        begin = index + 1
      default: break
      }
      index += 1
    }
    return nil
  }

  static func parts(_ pattern: [UInt8]) throws(GlobError) -> [GlobPart] {
    guard pattern.first != UInt8(ascii: "/") else {
      throw GlobError(
        message: "the pattern begins with a slash", hint: "patterns are relative to the folder of npi.yml")
    }
    var parts: [GlobPart] = []
    for text in pattern.split(separator: UInt8(ascii: "/")) where Array(text) != [0x2E] {
      guard Array(text) != [0x2E, 0x2E] else {
        throw GlobError(message: "the pattern leaves the tree with ..", hint: "name such files one by one")
      }
      let part = part(text)
      if case .anyDepth = part, case .anyDepth = parts.last { continue }
      parts.append(part)
    }
    guard !parts.isEmpty else { throw GlobError(message: "the pattern is empty", hint: nil) }
    return parts
  }

  private static func part(_ text: ArraySlice<UInt8>) -> GlobPart {
    if Array(text) == Array("**".utf8) { return .anyDepth }
    var tokens: [GlobToken] = []
    var plain: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "*"): if tokens.last != .anything { tokens.append(.anything) }
      case UInt8(ascii: "?"): tokens.append(.anyCharacter)
      case UInt8(ascii: "["):
        if let (set, end) = set(rest) {
          tokens.append(set)
          rest = rest[end...]
          continue
        }
        tokens.append(.character(UInt32(byte)))
        plain.append(byte)
      default:
        if byte == UInt8(ascii: "\\"), rest.count > 1 { rest = rest.dropFirst() }
        let (character, length) = next(rest)
        tokens.append(.character(character))
        plain += rest.prefix(length)
        rest = rest.dropFirst(length)
        continue
      }
      rest = rest.dropFirst()
    }
    let isPlain = tokens.allSatisfy { if case .character = $0 { true } else { false } }
    return isPlain ? .literal(plain) : .wildcard(tokens)
  }

  /// `[a-z]`, `[!a-z]`, `[^a-z]`; a `]` right at the start is an element. Nil if it does not end.
  private static func set(_ text: ArraySlice<UInt8>) -> (GlobToken, end: Int)? {
    var rest = text.dropFirst()
    let negated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if negated { rest = rest.dropFirst() }
    var ranges: [ClosedRange<UInt32>] = []
    while let byte = rest.first {
      if byte == UInt8(ascii: "]") && !ranges.isEmpty { return (.set(ranges, negated: negated), rest.startIndex + 1) }
      if byte == UInt8(ascii: "\\"), rest.count > 1 { rest = rest.dropFirst() }
      let (low, length) = next(rest)
      rest = rest.dropFirst(length)
      var high = low
      if rest.first == UInt8(ascii: "-"), let after = rest.dropFirst().first, after != UInt8(ascii: "]") {
        let (character, length) = next(rest.dropFirst())
        high = character
        rest = rest.dropFirst(1 + length)
      }
      ranges.append(min(low, high)...max(low, high))
    }
    return nil
  }

  static func characters(_ name: ArraySlice<UInt8>) -> [UInt32] {
    var characters: [UInt32] = []
    characters.reserveCapacity(name.count)
    var rest = name
    while !rest.isEmpty {
      let (character, length) = next(rest)
      characters.append(character)
      rest = rest.dropFirst(length)
    }
    return characters
  }

  /// The first character of non-empty bytes, and its length. A byte that is not UTF-8 is above all characters.
  private static func next(_ bytes: ArraySlice<UInt8>) -> (UInt32, Int) {
    guard let first = bytes.first else { return (0, 0) }
    if first < 0x80 { return (UInt32(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let text = String(validating: bytes.prefix(length), as: UTF8.self)
    guard let scalar = text?.unicodeScalars.first else { return (0x110000 + UInt32(first), 1) }
    return (scalar.value, length)
  }
}
