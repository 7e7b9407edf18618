/// Reads XML. Everything that a document can make large has a limit, and the cost is linear in its bytes.
package enum XMLEvents {
  package struct Limits: Sendable {
    /// In bytes.
    package var size = 16 << 20
    /// The size of one tag with its attributes, or one comment, in bytes. The parser holds it whole.
    package var tag = 1 << 20
    package var depth = 256
    package var elements = 500_000
    /// The number of attributes of all elements together.
    package var attributes = 1_000_000
    package var attributesOfElement = 10_000
    /// Prefixes in force at one place, and changes of them in the document.
    package var prefixes = 256
    package var prefixChanges = 4096

    package init() {}
  }

  /// The root element, the same on every system. The encodings are UTF-8, UTF-16, ISO-8859-1 and ASCII.
  package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLProblem) -> XMLTag {
    try read(bytes, limits, isLenient: false)
  }

  /// Reads documents whose usual readers ignore namespaces and encodings: a prefix that is not declared stays part of
  /// the name, and if the document is not in the encoding that it declares, bytes that are not UTF-8 are replaced.
  package static func readLeniently(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLProblem) -> XMLTag {
    do throws(XMLProblem) {
      return try read(bytes, limits, isLenient: true)
    } catch {
      switch error.reason {
      case .encoding, .broken: break
      default: throw error
      }
      let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
      return try parse(text, as: "UTF-8", limits, isLenient: true)
    }
  }

  private static func read(_ bytes: [UInt8], _ limits: Limits, isLenient: Bool) throws(XMLProblem) -> XMLTag {
    let start = XMLTag.Position(line: 1, column: 1)
    guard bytes.count <= limits.size else {
      throw XMLProblem(position: start, reason: .tooLarge(size: bytes.count, limit: limits.size))
    }
    do throws(XMLProblem) {
      return try parse(bytes, as: nil, limits, isLenient: isLenient)
    } catch {
      // These names are common, but not registered.
      guard case .encoding(let name) = error.reason,
        let known = ["utf8": "UTF-8", "ascii": "US-ASCII", "latin1": "ISO-8859-1"][name.lowercased()]
      else { throw error }
      return try parse(bytes, as: known, limits, isLenient: isLenient)
    }
  }

  private static func parse(
    _ bytes: [UInt8], as encoding: String?, _ limits: Limits, isLenient: Bool
  ) throws(XMLProblem) -> XMLTag {
    let builder = XMLTreeBuilder(limits, keepsUnknownPrefixes: isLenient)
    try Expat.parse(bytes, as: encoding, into: builder)
    guard let root = builder.root else { throw XMLProblem(position: .init(line: 1, column: 1), reason: .broken) }
    return root
  }
}

final class XMLTreeBuilder {
  let limits: XMLEvents.Limits
  /// The elements that are open, outermost first.
  private var open: [XMLTag] = []
  private var elements = 0
  private var attributes = 0
  private var prefixChanges = 0
  private(set) var root: XMLTag?

  /// An undeclared prefix stays part of its name; otherwise it is a problem.
  private let keepsUnknownPrefixes: Bool

  init(_ limits: XMLEvents.Limits, keepsUnknownPrefixes: Bool) {
    self.limits = limits
    self.keepsUnknownPrefixes = keepsUnknownPrefixes
  }

  /// The names in the list have their prefixes.
  func start(
    _ name: String, _ list: consuming [XMLTag.Attribute], at position: XMLTag.Position, offset: Int
  ) throws(XMLProblem) {
    func check(_ isWithin: Bool, _ reason: XMLProblem.Reason) throws(XMLProblem) {
      if !isWithin { throw XMLProblem(position: position, reason: reason) }
    }
    elements += 1
    attributes += list.count
    try check(open.count < limits.depth, .tooDeep(limit: limits.depth))
    try check(elements <= limits.elements, .tooMany(.elements, limit: limits.elements))
    try check(attributes <= limits.attributes, .tooMany(.attributes, limit: limits.attributes))
    try check(
      list.count <= limits.attributesOfElement, .tooMany(.attributesOfElement, limit: limits.attributesOfElement))
    // `xml` needs no declaration (Namespaces in XML 1.0, section 3).
    var prefixes =
      open.isEmpty ? ["xml": "http://www.w3.org/XML/1998/namespace"] : open[open.count - 1].prefixes
    var declares = false
    for index in list.indices {
      guard let prefix = list[index].name.declaredPrefix else { continue }
      declares = true
      // A repeated declaration changes nothing, so the elements go on to share one dictionary.
      let value = list[index].value
      guard prefixes[prefix] != value else { continue }
      prefixChanges += 1
      try check(prefixChanges <= limits.prefixChanges, .tooMany(.prefixes, limit: limits.prefixChanges))
      prefixes[prefix] = value
      try check(prefixes.count <= limits.prefixes, .tooMany(.prefixes, limit: limits.prefixes))
    }
    func resolve(_ name: String, default: String) throws(XMLProblem) -> (name: String, namespace: String) {
      guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (name, `default`) }
      let prefix = String(name[..<colon])
      let local = name[name.index(after: colon)...]
      // Namespaces in XML 1.0, section 4: a prefix, a colon and a local part.
      try check(!prefix.isEmpty && !local.isEmpty && !local.utf8.contains(UInt8(ascii: ":")), .notQualified(name))
      guard let namespace = prefixes[prefix] else {
        if keepsUnknownPrefixes { return (name, "") }
        throw XMLProblem(position: position, reason: .unknownPrefix(prefix))
      }
      return (String(local), namespace)
    }
    if declares { list.removeAll { $0.name.declaredPrefix != nil } }
    if list.count > 1 { list.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
    for index in list.indices {
      // An attribute without a prefix has no namespace, whatever the default is.
      (list[index].name, list[index].namespace) = try resolve(list[index].name, default: "")
    }
    let (local, namespace) = try resolve(name, default: prefixes[""] ?? "")
    open.append(
      XMLTag(
        name: local, namespace: namespace, attributes: list, prefixes: prefixes, position: position,
        range: offset..<offset))
  }

  func end(at offset: Int) {
    if open.isEmpty { return }
    var tag = open.removeLast()
    tag.range = tag.range.lowerBound..<max(tag.range.lowerBound, offset)
    if open.isEmpty { root = tag } else { open[open.count - 1].children.append(tag) }
  }

  func text(_ text: String) {
    if !open.isEmpty { open[open.count - 1].text += text }
  }
}

extension String {
  /// `a` for `xmlns:a`, empty for `xmlns`; nil for an attribute that declares no prefix.
  fileprivate var declaredPrefix: String? {
    guard utf8.starts(with: "xmlns".utf8) else { return nil }
    let rest = utf8.dropFirst(5)
    if rest.isEmpty { return "" }
    return rest.first == UInt8(ascii: ":") ? String(rest.dropFirst()) : nil
  }
}
