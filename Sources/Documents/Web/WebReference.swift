/// An address in a page, a style sheet or a script: `images/logo.png`, `app://shows/view?id=7`.
package struct WebReference: Sendable, Hashable {
  package enum Use: Sendable, Hashable {
    /// Shown or run with the page: an image, a script, a style sheet.
    case asset
    /// The target of a tap.
    case link
    /// A module of a script: relative to the script itself, and not to the page.
    case module
    /// A request of a script, relative to the page that runs it.
    case request
    /// A template that another one includes while it is rendered.
    case template
    /// Any other text that begins with a scheme.
    case mention
  }

  package let use: Use
  /// Decoded, as UTF-8, up to the first unknown part.
  package let text: [UInt8]
  /// Whether a part follows that only the data of a template or a script decide.
  package let isCut: Bool
  /// In bytes of the file.
  let offset: Int
  /// Counted from 1.
  package fileprivate(set) var line = 1
  /// Counted from 1, in characters.
  package fileprivate(set) var column = 1
}

/// The references of one file, as its parser finds them.
struct WebReferenceList {
  private(set) var all: [WebReference] = []
  /// The offset of an attribute's value. All references in it get this offset, because they are read from decoded text.
  var place: Int?
  private(set) var isFull = false

  /// Real pages have far fewer references.
  static let most = 50_000

  /// Stands for the output of a template's section. The byte does not occur in real pages.
  static let unknown: UInt8 = 0x1A

  /// `isCut` says that something unknown follows.
  mutating func add(_ use: WebReference.Use, _ bytes: ArraySlice<UInt8>, isCut: Bool = false, at offset: Int) {
    let whole = bytes.trimmingWebSpace()
    let known = WebReferenceList.known(whole)
    let isCut = isCut || known.count < whole.count
    guard !known.isEmpty, !WebReferenceList.isForeign(known), all.count < WebReferenceList.most else {
      isFull = isFull || all.count >= WebReferenceList.most
      return
    }
    all.append(WebReference(use: use, text: Array(known), isCut: isCut, offset: place ?? offset))
  }

  /// The part before the first expression of a template, in any language that marks it with braces or brackets.
  private static func known(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var previous: UInt8 = 0
    for (index, byte) in zip(bytes.indices, bytes) {
      if byte == unknown { return bytes[..<index] }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "%") && previous == UInt8(ascii: "{"),
        [UInt8(ascii: "{"), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "@")].contains(previous)
      {
        // `{{`, `${`, `#{`, `@{`, `{%`
        return bytes[..<(index - 1)]
      }
      if byte == UInt8(ascii: "["), previous == byte { return bytes[..<(index - 1)] }
      // `<?php … ?>`
      if byte == UInt8(ascii: "?"), previous == UInt8(ascii: "<") { return bytes[..<(index - 1)] }
      // `%PUBLIC_URL%`: in an address two hexadecimal digits would follow the sign.
      if byte == UInt8(ascii: "%"), !bytes[(index + 1)...].prefix(2).allSatisfy({ $0.hexValue != nil }) {
        return bytes[..<index]
      }
      previous = byte
    }
    return bytes
  }

  /// Whether a reference leads out of the app, or to the same page.
  private static func isForeign(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.first == UInt8(ascii: "#") || bytes.starts(with: "//".utf8) { return true }
    let scheme = bytes.prefix(12).prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count < bytes.count, scheme.count < 12 else { return false }
    return foreign.contains { name in
      scheme.count == name.utf8.count && zip(scheme, name.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
  }

  private static let foreign = [
    "http", "https", "data", "javascript", "mailto", "tel", "sms", "about", "blob", "file", "ws", "wss",
  ]

  /// The references in the order of the file, with their lines and columns. `bytes` are the file's.
  func placed(in bytes: [UInt8]) -> [WebReference] {
    var sorted = all
    sorted.sort { $0.offset < $1.offset }
    var (line, column, at) = (1, 1, 0)
    for index in sorted.indices {
      while at < sorted[index].offset {
        if bytes[at] == UInt8(ascii: "\n") {
          (line, column) = (line + 1, 1)
        } else if bytes[at] & 0xC0 != 0x80 {
          column += 1
        }
        at += 1
      }
      (sorted[index].line, sorted[index].column) = (line, column)
    }
    return sorted
  }
}

extension ArraySlice<UInt8> {
  /// The name in ASCII lower case; empty if it is longer than every known one.
  var knownName: String {
    count > 40 ? "" : String(decoding: map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Removes control characters at both ends, too.
  func trimmingWebSpace() -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 && byte != WebReferenceList.unknown }
    var rest = self
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }
}

extension UInt8 {
  /// White space in HTML and CSS.
  var isWebSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B }
  var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  var isDigit: Bool { (0x30...0x39).contains(self) }

  var hexValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46, 0x61...0x66: UInt32(self | 0x20) - 0x61 + 10
    default: nil
    }
  }
}

extension [UInt8] {
  /// Whether a scheme (RFC 3986, 3.1) stands in front, as in `app://…`; in `note: this` none does.
  var hasScheme: Bool {
    guard let colon = prefix(40).firstIndex(of: UInt8(ascii: ":")), colon > 0, self[0].isASCIILetter else {
      return false
    }
    return self[..<colon].allSatisfy { $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) }
      && count > colon + 1 && self[colon + 1] > 0x20
  }

  /// Appends UTF-8. A code point of no character becomes U+FFFD, as in HTML and CSS.
  mutating func append(codePoint: UInt32) {
    let scalar = codePoint == 0 ? nil : Unicode.Scalar(codePoint)
    append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
  }

  func has(_ text: String, at index: Int, before end: Int) -> Bool {
    let text = text.utf8
    guard index + text.count <= end else { return false }
    var index = index
    for byte in text {
      if self[index] != byte { return false }
      index += 1
    }
    return true
  }
}
