import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The one place that knows Foundation's XML parser.
///
/// What makes XML dangerous is refused before the parser sees it: a DOCTYPE can only stand before the root element, and
/// without one there are no entities but the five of the language, so nothing can expand and nothing outside is fetched.
package enum XMLEvents {
  package struct Limits: Sendable {
    /// In bytes.
    package var size = 16 << 20
    package var depth = 200
    package var elements = 500_000

    package init() {}
  }

  /// The root element. The same bytes give the same answer on every system.
  package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLProblem) -> XMLTag {
    var cursor = TagCursor(bytes)
    guard bytes.count <= limits.size else {
      throw XMLProblem(position: cursor.position, reason: .tooLarge(size: bytes.count, limit: limits.size))
    }
    try cursor.checkCharacters(isUTF8: try cursor.checkEncoding())
    try cursor.checkProlog()
    let builder = TreeBuilder(cursor, limits)
    let parser = XMLParser(data: Data(bytes))
    // Prefixes are resolved here, because the systems differ in what they report of them.
    parser.shouldProcessNamespaces = false
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    let isWhole = parser.parse()
    if let problem = builder.problem { throw problem }
    guard isWhole, let root = builder.root else {
      let position = builder.brokenAt ?? .init(line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
      throw XMLProblem(position: position, reason: .broken)
    }
    // The parser on Linux says nothing of what stands behind the root element.
    if let position = builder.cursor.strayEnd() { throw XMLProblem(position: position, reason: .broken) }
    return root
  }
}

/// Builds the tree from the parser's calls, and stops it at the first problem.
private final class TreeBuilder: NSObject, XMLParserDelegate {
  var cursor: TagCursor
  private let limits: XMLEvents.Limits
  /// The elements that are open, outermost first.
  private var open: [XMLTag] = []
  private var count = 0
  private(set) var root: XMLTag?
  private(set) var problem: XMLProblem?
  private(set) var brokenAt: XMLTag.Position?

  init(_ cursor: TagCursor, _ limits: XMLEvents.Limits) {
    self.cursor = cursor
    self.limits = limits
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard problem == nil else { return }
    let position = cursor.nextTag()
    count += 1
    guard open.count < limits.depth else { return stop(parser, position, .tooDeep(limit: limits.depth)) }
    guard count <= limits.elements else {
      return stop(parser, position, .tooManyElements(limit: limits.elements))
    }
    do throws(XMLProblem) {
      open.append(try tag(name, attributes, position))
    } catch {
      problem = error
      parser.abortParsing()
    }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard problem == nil, let tag = open.popLast() else { return }
    if open.isEmpty { root = tag } else { open[open.count - 1].children.append(tag) }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if problem == nil, !open.isEmpty { open[open.count - 1].text += text }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if problem == nil, !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    if brokenAt == nil { brokenAt = .init(line: max(1, parser.lineNumber), column: max(1, parser.columnNumber)) }
  }

  private func stop(_ parser: XMLParser, _ position: XMLTag.Position, _ reason: XMLProblem.Reason) {
    problem = XMLProblem(position: position, reason: reason)
    parser.abortParsing()
  }

  private func tag(
    _ name: String, _ attributes: [String: String], _ position: XMLTag.Position
  ) throws(XMLProblem) -> XMLTag {
    // `xml` is bound for ever.
    var prefixes = open.last?.prefixes ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
    for (key, value) in attributes {
      if key == "xmlns" { prefixes[""] = value }
      if key.hasPrefix("xmlns:") { prefixes[String(key.dropFirst(6))] = value }
    }
    func resolve(_ name: String, default: String) throws(XMLProblem) -> (name: String, namespace: String) {
      guard let colon = name.firstIndex(of: ":") else { return (name, `default`) }
      let prefix = String(name[..<colon])
      guard let namespace = prefixes[prefix] else {
        throw XMLProblem(position: position, reason: .unknownPrefix(prefix))
      }
      return (String(name[name.index(after: colon)...]), namespace)
    }
    var list: [XMLTag.Attribute] = []
    let own = attributes.filter { $0.key != "xmlns" && !$0.key.hasPrefix("xmlns:") }
    for (key, value) in own.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      // An attribute without a prefix has no namespace, whatever the default is.
      let (name, namespace) = try resolve(key, default: "")
      list.append(.init(name: name, namespace: namespace, value: value))
    }
    let (local, namespace) = try resolve(name, default: prefixes[""] ?? "")
    return XMLTag(
      name: local, namespace: namespace, attributes: list, prefixes: prefixes, position: position,
      offset: cursor.tagOffset)
  }
}

/// Finds where the tags of a document begin. Parsers only say where they end, and each counts columns its own way; but
/// the n-th element that a parser reports is the n-th `<` with a name behind it outside of comments, CDATA and
/// instructions, because `<` stands nowhere else in well-formed XML.
private struct TagCursor {
  private let bytes: [UInt8]
  private var at = 0
  private(set) var position = XMLTag.Position(line: 1, column: 1)
  /// Of the last tag that was found.
  private(set) var tagOffset = 0

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

  /// Refuses a DOCTYPE. Leaves the cursor before the root element.
  mutating func checkProlog() throws(XMLProblem) {
    while at < bytes.count {
      if has("<?") {
        skip(past: "?>")
      } else if has("<!--") {
        step(4)
        skip(past: "-->")
      } else if has("<!") {
        throw XMLProblem(position: position, reason: has("<!DOCTYPE") ? .documentType : .broken)
      } else if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) {
        step(1)
      } else {
        return
      }
    }
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
        if stray == nil, ![0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { stray = position }
        if has("<![CDATA[") { skip(past: "]]>") } else { step(1) }
      }
    }
    return stray
  }
}
