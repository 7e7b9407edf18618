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
    XMLTag(try root(bytes, limits: limits))
  }

  /// The root element as a view of its document, which takes less time than `read`.
  package static func root(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLProblem) -> XMLTree.Element {
    try read(bytes, limits, isLenient: false)
  }

  /// Reads documents whose usual readers ignore namespaces and encodings: a prefix that is not declared stays part of
  /// the name, and if the document is not in the encoding that it declares, bytes that are not UTF-8 are replaced.
  package static func readLeniently(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLProblem) -> XMLTag {
    do throws(XMLProblem) {
      return XMLTag(try read(bytes, limits, isLenient: true))
    } catch {
      switch error.reason {
      case .encoding, .broken: break
      default: throw error
      }
      let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
      return XMLTag(try parse(text, as: "UTF-8", limits, isLenient: true))
    }
  }

  private static func read(
    _ bytes: [UInt8], _ limits: Limits, isLenient: Bool
  ) throws(XMLProblem) -> XMLTree.Element {
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
  ) throws(XMLProblem) -> XMLTree.Element {
    let builder = XMLTreeBuilder(limits, size: bytes.count, keepsUnknownPrefixes: isLenient)
    let tree = try Expat.parse(bytes, as: encoding, builder)
    guard let root = tree.root else { throw XMLProblem(position: .init(line: 1, column: 1), reason: .broken) }
    return root
  }
}
