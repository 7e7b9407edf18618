import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The one place that knows Foundation's XML parser.
///
/// The parser never sees a DOCTYPE, which can only stand before the root element: without one there are no entities but
/// the five of the language, so nothing can expand and nothing outside is fetched. One that would add something to the
/// document is refused.
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
    var plain = bytes
    for index in cursor.documentType where plain[index] != 0x0A { plain[index] = 0x20 }
    let parser = XMLParser(data: Data(plain))
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
