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
  /// Elements of an array that have been turned into text beforehand (`shown(_:depth:)`).
  case written([UInt8])

  package static func == (a: JSONValue, b: JSONValue) -> Bool { a.compact == b.compact }

  /// Many lines, with a final newline.
  package var pretty: String { text(pretty: true) + "\n" }

  /// For a terminal or a log: invisible characters and commands for CI runners are escaped.
  package var shown: String { text(pretty: true, harmless: true) + "\n" }
  package var shownInOneLine: String { text(pretty: false, harmless: true) }

  /// One line, no space, no newline.
  package var compact: String { text(pretty: false) }

  /// Elements of an array as `shown` writes them at this depth, for lists so long that they are written on all cores.
  package static func shown(_ elements: some Sequence<JSONValue>, depth: Int) -> JSONValue {
    var writer = JSONWriter(isPretty: true, isHarmless: true, depth: depth)
    writer.write(elements)
    return .written(writer.bytes)
  }

  private func text(pretty: Bool, harmless: Bool = false) -> String {
    var writer = JSONWriter(isPretty: pretty, isHarmless: harmless)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The members sorted by the bytes of their keys.
  package static func sorted(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
    .object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
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

/// Writes bytes: most texts need no escaping, and are scanned once.
private struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isPretty: Bool
  private let isHarmless: Bool
  private var depth: Int

  init(isPretty: Bool, isHarmless: Bool, depth: Int = 0) {
    self.isPretty = isPretty
    self.isHarmless = isHarmless
    self.depth = depth
  }

  /// Writes elements with separators, but without brackets.
  mutating func write(_ elements: some Sequence<JSONValue>) {
    for (index, element) in elements.enumerated() {
      if index > 0 {
        bytes.append(UInt8(ascii: ","))
        startLine()
      }
      write(element)
    }
  }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .int(let value): bytes += String(value).utf8
    case .string(let value): quote(value)
    case .written(let text): bytes += text
    case .array(let values): list(values, "[", "]") { $0.write($1) }
    case .object(let members):
      list(members, "{", "}") { writer, member in
        writer.quote(member.key)
        writer.bytes += (writer.isPretty ? ": " : ":").utf8
        writer.write(member.value)
      }
    }
  }

  private mutating func list<T>(
    _ items: [T], _ open: Unicode.Scalar, _ close: Unicode.Scalar, each: (inout JSONWriter, T) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    depth += 1
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      startLine()
      each(&self, item)
    }
    depth -= 1
    if !items.isEmpty { startLine() }
    bytes.append(UInt8(ascii: close))
  }

  private mutating func startLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth {
      bytes.append(UInt8(ascii: " "))
      bytes.append(UInt8(ascii: " "))
    }
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes += text.utf8
    if !bytes[start...].allSatisfy(isPlain) {
      bytes.removeSubrange(start...)
      escape(text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && !(isHarmless && (byte >= 0x7F || byte == UInt8(ascii: "#")))
  }

  private mutating func escape(_ text: String) {
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      // The second `#` of `##[` is escaped.
      case _
      where scalar.value < 0x20 || isHarmless && (scalar == "#" && last == "#" || isUnprintable(scalar)):
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16)
          bytes += "\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)".utf8
        }
      default: bytes += String(scalar).utf8
      }
      last = scalar
    }
  }
}
