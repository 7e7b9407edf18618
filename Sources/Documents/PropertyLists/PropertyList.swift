import ObjectFiles

/// A property list, in XML or binary. Those of OpenStep (`{ a = b; }`), which no tool has written for twenty years, are data.
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

  /// How deep a list may be nested, and how many values it may have. A value counts at each place where it stands.
  static let (deepest, maxValues) = (256, 500_000)

  /// Nil if the bytes are no property list; other XML is none, however broken.
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

  /// For a message: texts as they are, and what is no simple value by its kind.
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

  /// The same with what `other` says in its place: dictionaries are merged, anything else is replaced.
  package func overlaid(with other: PropertyList) -> PropertyList {
    guard case .map(var map) = self, case .map(let others) = other else { return other }
    for (key, value) in others { map[key] = map[key]?.overlaid(with: value) ?? value }
    return .map(map)
  }
}
