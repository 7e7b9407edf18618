/// A JSON value whose object keeps its order, and its one canonical text: two spaces a level, `"key": value`, `\n`
/// between members, no escaped slash, everything above U+001F as itself. Foundation's encoders cannot keep the order of
/// a manifest, and what they print differs between its versions.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  package static func == (a: JSONValue, b: JSONValue) -> Bool { a.compact == b.compact }

  /// Many lines, with a final newline.
  package var pretty: String {
    var out = ""
    write(to: &out, indent: "", pretty: true)
    return out + "\n"
  }

  /// The same values for a terminal or a log: what is not to be seen, and what a runner of CI would take for a command, is
  /// spelled as JSON spells it. Outside of texts there is none of that.
  package var shown: String { JSONValue.harmless(pretty) }
  package var shownInOneLine: String { JSONValue.harmless(compact) }

  private static func harmless(_ json: String) -> String {
    guard json.utf8.contains(where: { $0 >= 0x7F || $0 == UInt8(ascii: "#") }) else { return json }
    var result = ""
    var last: Unicode.Scalar = " "
    for scalar in json.unicodeScalars {
      // Of `##[`, the second sign.
      if scalar == "#" && last == "#" || scalar != "\n" && isUnprintable(scalar) {
        for unit in String(scalar).utf16 { result += unicodeEscape(unit) }
      } else {
        result.unicodeScalars.append(scalar)
      }
      last = scalar
    }
    return result
  }

  private static func unicodeEscape(_ unit: UInt16) -> String {
    let hex = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
  }

  /// One line, no space, no newline.
  package var compact: String {
    var out = ""
    write(to: &out, indent: "", pretty: false)
    return out
  }

  /// The members sorted by the bytes of their keys.
  package static func sorted(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
    .object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
  }

  private func write(to out: inout String, indent: String, pretty: Bool) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .int(let value): out += String(value)
    case .string(let value): JSONValue.quote(value, to: &out)
    case .array(let values):
      JSONValue.list(values, "[", "]", to: &out, indent: indent, pretty: pretty) { value, out, indent in
        value.write(to: &out, indent: indent, pretty: pretty)
      }
    case .object(let members):
      JSONValue.list(members, "{", "}", to: &out, indent: indent, pretty: pretty) { member, out, indent in
        JSONValue.quote(member.key, to: &out)
        out += pretty ? ": " : ":"
        member.value.write(to: &out, indent: indent, pretty: pretty)
      }
    }
  }

  private static func list<T>(
    _ items: [T], _ open: String, _ close: String, to out: inout String, indent: String, pretty: Bool,
    each: (T, inout String, String) -> Void
  ) {
    out += open
    let inner = indent + "  "
    for (i, item) in items.enumerated() {
      if i > 0 { out += "," }
      if pretty { out += "\n" + inner }
      each(item, &out, inner)
    }
    if pretty && !items.isEmpty { out += "\n" + indent }
    out += close
  }

  private static func quote(_ text: String, to out: inout String) {
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20: out += unicodeEscape(UInt16(scalar.value))
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (key: $0.0, value: $0.1) })
  }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}
