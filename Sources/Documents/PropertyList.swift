import Findings
import ObjectFiles

/// A property list in XML. Nothing else is read as one here: binary ones are read by `BinaryPropertyList` as far as
/// anybody asks, and those of OpenStep (`{ a = b; }`), which no tool has written for twenty years, are data.
package enum PropertyList {
  case text(String)
  case flag(Bool)
  case integer(Int)
  case list([PropertyList])
  case map([String: PropertyList])
  /// A real number, a date, data, or an integer beyond 64 bits: nobody asks what they are.
  case other

  /// Nil if it is no property list in XML.
  package init?(_ bytes: [UInt8]) {
    guard let root = try? XMLEvents.read(bytes), root.name == "plist" else { return nil }
    self.init(root: root)
  }

  private init?(root: XMLTag) {
    guard root.children.count == 1, !root.hasText else { return nil }
    self.init(tag: root.children[0])
  }

  /// No deeper than a document can be.
  private init?(tag: XMLTag) {
    switch tag.name {
    case "dict":
      guard let map = Self.map(tag) else { return nil }
      self = .map(map)
    case "array":
      if tag.hasText { return nil }
      let items = tag.children.compactMap { PropertyList(tag: $0) }
      guard items.count == tag.children.count else { return nil }
      self = .list(items)
    case _ where !tag.children.isEmpty: return nil
    case "string": self = .text(tag.text)
    case "true", "false": self = .flag(tag.name == "true")
    case "integer":
      let digits = tag.text.trimmed
      let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
      let number = isHex ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
      self = number.map(PropertyList.integer) ?? .other
    case "real", "date", "data": self = .other
    default: return nil
    }
  }

  /// Keys and values in turn; of a key that is there twice, the last.
  private static func map(_ tag: XMLTag) -> [String: PropertyList]? {
    if tag.hasText || !tag.children.count.isMultiple(of: 2) { return nil }
    var map: [String: PropertyList] = [:]
    for index in stride(from: 0, to: tag.children.count, by: 2) {
      let key = tag.children[index]
      guard key.name == "key", key.children.isEmpty, let value = PropertyList(tag: tag.children[index + 1]) else {
        return nil
      }
      map[key.text] = value
    }
    return map
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var list: [PropertyList]? { if case .list(let list) = self { list } else { nil } }

  package subscript(_ key: String) -> PropertyList? { if case .map(let map) = self { map[key] } else { nil } }

  /// The top level of a dictionary, in either form: texts as they are, `true` and `false`, whole numbers, other values as
  /// `<value>`. Nil if it is no property list, or none with a dictionary at the top; other XML is none, however broken.
  package static func texts(_ bytes: [UInt8]) throws(Damage) -> [String: String]? {
    if bytes.starts(with: "bplist0".utf8) {
      do throws(FormatError) { return try BinaryPropertyList(ByteReader(bytes.span)).values } catch {
        throw Damage(reason: "\(error)")
      }
    }
    let root: XMLTag
    do throws(XMLProblem) { root = try XMLEvents.read(bytes) } catch {
      guard beginsAsXML(bytes[...]) else { return nil }
      throw Damage(reason: "\(error)")
    }
    guard root.name == "plist" else { return nil }
    guard let list = PropertyList(root: root) else {
      throw Damage(reason: "what is in <plist> is no value of a property list")
    }
    guard case .map(let map) = list else { return nil }
    return map.mapValues { value in
      switch value {
      case .text(let text): text
      case .flag(let flag): flag ? "true" : "false"
      case .integer(let number): String(number)
      case .list, .map, .other: "<value>"
      }
    }
  }

  package struct Damage: Error {
    package let reason: String
  }

  /// Whether `<plist` is the first element of a document, whatever follows.
  private static func beginsAsXML(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    while true {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      let end: String
      if rest.starts(with: "<!--".utf8) {
        end = "-->"
      } else if rest.starts(with: "<?".utf8) {
        end = "?>"
      } else if rest.starts(with: "<!DOCTYPE".utf8) {
        end = rest.prefix { $0 != UInt8(ascii: ">") }.contains(UInt8(ascii: "[")) ? "]>" : ">"
      } else {
        let name = rest.dropFirst("<plist".utf8.count)
        return rest.starts(with: "<plist".utf8) && name.first.map { " \t\r\n/>".utf8.contains($0) } != false
      }
      guard let place = rest.indices.first(where: { rest[$0...].starts(with: end.utf8) }) else { return false }
      rest = rest[(place + end.utf8.count)...]
    }
  }
}

extension XMLTag {
  /// Text between its children.
  fileprivate var hasText: Bool { !text.trimmed.isEmpty }
}
