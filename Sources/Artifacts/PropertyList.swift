import ObjectFiles

/// A property list in XML. Nothing else is read as one here: binary ones are read by `BinaryPropertyList` as far as
/// anybody asks, and those of OpenStep (`{ a = b; }`), which no tool has written for twenty years, are data.
enum PropertyList {
  case text(String)
  case flag(Bool)
  case integer(Int)
  case list([PropertyList])
  case map([String: PropertyList])
  /// A real number, a date, data, or an integer beyond 64 bits: nobody asks what they are.
  case other

  /// Nil if it is no property list in XML.
  init?(_ bytes: [UInt8]) {
    guard let root = try? XMLEvents.read(bytes), root.name == "plist", root.children.count == 1, !root.hasText else {
      return nil
    }
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
    case "string", "integer", "real", "date", "data", "true", "false":
      guard tag.children.isEmpty else { return nil }
      self.init(scalar: tag)
    default: return nil
    }
  }

  private init?(scalar tag: XMLTag) {
    switch tag.name {
    case "string": self = .text(tag.text)
    case "true", "false": self = .flag(tag.name == "true")
    case "integer":
      let digits = tag.text.trimmed
      let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
      let number = isHex ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
      self = number.map(PropertyList.integer) ?? .other
    default: self = .other
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

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var list: [PropertyList]? { if case .list(let list) = self { list } else { nil } }

  subscript(_ key: String) -> PropertyList? { if case .map(let map) = self { map[key] } else { nil } }
}

extension PropertyList {
  /// The top level of a dictionary, in either form: texts as they are, `true` and `false`, whole numbers, other values as
  /// `<value>`. Nil if it is no property list, or none with a dictionary at the top.
  static func texts(_ bytes: [UInt8]) -> [String: String]? {
    if bytes.starts(with: "bplist0".utf8) { return try? BinaryPropertyList(ByteReader(bytes.span)).values }
    guard case .map(let map) = PropertyList(bytes) else { return nil }
    return map.mapValues { value in
      switch value {
      case .text(let text): text
      case .flag(let flag): flag ? "true" : "false"
      case .integer(let number): String(number)
      case .list, .map, .other: "<value>"
      }
    }
  }
}

extension XMLTag {
  /// Text between its children.
  fileprivate var hasText: Bool { !text.trimmed.isEmpty }
}
