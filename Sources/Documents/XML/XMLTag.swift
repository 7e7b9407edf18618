/// An element of an XML document with all that is in it. Comments and processing instructions are left out.
package struct XMLTag: Sendable {
  /// Without its prefix: `attr` of `aapt:attr`.
  package let name: String
  /// The address that the prefix stands for; empty if there is none.
  package let namespace: String
  /// Sorted by the bytes of their names; declarations of namespaces are not among them.
  package var attributes: [Attribute]
  /// The prefixes in force here and what they stand for; `""` is the default namespace.
  package let prefixes: [String: String]
  package let position: Position
  /// The range of the whole element, in bytes of the document; empty for an element that was not read.
  package var range = 0..<0
  package var children: [XMLTag] = []
  /// The element's own text, joined; not that of its children.
  package var text = ""

  package init(
    name: String, namespace: String, attributes: [Attribute], prefixes: [String: String], position: Position,
    range: Range<Int> = 0..<0
  ) {
    self.name = name
    self.namespace = namespace
    self.attributes = attributes
    self.prefixes = prefixes
    self.position = position
    self.range = range
  }

  /// A new element without a namespace. It has a text or children.
  package init(_ name: String, text: String = "", _ children: [XMLTag] = []) {
    self.init(name: name, namespace: "", attributes: [], prefixes: [:], position: Position(line: 1, column: 1))
    (self.text, self.children) = (text, children)
  }

  package struct Attribute: Sendable {
    /// Without its prefix.
    package internal(set) var name: String
    /// The address that the prefix stands for; empty if there is none.
    package internal(set) var namespace: String
    package let value: String

    package init(name: String, namespace: String, value: String) {
      self.name = name
      self.namespace = namespace
      self.value = value
    }
  }

  /// The beginning of the tag; both numbers count from 1, the column in characters.
  package struct Position: Hashable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
  }

  package subscript(_ name: String, namespace namespace: String = "") -> String? {
    // A copy of each attribute would be felt.
    for index in attributes.indices
    where attributes[index].name == name && attributes[index].namespace == namespace { return attributes[index].value }
    return nil
  }
}

/// The reason why an XML document is not read.
package struct XMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package let position: XMLTag.Position
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// In bytes.
    case tooLarge(size: Int, limit: Int)
    /// In bytes.
    case tagTooLong(limit: Int)
    case tooDeep(limit: Int)
    case tooMany(Counted, limit: Int)
    case documentType
    case encoding(String)
    case unknownPrefix(String)
    case notQualified(String)
    case broken

    package enum Counted: String, Sendable {
      case elements, attributes
      case attributesOfElement = "attributes in one element"
      case prefixes = "declarations of prefixes"
    }
  }

  package var description: String {
    "\(reason.description) (line \(position.line), column \(position.column))"
  }
}

extension XMLProblem.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let size, let limit):
      "the XML document has \(size) bytes, at most \(limit) are read: split it, or move data into a file of another kind"
    case .tagTooLong(let limit): "a tag or a comment has more than \(limit) bytes: shorten it"
    case .tooDeep(let limit): "elements are nested more than \(limit) deep: flatten the document"
    case .tooMany(let what, let limit): "the XML document has more than \(limit) \(what.rawValue): split it"
    case .documentType:
      "the XML document's DOCTYPE declares entities or default values, which are not read: remove it and write them out"
    case .encoding(let name):
      "the XML document says to be encoded as \(name), which is not read or not true: save it as UTF-8"
    case .unknownPrefix(let prefix):
      "the prefix '\(prefix)' is not declared: add xmlns:\(prefix)=\"…\" to the root element"
    case .notQualified(let name): "'\(name)' is no name: on either side of one colon stands something"
    case .broken:
      "this is not well-formed XML: look for a tag that is not closed, a bare & or <, or a quote that is missing"
    }
  }
}
