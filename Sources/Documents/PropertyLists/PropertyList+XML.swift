import Findings

// A document has one element, `plist`, with one value in it. Source: Apple's PropertyList-1.0.dtd. The output has the
// layout of Python's plistlib.

extension PropertyList {
  /// Nil if it is no property list.
  static func read(xml bytes: [UInt8]) throws(Damage) -> PropertyList? {
    let root: XMLTag
    do throws(XMLProblem) { root = try XMLEvents.read(bytes) } catch {
      guard beginsAsXML(bytes[...]) else { return nil }
      throw Damage(reason: "\(error)")
    }
    guard root.name == "plist" else { return nil }
    guard root.children.count == 1, !root.hasText, let value = PropertyList(tag: root.children[0]) else {
      throw Damage(reason: "what is in <plist> is no value of a property list")
    }
    return value
  }

  /// The recursion is bounded by the limit on the depth of a document.
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
      guard let number = Self.integer(String(tag.text.trimmed)) else { return nil }
      self = number
    case "real":
      guard let number = Double(String(tag.text.trimmed)) else { return nil }
      self = .real(number)
    case "date":
      guard let time = CivilTime(String(tag.text.trimmed)) else { return nil }
      self = .date(Double(time.seconds))
    case "data":
      // Foundation refuses a blank text.
      guard let bytes = tag.hasText ? Base64.decoded(tag.text) : [] else { return nil }
      self = .data(bytes)
    default: return nil
    }
  }

  /// Keys and values alternate. The last value of a repeated key counts.
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

  private static func integer(_ digits: String) -> PropertyList? {
    let isNegative = digits.hasPrefix("-")
    let unsigned = digits.hasPrefix("-") || digits.hasPrefix("+") ? digits.dropFirst() : digits[...]
    let isHex = unsigned.hasPrefix("0x") || unsigned.hasPrefix("0X")
    let text = (isNegative ? "-" : "") + (isHex ? unsigned.dropFirst(2) : unsigned)
    let radix = isHex ? 16 : 10
    return Int(text, radix: radix).map(PropertyList.integer) ?? UInt64(text, radix: radix).map(PropertyList.large)
  }

  /// Whether the first element is `plist`, even if the document is damaged behind it.
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

  // MARK: Writing

  /// The document, keys sorted by their bytes. Throws for a character that XML cannot hold, and a date out of range.
  package func xml() throws(Damage) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    try write(to: &text, depth: 0)
    return Array((text + "</plist>\n").utf8)
  }

  private func write(to text: inout String, depth: Int) throws(Damage) {
    guard depth < Self.deepest else { throw Damage(reason: "it is too deep") }
    let indent = String(repeating: "\t", count: depth)
    func line(_ name: String, _ value: String) { text += "\(indent)<\(name)>\(value)</\(name)>\n" }
    switch self {
    case .text(let value): line("string", try Self.escaped(value))
    case .flag(let flag): text += "\(indent)<\(flag)/>\n"
    case .integer(let number): line("integer", String(number))
    case .large(let number): line("integer", String(number))
    case .real(let number): line("real", "\(number)")
    case .date(let seconds):
      guard let time = CivilTime(since2001: seconds) else { throw Damage(reason: "it has a date out of range") }
      line("date", time.text)
    case .data(let bytes):
      text += "\(indent)<data>\n"
      let width = max(16, 76 - 8 * depth) / 4 * 3
      for start in stride(from: 0, to: bytes.count, by: width) {
        text += "\(indent)\(Base64.encoded(bytes[start..<min(bytes.count, start + width)]))\n"
      }
      text += "\(indent)</data>\n"
    case .list(let list) where list.isEmpty: text += "\(indent)<array/>\n"
    case .list(let list):
      text += "\(indent)<array>\n"
      for value in list { try value.write(to: &text, depth: depth + 1) }
      text += "\(indent)</array>\n"
    case .map(let map) where map.isEmpty: text += "\(indent)<dict/>\n"
    case .map(let map):
      text += "\(indent)<dict>\n"
      for (key, value) in PropertyList.sorted(map) {
        text += "\(indent)\t<key>\(try Self.escaped(key))</key>\n"
        try value.write(to: &text, depth: depth + 1)
      }
      text += "\(indent)</dict>\n"
    }
  }

  static func sorted(_ map: [String: PropertyList]) -> [(key: String, value: PropertyList)] {
    map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private static func escaped(_ text: String) throws(Damage) -> String {
    if let scalar = characterOutsideXML(text) {
      throw Damage(reason: "it has a character that XML cannot hold: U+\(String(scalar.value, radix: 16))")
    }
    return escapedMarkup(text)
  }
}

extension XMLTag {
  /// Whether the element has text other than white space beside its children.
  fileprivate var hasText: Bool { !text.trimmed.isEmpty }
}
