package import Findings

/// The type of a value in JSON (RFC 8259). A plain word of YAML has its type in JSON, and is a string if JSON lacks it.
package enum JSONType: String, Sendable, CaseIterable {
  case null, boolean, number, string, array, object
  /// A number without a fraction; it is also valid as a `number`.
  case integer
}

extension Node {
  /// A whole number is an `integer` however it is written: `1.0` is one.
  package var jsonType: JSONType {
    switch value {
    case .null: return .null
    case .list: return .array
    case .map: return .object
    case .text(let text):
      if isQuoted { return .string }
      if text == "true" || text == "false" { return .boolean }
      guard let number = JSONNumber(text) else { return .string }
      return number.isWhole ? .integer : .number
    }
  }

  /// JSON that is the same for equal values: members sorted by the bytes of their keys, `1` for `1.0`.
  package var canonical: String { json(numbers: { JSONNumber($0)?.description ?? $0 }, sortsLists: false).compact }

  /// JSON with numbers as they were written, and members sorted by the bytes of their keys.
  package var sortedMembers: JSONValue { json(numbers: { $0 }, sortsLists: false) }

  /// The same with lists of nothing but texts sorted by their bytes: for documents in which such a list is a set.
  package var sortedJSON: JSONValue { json(numbers: { $0 }, sortsLists: true) }

  private func json(numbers: (String) -> String, sortsLists: Bool) -> JSONValue {
    switch value {
    case .null: return .null
    case .map(let members):
      return .sorted(members.map { ($0.key, $0.node.json(numbers: numbers, sortsLists: sortsLists)) })
    case .list(let list):
      guard sortsLists, list.allSatisfy({ $0.jsonType == .string }) else {
        return .array(list.map { $0.json(numbers: numbers, sortsLists: sortsLists) })
      }
      let texts = list.compactMap(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return .array(texts.map(JSONValue.string))
    case .text(let text):
      return switch jsonType {
      case .boolean: .bool(text == "true")
      case .number, .integer: .written(Array(numbers(text).utf8))
      default: .string(text)
      }
    }
  }
}

/// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`, as a sign, digits without zeros at either end, and a power of ten.
struct JSONNumber: CustomStringConvertible {
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int

  /// Larger exponents are clamped, so that adding the number of digits cannot overflow.
  private static let maxExponent = 1 << 40

  init?(_ text: String) {
    var rest = text.utf8[...]
    func take(_ bytes: String) -> UInt8? {
      guard let next = rest.first, bytes.utf8.contains(next) else { return nil }
      rest = rest.dropFirst()
      return next
    }
    func takeDigits() -> [UInt8] {
      let digits = Array(rest.prefix { (0x30...0x39).contains($0) })
      rest = rest.dropFirst(digits.count)
      return digits
    }
    let isNegative = take("-") != nil
    var digits = takeDigits()
    guard !digits.isEmpty, digits.count == 1 || digits[0] != 0x30 else { return nil }
    var exponent = 0
    if take(".") != nil {
      let fraction = takeDigits()
      if fraction.isEmpty { return nil }
      digits += fraction
      exponent = -fraction.count
    }
    if take("eE") != nil {
      let sign = take("+-")
      let power = takeDigits()
      if power.isEmpty { return nil }
      let size = min(Int(String(decoding: power, as: UTF8.self)) ?? .max, JSONNumber.maxExponent)
      exponent += sign == UInt8(ascii: "-") ? -size : size
    }
    guard rest.isEmpty else { return nil }
    let significant = digits.drop { $0 == 0x30 }
    let end = significant.lastIndex { $0 != 0x30 } ?? significant.startIndex - 1
    self.digits = Array(significant[..<(end + 1)])
    self.exponent = self.digits.isEmpty ? 0 : exponent + significant.count - self.digits.count
    self.isNegative = isNegative && !self.digits.isEmpty
  }

  var isWhole: Bool { exponent >= 0 }

  var description: String {
    if digits.isEmpty { return "0" }
    let power = exponent == 0 ? "" : "e\(exponent)"
    return "\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))\(power)"
  }
}
