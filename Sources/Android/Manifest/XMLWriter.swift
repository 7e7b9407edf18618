import Artifacts
package import Documents
import Findings

/// Writes a tree as an XML document: UTF-8, LF, four spaces a level, one attribute a line when there are several.
///
/// All namespaces are declared at the root, each with one prefix for the whole document, and no default namespace is
/// used; so what was written with other prefixes, or with one prefix for two addresses, means the same. The same tree
/// gives the same bytes. Text of nothing but white space is layout and is left out; next to other text nothing is added.
package struct XMLWriter {
  private var out: [UInt8] = []
  /// The prefix of each address.
  private var prefixes: [[UInt8]: String] = [:]

  /// `comment` becomes the first thing in the root; it may not have two hyphens in a row.
  package static func write(_ root: XMLTag, comment: StaticString? = nil) -> [UInt8] {
    var writer = XMLWriter()
    let declared = writer.declare(root)
    writer.put("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    writer.write(root, 0, declared: declared, comment: comment)
    writer.put("\n")
    return writer.out
  }

  // MARK: Namespaces

  private static let xml = "http://www.w3.org/XML/1998/namespace"

  /// Chooses the prefixes. The root's own stay, used or not, because values can name them (`tools:replace="a:b"`).
  private mutating func declare(_ root: XMLTag) -> [(prefix: String, address: String)] {
    prefixes[Array(Self.xml.utf8)] = "xml"
    var addresses: [[UInt8]: String] = [:]
    for (prefix, address) in root.prefixes where Self.isName(prefix) && !address.isEmpty {
      addresses[Array(prefix.utf8)] = address
    }
    addresses[Array("xml".utf8)] = Self.xml
    for (prefix, address) in addresses.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let usual = Self.usual(address)
      let isFirst = prefixes[Array(address.utf8)] == nil
      if isFirst || prefix.elementsEqual((usual ?? "").utf8) {
        prefixes[Array(address.utf8)] = String(decoding: prefix, as: UTF8.self)
      }
    }
    // Depth first without recursion, in the order of the document.
    var open = [root]
    while let tag = open.popLast() {
      for address in [tag.namespace] + tag.attributes.map(\.namespace) where !address.isEmpty {
        guard prefixes[Array(address.utf8)] == nil else { continue }
        let prefix = Self.free(Self.candidates(address, in: tag), addresses)
        addresses[Array(prefix.utf8)] = address
        prefixes[Array(address.utf8)] = prefix
      }
      // Prefixes in the values of tools instructions must stay declared, where that is possible.
      if tag.attributes.contains(where: { $0.namespace == AndroidManifest.tools }) {
        for (prefix, address) in tag.prefixes where Self.isName(prefix) && !address.isEmpty {
          if addresses[Array(prefix.utf8)] == nil { addresses[Array(prefix.utf8)] = address }
        }
      }
      open.append(contentsOf: tag.children.reversed())
    }
    addresses[Array("xml".utf8)] = nil
    return addresses.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }.sorted {
      let (first, second) = (Self.rank($0.prefix), Self.rank($1.prefix))
      return first == second ? $0.prefix.utf8.lexicographicallyPrecedes($1.prefix.utf8) : first < second
    }
  }

  private static func rank(_ prefix: String) -> Int { ["android", "tools"].firstIndex(of: prefix) ?? 2 }

  private static func usual(_ address: String) -> String? {
    switch address {
    case AndroidManifest.android: "android"
    case AndroidManifest.tools: "tools"
    default: nil
    }
  }

  private static func isName(_ prefix: String) -> Bool { !prefix.isEmpty && prefix != "xmlns" && prefix != "xml" }

  /// The usual prefix of the address, then those that the element has for it.
  private static func candidates(_ address: String, in tag: XMLTag) -> [String] {
    let own = tag.prefixes.filter { isName($0.key) && $0.value.utf8.elementsEqual(address.utf8) }.map(\.key)
    return (usual(address).map { [$0] } ?? []) + own.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func free(_ candidates: [String], _ taken: [[UInt8]: String]) -> String {
    if let prefix = candidates.first(where: { taken[Array($0.utf8)] == nil }) { return prefix }
    var number = 1
    while taken[Array("ns\(number)".utf8)] != nil { number += 1 }
    return "ns\(number)"
  }

  private func qualified(_ name: String, _ namespace: String) -> String {
    prefixes[Array(namespace.utf8)].map { "\($0):\(name)" } ?? name
  }

  // MARK: Elements

  private mutating func write(
    _ tag: XMLTag, _ depth: Int, declared: [(prefix: String, address: String)] = [], comment: StaticString? = nil
  ) {
    let name = qualified(tag.name, tag.namespace)
    put("<\(name)")
    // The order is that of the written names, in which they are read again.
    var attributes: [(name: String, value: String)] = []
    var seen: Set<[UInt8]> = []
    for attribute in tag.attributes {
      let name = qualified(attribute.name, attribute.namespace)
      if seen.insert(Array(name.utf8)).inserted { attributes.append((name, attribute.value)) }
    }
    attributes.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    attributes = declared.map { ("xmlns:\($0.prefix)", $0.address) } + attributes
    for (name, value) in attributes {
      if attributes.count > 1 { newLine(depth + 1) } else { put(" ") }
      put("\(name)=\"\(escapedMarkup(value, isAttribute: true))\"")
    }
    let hasText = !tag.text.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard hasText || !tag.children.isEmpty else { return put(" />") }
    put(">")
    if let comment {
      newLine(depth + 1)
      put("<!-- \(comment) -->")
    }
    if hasText { put(escapedMarkup(tag.text)) }
    for child in tag.children {
      if !hasText { newLine(depth + 1) }
      write(child, depth + 1)
    }
    if !hasText { newLine(depth) }
    put("</\(name)>")
  }

  private mutating func newLine(_ depth: Int) {
    out.append(0x0A)
    out.append(contentsOf: repeatElement(0x20, count: 4 * depth))
  }

  private mutating func put(_ text: String) { out.append(contentsOf: text.utf8) }
}
