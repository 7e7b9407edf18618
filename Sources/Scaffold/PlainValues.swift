/// Values that stand in a script as plain text: `s.version = '1.2'`, `versionName "2.1"`, `VERSION_NAME=2.1`. Nothing is
/// evaluated: a value that a script computes is known to be computed, and is not taken.
struct PlainValues: Sendable {
  enum Value: Sendable, Equatable {
    case text(String)
    case computed
  }

  struct Found: Sendable {
    let value: Value
    /// Counted from 1.
    let line: Int
  }

  private let lines: [[UInt8]]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
  }

  /// Whether a line that is no comment holds all of these words, and none of the others.
  func hasLine(with words: [String], without others: [String] = []) -> Bool {
    let words = words.map { Array($0.utf8) }
    let others = others.map { Array($0.utf8) }
    return lines.contains { line in
      !PlainValues.isComment(line) && words.allSatisfy { PlainValues.contains(line, $0) }
        && !others.contains { PlainValues.contains(line, $0) }
    }
  }

  /// The first value of a key. The key stands at the beginning of its line, behind a name and a dot at most: `spec.version`.
  /// The value follows `=`, `:`, a space or a parenthesis. `isQuoted`: a value without quotes is computed, as in Ruby or Groovy.
  func first(_ keys: [String], isQuoted: Bool = true) -> Found? {
    for (index, line) in lines.enumerated() where !PlainValues.isComment(line) {
      for key in keys {
        guard let rest = PlainValues.rest(of: line, behind: Array(key.utf8)) else { continue }
        return Found(value: PlainValues.value(rest, isQuoted: isQuoted), line: index + 1)
      }
    }
    return nil
  }

  private static func isComment(_ line: [UInt8]) -> Bool {
    let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    return rest.starts(with: "//".utf8) || rest.starts(with: "#".utf8) || rest.starts(with: "*".utf8)
      || rest.starts(with: "/*".utf8)
  }

  /// The cost is linear for the words that are looked for: each is short and begins with a letter or a sign of its own.
  private static func contains(_ line: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first, line.count >= word.count else { return word.isEmpty }
    return line.indices.dropLast(word.count - 1).contains { line[$0] == first && line[$0...].starts(with: word) }
  }

  private static func rest(of line: [UInt8], behind key: [UInt8]) -> ArraySlice<UInt8>? {
    func isWord(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
    var rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    let receiver = rest.prefix(while: isWord)
    if rest.dropFirst(receiver.count).first == UInt8(ascii: "."), !receiver.isEmpty {
      rest = rest.dropFirst(receiver.count + 1)
    }
    guard rest.starts(with: key) else { return nil }
    rest = rest.dropFirst(key.count)
    guard let next = rest.first, !isWord(next), next != UInt8(ascii: ".") else { return nil }
    return rest
  }

  private static func value(_ text: ArraySlice<UInt8>, isQuoted: Bool) -> Value {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var rest = text.drop(while: isSpace)
    if let sign = rest.first, "=:(".utf8.contains(sign) { rest = rest.dropFirst().drop(while: isSpace) }
    guard isQuoted else {
      let word = rest.prefix { $0 != UInt8(ascii: "#") }
      let end = word.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? word.startIndex
      return plain(word[..<end])
    }
    guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return .computed }
    rest = rest.dropFirst()
    guard let end = rest.firstIndex(of: quote) else { return .computed }
    // `"1." + minor`, `'1.0'.freeze`, `"1.0" if x`: what follows may change it.
    let after = rest[(end + 1)...].drop(while: isSpace)
    guard
      after.isEmpty || after.starts(with: "#".utf8) || after.starts(with: "//".utf8) || after.first == UInt8(ascii: ")")
        || after.first == UInt8(ascii: ",") || after.first == UInt8(ascii: ";")
    else { return .computed }
    return plain(rest[..<end])
  }

  /// A text in which nothing is put in place: neither `$x` nor `#{x}` nor `%x%`, and no escape.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> Value {
    guard !bytes.isEmpty, !bytes.contains(where: "$#\\%`<>{}".utf8.contains),
      let text = String(validating: bytes, as: UTF8.self)
    else { return .computed }
    return .text(text)
  }
}
