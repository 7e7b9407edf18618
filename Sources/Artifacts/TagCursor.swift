/// Finds where the tags of a document begin. Parsers only say where they end, and each counts columns its own way; but
/// the n-th element that a parser reports is the n-th `<` with a name behind it outside of comments, CDATA and
/// instructions, because `<` stands nowhere else in well-formed XML.
struct TagCursor {
  private let bytes: [UInt8]
  private var at = 0
  private(set) var position = XMLTag.Position(line: 1, column: 1)
  /// Of the last tag that was found.
  private(set) var tagOffset = 0
  /// The bytes of the DOCTYPE; empty if there is none.
  private(set) var documentType = 0..<0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func has(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

  private mutating func step(_ count: Int) {
    var (line, column) = (position.line, position.column)
    for byte in bytes[at..<min(bytes.count, at + count)] {
      if byte == 0x0A { (line, column) = (line + 1, 1) } else if byte & 0xC0 != 0x80 { column += 1 }
    }
    at = min(bytes.count, at + count)
    position = .init(line: line, column: column)
  }

  /// To behind the next such text, or to the end.
  private mutating func skip(past end: String) {
    while at < bytes.count, !has(end) { step(1) }
    step(end.utf8.count)
  }

  /// Refuses encodings in which a DOCTYPE could hide. Whether it is UTF-8.
  mutating func checkEncoding() throws(XMLProblem) -> Bool {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0) {
      throw XMLProblem(position: position, reason: .encoding("UTF-16"))
    }
    if has("<?xml") {
      let declaration = String(decoding: bytes[at...].prefix { $0 != UInt8(ascii: ">") }.prefix(200), as: UTF8.self)
      if let name = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']*)/)?.1,
        !["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1"].contains(name.lowercased())
      {
        throw XMLProblem(position: position, reason: .encoding(String(name)))
      }
      return !declaration.lowercased().contains("iso-8859-1")
    }
    return true
  }

  /// Refuses control characters and, in UTF-8, what is none: the parser on Linux can end the process on them, or take a
  /// zero for the end.
  func checkCharacters(isUTF8: Bool) throws(XMLProblem) {
    var bad = bytes.firstIndex { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } ?? bytes.count
    if isUTF8 {
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.span)
      } catch {
        bad = min(bad, error.byteOffsets.lowerBound)
      }
    }
    guard bad < bytes.count else { return }
    var other = self
    other.step(bad - at)
    throw XMLProblem(position: other.position, reason: .broken)
  }

  /// Skips a DOCTYPE that adds nothing to the document, and refuses another. Leaves the cursor before the root element.
  mutating func checkProlog() throws(XMLProblem) {
    while at < bytes.count {
      if has("<?") {
        skip(past: "?>")
      } else if has("<!--") {
        step(4)
        skip(past: "-->")
      } else if has("<!DOCTYPE"), documentType.isEmpty {
        let start = (at: at, position: position)
        guard skipDocumentType() else { throw XMLProblem(position: start.position, reason: .documentType) }
        documentType = start.at..<at
      } else if has("<!") {
        throw XMLProblem(position: position, reason: .broken)
      } else if Self.isSpace(bytes[at]) {
        step(1)
      } else {
        return
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  /// To behind a DOCTYPE that only says which elements and attributes there may be. False at anything else: entities,
  /// default values of attributes (which have quotes), what is not well-formed. What it names elsewhere is not read,
  /// neither here nor by aapt2.
  private mutating func skipDocumentType() -> Bool {
    step("<!DOCTYPE".utf8.count)
    guard at < bytes.count, Self.isSpace(bytes[at]) else { return false }
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: ">"):
        step(1)
        return true
      case UInt8(ascii: "["):
        step(1)
        guard skipDeclarations() else { return false }
      case UInt8(ascii: "\""): skipQuoted("\"")
      case UInt8(ascii: "'"): skipQuoted("'")
      case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "%"): return false
      default: step(1)
      }
    }
    return false
  }

  private mutating func skipQuoted(_ quote: String) {
    step(1)
    skip(past: quote)
  }

  /// To behind the `]`.
  private mutating func skipDeclarations() -> Bool {
    while at < bytes.count {
      if has("<!--") {
        step(4)
        skip(past: "-->")
      } else if has("<!ELEMENT") || has("<!ATTLIST") {
        step(2)
        while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
          if "<\"'%&[]".utf8.contains(bytes[at]) { return false }
          step(1)
        }
        step(1)
      } else if Self.isSpace(bytes[at]) {
        step(1)
      } else if bytes[at] == UInt8(ascii: "]") {
        step(1)
        return true
      } else {
        return false
      }
    }
    return false
  }

  mutating func nextTag() -> XMLTag.Position {
    while at < bytes.count {
      if bytes[at] != UInt8(ascii: "<") {
        step(1)
      } else if has("<!--") {
        step(4)
        skip(past: "-->")
      } else if has("<![CDATA[") {
        skip(past: "]]>")
      } else if has("<?") {
        skip(past: "?>")
      } else if has("</") {
        step(2)
      } else {
        let start = position
        tagOffset = at
        step(1)
        return start
      }
    }
    return position
  }

  /// From behind the `<` of the last element to the end: where something stands behind the root element that is neither
  /// a comment nor an instruction. Nil if nothing does.
  mutating func strayEnd() -> XMLTag.Position? {
    var quote: UInt8?
    while at < bytes.count, quote != nil || bytes[at] != UInt8(ascii: ">") {
      if bytes[at] == quote {
        quote = nil
      } else if quote == nil, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") {
        quote = bytes[at]
      }
      step(1)
    }
    step(1)
    var stray: XMLTag.Position?
    while at < bytes.count {
      if has("<!--") {
        step(4)
        skip(past: "-->")
      } else if has("<?") {
        skip(past: "?>")
      } else if has("</") {
        skip(past: ">")
        stray = nil
      } else {
        if stray == nil, !Self.isSpace(bytes[at]) { stray = position }
        if has("<![CDATA[") { skip(past: "]]>") } else { step(1) }
      }
    }
    return stray
  }
}
