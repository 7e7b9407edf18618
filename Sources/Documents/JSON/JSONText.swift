package import Findings

/// JSON text (RFC 8259) → `Node`. libyaml lacks pairs of `\u` and some control characters, and accepts more than JSON.
package struct JSONText {
  private let name: String
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var lineStart = 0
  private var lineText = ""
  private var budget = YAMLText.maxNodes

  package static func parse(_ bytes: [UInt8], name: String) throws(Mistakes) -> Node {
    _ = try YAMLText.text(bytes[...], name)
    var json = JSONText(name: name, bytes: bytes)
    let node = try json.value(depth: 0)
    json.skipSpace()
    guard json.next == nil else { throw json.mistake("there is more behind its end") }
    return node
  }

  private init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    readLine()
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
      if byte == 0x0A {
        (line, lineStart) = (line + 1, position)
        readLine()
      }
    }
  }

  private func mistake(_ problem: String, at place: Place? = nil) -> Mistakes {
    Mistakes("not JSON: \(problem)", at: place ?? self.place)
  }

  private mutating func take(_ sign: Unicode.Scalar, _ problem: String) throws(Mistakes) {
    skipSpace()
    guard next == UInt8(ascii: sign) else { throw mistake(problem) }
    position += 1
  }

  private mutating func value(depth: Int) throws(Mistakes) -> Node {
    skipSpace()
    let place = place
    budget -= 1
    guard depth < YAMLText.deepest, budget > 0 else { throw Mistakes("nested too deeply, or too long", at: place) }
    switch next {
    case UInt8(ascii: "{")?: return try object(place, depth: depth)
    case UInt8(ascii: "[")?: return try array(place, depth: depth)
    case UInt8(ascii: "\"")?: return Node(.text(try string()), at: place, isQuoted: true)
    default: return try word(place)
    }
  }

  private mutating func object(_ place: Place, depth: Int) throws(Mistakes) -> Node {
    position += 1
    var members: [Node.Member] = []
    /// The places of the keys so far, by the bytes of the keys.
    var seen: [[UInt8]: Place] = [:]
    skipSpace()
    while next != UInt8(ascii: "}") {
      if !members.isEmpty { try take(",", "a ',' or '}' is missing") }
      skipSpace()
      let keyPlace = self.place
      guard next == UInt8(ascii: "\"") else { throw mistake("a key in double quotes is missing") }
      let key = try string()
      if let first = seen.updateValue(keyPlace, forKey: Array(key.utf8)) {
        throw Mistakes("the key '\(key)' is there twice", at: keyPlace, notes: ["the first is at \(first)"])
      }
      try take(":", "a ':' is missing")
      members.append(Node.Member(key: key, keyPlace: keyPlace, node: try value(depth: depth + 1)))
      skipSpace()
    }
    position += 1
    return Node(.map(members), at: place)
  }

  private mutating func array(_ place: Place, depth: Int) throws(Mistakes) -> Node {
    position += 1
    var list: [Node] = []
    skipSpace()
    while next != UInt8(ascii: "]") {
      if !list.isEmpty { try take(",", "a ',' or ']' is missing") }
      list.append(try value(depth: depth + 1))
      skipSpace()
    }
    position += 1
    return Node(.list(list), at: place)
  }

  /// A number, `true`, `false` or `null`.
  private mutating func word(_ place: Place) throws(Mistakes) -> Node {
    let end = bytes[position...].firstIndex { ",]} \t\r\n".utf8.contains($0) } ?? bytes.count
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    guard ["true", "false", "null"].contains(text) || JSONNumber(text) != nil else {
      throw mistake(text.isEmpty ? "a value is missing" : "'\(text)' is no value")
    }
    position = end
    return Node(text == "null" ? .null : .text(text), at: place)
  }

  private mutating func string() throws(Mistakes) -> String {
    let place = place
    position += 1
    var text: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw mistake("a text ends with its line", at: place) }
      position += 1
      if byte == UInt8(ascii: "\\") { text += try escape() } else { text.append(byte) }
    }
    guard next != nil else { throw mistake("a text has no end", at: place) }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape() throws(Mistakes) -> [UInt8] {
    let plain: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    guard let byte = next else { throw mistake("a text has no end") }
    if let meant = plain[byte] {
      position += 1
      return [meant]
    }
    var units: [UInt16] = []
    repeat {
      guard next == UInt8(ascii: "u"), position + 5 <= bytes.count,
        bytes[position + 1..<position + 5].allSatisfy({ $0.hexValue != nil }),
        let unit = UInt16(String(decoding: bytes[position + 1..<position + 5], as: UTF8.self), radix: 16)
      else { throw mistake("an escape that is none") }
      units.append(unit)
      position += 5
      // The first half of a surrogate pair: the other half must follow.
      guard units.count == 1, UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: "\\u".utf8) else { break }
      position += 1
    } while true
    guard let text = String(validating: units, as: UTF16.self) else { throw mistake("half a character") }
    return Array(text.utf8)
  }

  private var place: Place {
    // In a long line the column is counted in bytes, which saves a walk through the line.
    let before = position - lineStart
    let isFar = before > YAMLText.maxLineLength
    let column = isFar ? before : String(decoding: bytes[lineStart..<position], as: UTF8.self).count
    return Place(name, position: TextPosition(line: line, column: column + 1, text: lineText))
  }

  /// Reads the line at `lineStart`, up to the length at which a line is too long to be shown.
  private mutating func readLine() {
    let rest = bytes[lineStart...].prefix(YAMLText.maxLineLength)
    lineText = String(decoding: rest.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }
}
