import Findings

/// Values that are plain text in a script: `s.version = '1.2'`, `versionName "2.1"`, `VERSION_NAME=2.1`. Nothing is
/// evaluated: a value that a script computes is only recognized as computed.
package struct PlainValues: Sendable {
  package enum Value: Sendable, Equatable {
    case text(String)
    case computed
  }

  package struct Found: Sendable {
    package let value: Value
    /// Counted from 1.
    package let line: Int
  }

  /// Lines without comments.
  private let lines: [[UInt8]]
  /// The number of open braces at the beginning of each line.
  private let depths: [Int]

  package init(_ bytes: [UInt8]) {
    var isComment = false
    var depth = 0
    var (lines, depths): ([[UInt8]], [Int]) = ([], [])
    for line in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let rest = PlainValues.withoutComments(line, &isComment)
      lines.append(rest)
      depths.append(depth)
      depth += PlainValues.braces(rest)
    }
    (self.lines, self.depths) = (lines, depths)
  }

  /// Whether a line contains all of these words, and none of the others.
  package func hasLine(with words: [String], without others: [String] = []) -> Bool {
    let words = words.map { Array($0.utf8) }
    let others = others.map { Array($0.utf8) }
    return lines.contains { line in
      words.allSatisfy { PlainValues.contains(line, $0) } && !others.contains { PlainValues.contains(line, $0) }
    }
  }

  /// The last components of all quoted paths.
  package var quotedNames: Set<String> {
    var names: Set<String> = []
    for line in lines {
      let parts = line.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      for part in parts.dropFirst() {
        names.insert(String(String(decoding: part, as: UTF8.self).lastPathPart))
      }
    }
    return names
  }

  package enum Receiver {
    /// The key has no receiver.
    case none
    /// A name and a dot come before the key: `spec.version`.
    case any
    case named(String)
  }

  /// The first value of a key at the beginning of a line; with `atTop`, only outside of all braces. The value follows
  /// `=`, `:`, a space or a parenthesis. `isQuoted`: a value without quotes is computed, as in Ruby or Groovy.
  package func first(_ keys: [String], of receiver: Receiver = .none, isQuoted: Bool = true, atTop: Bool = false)
    -> Found?
  {
    for (index, line) in lines.enumerated() where !atTop || depths[index] == 0 {
      for key in keys {
        guard let rest = PlainValues.rest(of: line, behind: Array(key.utf8), receiver) else { continue }
        return Found(value: PlainValues.value(rest, isQuoted: isQuoted), line: index + 1)
      }
    }
    return nil
  }

  /// Removes `//` and `#` with the rest of the line if the line begins with them or a space precedes them, `/* */`, and
  /// Ruby's `=begin` and `=end`.
  private static func withoutComments(_ line: ArraySlice<UInt8>, _ isComment: inout Bool) -> [UInt8] {
    if line.starts(with: "=begin".utf8) { isComment = true }
    if line.starts(with: "=end".utf8) {
      isComment = false
      return []
    }
    var kept: [UInt8] = []
    var index = line.startIndex
    var quote: UInt8?
    while index < line.endIndex {
      let byte = line[index]
      let next = index + 1 < line.endIndex ? line[index + 1] : 0
      let isAtWord = kept.last.map { $0 == 0x20 || $0 == 0x09 } ?? true
      index += 1
      if isComment {
        if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
          isComment = false
          index += 1
        }
      } else if quote != nil {
        if byte == quote { quote = nil }
        kept.append(byte)
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        isComment = true
        index += 1
      } else if isAtWord, byte == UInt8(ascii: "#") || byte == UInt8(ascii: "/") && next == byte {
        return kept
      } else {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
        kept.append(byte)
      }
    }
    return kept
  }

  /// The braces that a line opens minus those that it closes, without quoted ones.
  private static func braces(_ line: [UInt8]) -> Int {
    var (count, quote): (Int, UInt8?) = (0, nil)
    for byte in line {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "{") {
        count += 1
      } else if byte == UInt8(ascii: "}") {
        count -= 1
      }
    }
    return count
  }

  /// The words are short and our own, so the cost is linear in the line.
  private static func contains(_ line: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first, line.count >= word.count else { return word.isEmpty }
    return line.indices.dropLast(word.count - 1).contains { line[$0] == first && line[$0...].starts(with: word) }
  }

  private static func rest(of line: [UInt8], behind key: [UInt8], _ receiver: Receiver) -> ArraySlice<UInt8>? {
    func isWord(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
    var rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    let found = rest.prefix(while: isWord)
    let isReceiver = rest.dropFirst(found.count).first == UInt8(ascii: ".") && !found.isEmpty
    switch receiver {
    case .none: guard !isReceiver else { return nil }
    case .any: guard isReceiver else { return nil }
    case .named(let name): guard isReceiver, found.elementsEqual(name.utf8) else { return nil }
    }
    if isReceiver { rest = rest.dropFirst(found.count + 1) }
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
    // The rest of the line may change the value: `"1." + minor`, `'1.0'.freeze`, `"1.0" if x`.
    let after = rest[(end + 1)...].drop(while: isSpace)
    guard
      after.isEmpty || after.starts(with: "#".utf8) || after.starts(with: "//".utf8) || after.first == UInt8(ascii: ")")
        || after.first == UInt8(ascii: ",") || after.first == UInt8(ascii: ";")
    else { return .computed }
    return plain(rest[..<end])
  }

  /// A text without interpolation, such as `$x`, `#{x}` or `%x%`, and without escapes; any other value is computed.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> Value {
    guard !bytes.isEmpty, !bytes.contains(where: "$#\\%`<>{}".utf8.contains),
      let text = String(validating: bytes, as: UTF8.self)
    else { return .computed }
    return .text(text)
  }
}
