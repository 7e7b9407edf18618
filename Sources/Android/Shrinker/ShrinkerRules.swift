import Findings

/// The rules of a library for the shrinker of apps that contain it (`proguard.txt` of an AAR): a sequence of options,
/// of which some have a specification of classes.
///
/// The grammar is that of ProGuard's manual ("Configuration"), which R8 reads too. Nothing is judged but braces and the
/// beginnings of options: shrinkers of other versions may know other options.
package struct ShrinkerRules: Sendable {
  package struct Option: Sendable {
    /// Without the dash: `keepclassmembers`.
    package let name: String
    /// Counted from 1.
    package let line: Int
    /// `allowobfuscation` in `-keep,allowobfuscation`.
    package fileprivate(set) var modifiers: [String] = []
    /// The words behind it, up to the members of a class.
    package fileprivate(set) var words: [String] = []
    /// The words between the braces; nil if there are none.
    package fileprivate(set) var members: [String]?
    /// Whether an `-if` before it limits it.
    package fileprivate(set) var isConditional = false
  }

  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String { "\(reason) (line \(line))" }
  }

  package private(set) var options: [Option] = []

  /// In bytes. The largest libraries have a hundred thousand, in a few thousand options.
  private static let maxSize = 4 << 20
  private static let maxOptions = 100_000

  package init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= ShrinkerRules.maxSize else {
      throw Problem(line: 1, reason: "the rules have \(bytes.count) bytes: at most \(ShrinkerRules.maxSize) are read")
    }
    var words = RuleWords(bytes)
    var isConditional = false
    while let word = words.next() {
      guard word.isOption else {
        throw Problem(
          line: word.line, reason: "'\(printable(word.text))' stands where an option such as -keep is to begin")
      }
      guard options.count < ShrinkerRules.maxOptions else {
        throw Problem(line: word.line, reason: "there are more than \(ShrinkerRules.maxOptions) options")
      }
      var option = Option(name: String(word.text.dropFirst()), line: word.line)
      option.isConditional = isConditional
      try ShrinkerRules.read(&option, &words)
      isConditional = option.name == "if"
      options.append(option)
    }
  }

  private static func read(_ option: inout Option, _ words: inout RuleWords) throws(Problem) {
    while words.isNext(",") {
      _ = words.next()
      if let word = words.next() { option.modifiers.append(word.text) }
    }
    while let word = words.peek(), !word.isOption {
      _ = words.next()
      switch word.text {
      case "{" where !word.isQuoted:
        option.members = try members(&words, from: word.line)
        return
      case "}" where !word.isQuoted:
        throw Problem(line: word.line, reason: "the brace closes nothing: remove it, or add the one that opens")
      default: option.words.append(word.text)
      }
    }
  }

  private static func members(_ words: inout RuleWords, from line: Int) throws(Problem) -> [String] {
    var members: [String] = []
    while let word = words.next() {
      if word.text == "}", !word.isQuoted { return members }
      if word.text == "{", !word.isQuoted { break }
      members.append(word.text)
    }
    throw Problem(line: line, reason: "the brace is never closed: add '}' behind the members of the class")
  }
}

/// The words of rules: between white space, and each sign of the grammar by itself.
private struct RuleWords {
  struct Word {
    let text: String
    let line: Int
    let isQuoted: Bool

    var isOption: Bool { !isQuoted && text.utf8.first == UInt8(ascii: "-") && text.utf8.count > 1 }
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var ahead: Word?

  init(_ bytes: [UInt8]) {
    // A byte order mark is no word.
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  mutating func peek() -> Word? {
    if ahead == nil { ahead = read() }
    return ahead
  }

  mutating func isNext(_ text: String) -> Bool { peek()?.text == text }

  mutating func next() -> Word? {
    defer { ahead = nil }
    return peek()
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
  private static func isSign(_ byte: UInt8) -> Bool { "{}();,".utf8.contains(byte) }

  private mutating func read() -> Word? {
    skip()
    guard position < bytes.count else { return nil }
    let (start, first) = (position, bytes[position])
    position += 1
    if RuleWords.isSign(first) { return word(start..<position) }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      while position < bytes.count, bytes[position] != first, bytes[position] != 0x0A { position += 1 }
      defer { if position < bytes.count, bytes[position] == first { position += 1 } }
      return word((start + 1)..<position, isQuoted: true)
    }
    while position < bytes.count, !RuleWords.isSpace(bytes[position]), !RuleWords.isSign(bytes[position]),
      bytes[position] != UInt8(ascii: "#")
    {
      position += 1
    }
    return word(start..<position)
  }

  private func word(_ range: Range<Int>, isQuoted: Bool = false) -> Word {
    Word(text: String(decoding: bytes[range], as: UTF8.self), line: line, isQuoted: isQuoted)
  }

  /// Passes over white space and comments.
  private mutating func skip() {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "#") {
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      } else if RuleWords.isSpace(bytes[position]) {
        if bytes[position] == 0x0A { line += 1 }
        position += 1
      } else {
        return
      }
    }
  }
}
