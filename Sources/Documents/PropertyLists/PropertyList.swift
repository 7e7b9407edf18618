import ObjectFiles

/// A property list, in XML or binary. Only `read(openStep:)` reads OpenStep's form (`{ a = b; }`).
package enum PropertyList: Sendable, Hashable {
  case text(String)
  case flag(Bool)
  case integer(Int)
  /// A number that is too large for `integer`.
  case large(UInt64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data([UInt8])
  case list([PropertyList])
  case map([String: PropertyList])

  package struct Damage: Error {
    package let reason: String
  }

  /// The limits on nesting and on values. A shared value counts at each place that refers to it.
  static let (deepest, maxValues) = (256, 500_000)

  /// Nil if the bytes are no property list. XML with another root is none, even if it is damaged.
  package static func read(_ bytes: [UInt8]) throws(Damage) -> PropertyList? {
    guard bytes.starts(with: "bplist0".utf8) else { return try read(xml: bytes) }
    do throws(FormatError) {
      return try BinaryPropertyList.read(ByteReader(bytes.span))
    } catch {
      throw Damage(reason: "\(error)")
    }
  }

  package var binary: [UInt8] { BinaryPropertyListWriter.bytes(self) }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var list: [PropertyList]? { if case .list(let list) = self { list } else { nil } }
  package var map: [String: PropertyList]? { if case .map(let map) = self { map } else { nil } }
  /// The texts of a list, and a text as a list of one.
  package var texts: [String] { list?.compactMap(\.text) ?? text.map { [$0] } ?? [] }

  package subscript(_ key: String) -> PropertyList? { if case .map(let map) = self { map[key] } else { nil } }

  /// For a message: a simple value as it is, any other value by its kind.
  package var shown: String {
    switch self {
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .large(let number): String(number)
    case .real(let number): "\(number)"
    case .date: "a date"
    case .data: "data"
    case .list: "a list"
    case .map: "a dictionary"
    }
  }

  /// Overlays this value: dictionaries are merged, anything else is replaced.
  package func overlaid(with other: PropertyList) -> PropertyList {
    guard case .map(var map) = self, case .map(let others) = other else { return other }
    for (key, value) in others { map[key] = map[key]?.overlaid(with: value) ?? value }
    return .map(map)
  }
}
