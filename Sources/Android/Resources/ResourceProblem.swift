package import Documents
import Findings

/// What is wrong with a resource file, and where.
package struct ResourceProblem: Error, Sendable, CustomStringConvertible {
  package let site: ResourceSite
  package let reason: Reason

  package enum Reason: Sendable {
    case xml(XMLProblem.Reason)
    case folder(String)
    case nested
    case fileName(String)
    case valuesName
    case root(String)
    case strayText
    case unknownElement(String)
    case unknownType(String)
    case noType
    case noName(element: String)
    case name(String)
    case reserved(String)
    case duplicate(String, first: ResourceSite)
    case otherFormat(attr: String, first: ResourceSite)
    case undefinedPublic(String)
    case otherPackage(String)
    /// So many are not told one by one.
    case more(Int)
  }

  package var description: String { "\(site): \(reason.description)" }
}

/// A file inside of `res/`, and where in it something begins; the file as a whole if there is no position.
package struct ResourceSite: Hashable, Sendable, CustomStringConvertible {
  /// `values-es/strings.xml`, as bytes.
  package let path: [UInt8]
  package let position: XMLTag.Position?

  package init(_ path: [UInt8], _ position: XMLTag.Position? = nil) {
    self.path = path
    self.position = position
  }

  package var description: String {
    let name = printable(String(decoding: path, as: UTF8.self))
    return position.map { "\(name):\($0.line):\($0.column)" } ?? name
  }
}

extension ResourceProblem.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .xml(let reason): reason.description
    case .folder(let name):
      "'\(printable(name))' is no kind of resource folder: rename the folder to one such as drawable, layout or values-es"
    case .nested: "a resource stands directly in a folder such as res/layout: move the file there"
    case .fileName(let name):
      "'\(printable(name))' cannot be a resource's name: use lower-case letters, digits and underscores, a letter first"
    case .valuesName: "only XML files can be in a values folder: move it to res/raw or to assets"
    case .root(let name): "the root element is <\(printable(name))>: a values file begins with <resources>"
    case .strayText: "there is text between the elements: put it into a <string> or a comment"
    case .unknownElement(let name):
      "<\(printable(name))> is not known here: correct the spelling or remove the element"
    case .unknownType(let name): "'\(printable(name))' is no type of resource: correct the spelling"
    case .noType: "<item> does not say what it is: add type=\"…\""
    case .noName(let element): "<\(printable(element))> has no name: add name=\"…\""
    case .name(let name):
      "'\(printable(name))' cannot be a resource's name: use letters, digits, underscores and dots, a letter first"
    case .reserved(let name): "'\(name)' is a word of the Java language: choose another name"
    case .duplicate(let what, let first):
      "\(printable(what)) is defined twice for the same configuration, first at \(first): remove or rename one"
    case .otherFormat(let attr, let first):
      "the attribute '\(printable(attr))' has another format at \(first): give both the same, or leave one out"
    case .undefinedPublic(let what):
      "\(printable(what)) is declared public but nowhere defined: define it or remove the line"
    case .otherPackage(let text):
      "'\(printable(text))' would define a name in another package: write @+id/name, or @id/name to refer to it"
    case .more(let count): "and \(count) more that are not listed: mend these first"
    }
  }
}
