/// The start tags of a page, by the rules of the HTML standard (13.2.5, tokenization): a browser reads comments, raw
/// text, and quoted and unquoted values in the same way. Content of SVG and MathML is read as HTML.
struct HTMLTokens {
  struct Attribute {
    let name: Range<Int>
    /// Empty if the attribute has none.
    let value: Range<Int>
  }

  struct Tag {
    let name: Range<Int>
    /// In the order of the page. The first of two attributes with one name counts.
    var attributes: [Attribute] = []
    /// The raw text of an element that contains no tags, such as `script`.
    var content: Range<Int>?
  }

  let bytes: [UInt8]
  private var at: Int
  private let end: Int

  /// Further attributes of a tag are ignored.
  private static let maxAttributes = 1000

  init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    self.bytes = bytes
    at = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  /// Nil at the end, and for a tag that the end cuts off.
  mutating func next() -> Tag? {
    while at < end {
      guard bytes[at] == UInt8(ascii: "<") else {
        at += 1
        continue
      }
      at += 1
      guard at < end else { return nil }
      switch bytes[at] {
      case UInt8(ascii: "!"): skipComment()
      case UInt8(ascii: "?"): skip(past: UInt8(ascii: ">"))
      case UInt8(ascii: "/"):
        if at + 1 < end, bytes[at + 1].isASCIILetter {
          at += 1
          guard tag() != nil else { return nil }
        } else {
          skip(past: UInt8(ascii: ">"))
        }
      case let byte where byte.isASCIILetter:
        guard var tag = tag() else { return nil }
        tag.content = content(of: tag.name)
        return tag
      default: break
      }
    }
    return nil
  }

  private mutating func skip(past byte: UInt8) {
    while at < end, bytes[at] != byte { at += 1 }
    at = min(at + 1, end)
  }

  /// Skips a comment from its exclamation mark on.
  private mutating func skipComment() {
    guard bytes.has("!--", at: at, before: end) else { return skip(past: UInt8(ascii: ">")) }
    at += 3
    if bytes.has(">", at: at, before: end) || bytes.has("->", at: at, before: end) {
      return skip(past: UInt8(ascii: ">"))
    }
    while at < end {
      if bytes[at] == UInt8(ascii: "-"),
        bytes.has("-->", at: at, before: end) || bytes.has("--!>", at: at, before: end)
      {
        return skip(past: UInt8(ascii: ">"))
      }
      at += 1
    }
  }

  /// A section of a template counts as a space between names: `<img <%= more %>src="a.png">`.
  private func isBetween(_ byte: UInt8) -> Bool { byte.isWebSpace || byte == WebReferenceList.unknown }

  /// Reads a tag from the first letter of its name on.
  private mutating func tag() -> Tag? {
    let start = at
    while at < end, !isBetween(bytes[at]), bytes[at] != UInt8(ascii: "/"), bytes[at] != UInt8(ascii: ">") { at += 1 }
    var tag = Tag(name: start..<at)
    while true {
      while at < end, isBetween(bytes[at]) || bytes[at] == UInt8(ascii: "/") { at += 1 }
      guard at < end else { return nil }
      if bytes[at] == UInt8(ascii: ">") {
        at += 1
        return tag
      }
      guard let attribute = attribute() else { return nil }
      if tag.attributes.count < HTMLTokens.maxAttributes { tag.attributes.append(attribute) }
    }
  }

  private mutating func attribute() -> Attribute? {
    let start = at
    // An equals sign at the beginning is part of the name.
    at += 1
    while at < end, !isBetween(bytes[at]), !"/>=".utf8.contains(bytes[at]) { at += 1 }
    let name = start..<at
    while at < end, isBetween(bytes[at]) { at += 1 }
    guard at < end, bytes[at] == UInt8(ascii: "=") else { return Attribute(name: name, value: at..<at) }
    at += 1
    while at < end, bytes[at].isWebSpace { at += 1 }
    guard at < end else { return nil }
    let quote = bytes[at]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let first = at + 1
      at = first
      while at < end, bytes[at] != quote { at += 1 }
      guard at < end else { return nil }
      at += 1
      return Attribute(name: name, value: first..<(at - 1))
    }
    let first = at
    while at < end, !bytes[at].isWebSpace, bytes[at] != UInt8(ascii: ">") { at += 1 }
    return Attribute(name: name, value: first..<at)
  }

  private static let rawText = [
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript",
  ]

  /// The content of an element whose tag has just been read; nil if tags are read in it.
  private mutating func content(of name: Range<Int>) -> Range<Int>? {
    let name = bytes[name].knownName
    let start = at
    if name == "plaintext" {
      at = end
    } else if name == "script" {
      skipScript()
    } else if HTMLTokens.rawText.contains(name) {
      let ending = Array(name.utf8)
      while at < end, !isEndTag(ending) { at += 1 }
    } else {
      return nil
    }
    return start..<at
  }

  private func isEndTag(_ name: [UInt8]) -> Bool {
    bytes[at] == UInt8(ascii: "<") && at + 1 < end && bytes[at + 1] == UInt8(ascii: "/") && isName(name, at: at + 2)
  }

  private func isName(_ name: [UInt8], at index: Int) -> Bool {
    guard index + name.count < end else { return false }
    for (offset, byte) in name.enumerated() where bytes[index + offset] | 0x20 != byte { return false }
    let after = bytes[index + name.count]
    return after.isWebSpace || after == UInt8(ascii: "/") || after == UInt8(ascii: ">")
  }

  /// Skips a script. The end tag of a `<script>` in a comment in the script ends neither the comment nor the script.
  private mutating func skipScript() {
    let name = Array("script".utf8)
    var (isEscaped, isDoubly) = (false, false)
    while at < end {
      if isEscaped, bytes[at] == UInt8(ascii: "-"), bytes.has("-->", at: at, before: end) {
        (isEscaped, isDoubly) = (false, false)
      } else if bytes[at] == UInt8(ascii: "<") {
        if isEndTag(name) {
          guard isDoubly else { return }
          isDoubly = false
        } else if !isEscaped, bytes.has("<!--", at: at, before: end) {
          isEscaped = true
          // In `<!-->` the same dashes also end the comment.
          at += 1
        } else if isEscaped, isName(name, at: at + 1) {
          isDoubly = true
        }
      }
      at += 1
    }
  }

  /// The value of an attribute, its character references decoded.
  ///
  /// Only common ones of the two thousand names are known. Any other one becomes an unknown part.
  func value(_ range: Range<Int>) -> [UInt8] {
    var value: [UInt8] = []
    value.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "&"), let (decoded, after) = reference(index + 1, range.upperBound) else {
        value.append(bytes[index])
        index += 1
        continue
      }
      value += decoded
      index = after
    }
    return value
  }

  /// Reads a character reference from the byte after its ampersand; nil if the ampersand begins none.
  private func reference(_ start: Int, _ end: Int) -> (bytes: [UInt8], after: Int)? {
    var index = start
    if index < end, bytes[index] == UInt8(ascii: "#") {
      index += 1
      let isHex = index < end && bytes[index] | 0x20 == UInt8(ascii: "x")
      if isHex { index += 1 }
      var (number, count) = (UInt32(0), 0)
      while index < end, let digit = bytes[index].hexValue, isHex || digit < 10 {
        number = min(number * (isHex ? 16 : 10) + digit, 0x11_0000)
        (index, count) = (index + 1, count + 1)
      }
      guard count > 0 else { return nil }
      if index < end, bytes[index] == UInt8(ascii: ";") { index += 1 }
      var decoded: [UInt8] = []
      decoded.append(codePoint: number)
      return (decoded, index)
    }
    while index < end, index - start < 40, bytes[index].isASCIILetter || bytes[index].isDigit { index += 1 }
    guard index > start else { return nil }
    let isClosed = index < end && bytes[index] == UInt8(ascii: ";")
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"][name]
    guard let known else { return isClosed ? ([WebReferenceList.unknown], index + 1) : nil }
    if isClosed { return (Array(known.utf8), index + 1) }
    // `?a=1&lt=2` is no reference, and neither is `&apos` by itself.
    guard name != "apos", index == end || bytes[index] != UInt8(ascii: "=") else { return nil }
    return (Array(known.utf8), index)
  }
}
