/// Writes the fields of a message of protocol buffers: a tag (number and wire type) and a value each.
package struct MessageWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ field: Int, _ number: UInt64) {
    varint(UInt64(field) << 3)
    varint(number)
  }

  package mutating func add(_ field: Int, bytes added: some Collection<UInt8>) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(added.count))
    bytes += added
  }

  package mutating func add(_ field: Int, _ text: String) { add(field, bytes: text.utf8) }
  package mutating func add(_ field: Int, message: MessageWriter) { add(field, bytes: message.bytes) }

  private mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }
}

/// Reads the fields of a message, and checks every length.
package enum MessageReader {
  package enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
    /// A value of a type that none of the fields above has.
    case other
  }

  /// Nil if the bytes are no message.
  package static func fields(of bytes: ArraySlice<UInt8>) -> [(number: Int, value: Value)]? {
    var rest = bytes
    var fields: [(number: Int, value: Value)] = []
    while !rest.isEmpty {
      guard let tag = varint(&rest), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return nil }
      let value: Value
      switch tag & 7 {
      case 0:
        guard let number = varint(&rest) else { return nil }
        value = .number(number)
      case 1, 5:
        guard rest.count >= (tag & 7 == 1 ? 8 : 4) else { return nil }
        rest = rest.dropFirst(tag & 7 == 1 ? 8 : 4)
        value = .other
      case 2:
        guard let count = varint(&rest), count <= UInt64(rest.count) else { return nil }
        value = .bytes(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
      fields.append((Int(tag >> 3), value))
    }
    return fields
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
