import ObjectFiles

/// An XML document as it was read. Its names, values and texts stand in one array, and its elements are views of it.
/// Comments and processing instructions are left out.
package final class XMLTree: Sendable {
  /// UTF-8, whatever the encoding of the document is, with a zero behind each name, value and text.
  private let bytes: [UInt8]
  /// In the order of their beginnings.
  private let elements: [Record]
  private let attributes: [AttributeRecord]
  private let scopes: [Scope]

  init(_ builder: borrowing XMLTreeBuilder) {
    (bytes, elements) = (builder.bytes, builder.elements)
    (attributes, scopes) = (builder.attributes, builder.scopes)
  }

  private func has(_ text: StaticString, at range: Range<Int>) -> Bool {
    let bytes = bytes
    return range.count == text.utf8CodeUnitCount && ByteReader(bytes.span).starts(with: text, at: range.lowerBound)
  }

  package var root: Element? { elements.isEmpty ? nil : Element(tree: self, index: 0) }

  /// The prefixes in force at a place and what they stand for; `""` is the default namespace.
  struct Scope {
    var prefixes: [String: String] { didSet { `default` = prefixes[""] ?? "" } }
    private(set) var `default` = ""

    init(_ prefixes: [String: String]) { self.prefixes = prefixes }
  }

  /// Ranges of names, values and texts are in `bytes`.
  struct Record {
    let name: Range<Int>
    let namespace: String
    let attributes: Range<Int>
    /// The index of its scope.
    let scope: Int
    let position: XMLTag.Position
    /// In bytes of the document.
    var range: Range<Int>
    var text = 0..<0
    /// The index of the first element behind it and all that is in it.
    var end: Int
  }

  struct AttributeRecord {
    var name: Range<Int>
    var namespace = ""
    let value: Range<Int>
  }
}

extension XMLTree {
  /// An element. See `XMLTag` for the meaning of its properties.
  package struct Element: Sendable {
    fileprivate let tree: XMLTree
    fileprivate let index: Int

    package var name: String { String(decoding: nameBytes, as: UTF8.self) }
    package var nameBytes: ArraySlice<UInt8> { tree.bytes[tree.elements[index].name] }
    package var namespace: String { tree.elements[index].namespace }
    package var prefixes: [String: String] { tree.scopes[tree.elements[index].scope].prefixes }
    package var position: XMLTag.Position { tree.elements[index].position }
    package var range: Range<Int> { tree.elements[index].range }
    package var text: String { String(decoding: textBytes, as: UTF8.self) }
    package var textBytes: ArraySlice<UInt8> { tree.bytes[tree.elements[index].text] }
    package var children: Children { Children(tree: tree, place: index + 1, end: tree.elements[index].end) }

    package var attributes: Attributes {
      let range = tree.elements[index].attributes
      return Attributes(tree: tree, startIndex: range.lowerBound, endIndex: range.upperBound)
    }

    package func isNamed(_ name: StaticString) -> Bool { tree.has(name, at: tree.elements[index].name) }

    /// The number of elements in it, at any depth.
    package var descendants: Int { tree.elements[index].end - index - 1 }

    /// The value of the attribute that has this name and no namespace.
    package func bytes(of name: StaticString) -> ArraySlice<UInt8>? {
      for index in tree.elements[index].attributes
      where tree.has(name, at: tree.attributes[index].name) && tree.attributes[index].namespace.isEmpty {
        return tree.bytes[tree.attributes[index].value]
      }
      return nil
    }

    /// The names and values of its attributes, its name and its text, each with a zero behind it; nil if it has
    /// children, or if anything has a namespace.
    package var plainBytes: ArraySlice<UInt8>? {
      let element = tree.elements[index]
      guard descendants == 0, element.namespace.isEmpty else { return nil }
      var start = element.name.lowerBound
      // Sorting may have changed their order.
      for index in element.attributes.reversed() {
        let attribute = tree.attributes[index]
        guard attribute.namespace.isEmpty, attribute.value.upperBound + 1 == start else { return nil }
        start = attribute.name.lowerBound
      }
      return tree.bytes[start...element.text.upperBound]
    }

    package subscript(_ name: StaticString) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }
  }

  package struct Children: Sequence, IteratorProtocol {
    fileprivate let tree: XMLTree
    fileprivate var place: Int
    fileprivate let end: Int

    package mutating func next() -> XMLTree.Element? {
      if place == end { return nil }
      defer { place = tree.elements[place].end }
      return XMLTree.Element(tree: tree, index: place)
    }
  }

  package struct Attributes: RandomAccessCollection {
    fileprivate let tree: XMLTree
    package let startIndex: Int
    package let endIndex: Int

    package subscript(_ index: Int) -> Attribute { Attribute(tree: tree, index: index) }
  }

  package struct Attribute: Sendable {
    fileprivate let tree: XMLTree
    fileprivate let index: Int

    package var name: String { String(decoding: nameBytes, as: UTF8.self) }
    package var nameBytes: ArraySlice<UInt8> { tree.bytes[tree.attributes[index].name] }
    package var namespace: String { tree.attributes[index].namespace }
    package func isNamed(_ name: StaticString) -> Bool { tree.has(name, at: tree.attributes[index].name) }
    package var value: String { String(decoding: valueBytes, as: UTF8.self) }
    package var valueBytes: ArraySlice<UInt8> { tree.bytes[tree.attributes[index].value] }
  }
}

extension XMLTag {
  init(_ element: XMLTree.Element) {
    self.init(
      name: element.name, namespace: element.namespace,
      attributes: element.attributes.map { Attribute(name: $0.name, namespace: $0.namespace, value: $0.value) },
      prefixes: element.prefixes, position: element.position, range: element.range)
    (text, children) = (element.text, element.children.map { XMLTag($0) })
  }
}
