import Store

/// The result of an action as servers know it: the message `ActionResult` of the Remote Execution API v2, in the encoding of
/// protocol buffers. Some caches over HTTP look whether it is one, and whether they have the blobs that it names.
///
///   output_files   2   { path 1, digest 2 { hash 1, size_bytes 2 } }   the blobs that the record needs
///   stdout_raw     5   the sealed record, if it is small
///   stdout_digest  6   { hash 1, size_bytes 2 }                        else the blob that has it
struct ActionResult: Equatable {
  struct Blob: Equatable {
    let digest: Digest
    /// In bytes.
    let size: Int64
  }

  enum Content: Equatable {
    case bytes([UInt8])
    case blob(Blob)
  }

  var blobs: [Blob]
  var content: Content

  init(blobs: [Blob], content: Content) { (self.blobs, self.content) = (blobs, content) }

  var bytes: [UInt8] {
    var message = MessageWriter()
    for blob in blobs {
      var file = MessageWriter()
      // Servers require a path that is text. The real paths, which need not be text, are in the record.
      file.add(1, blob.digest.hex)
      file.add(2, message: ActionResult.digest(blob))
      message.add(2, message: file)
    }
    switch content {
    case .bytes(let bytes): message.add(5, bytes: bytes)
    case .blob(let blob): message.add(6, message: ActionResult.digest(blob))
    }
    return message.bytes
  }

  private static func digest(_ blob: Blob) -> MessageWriter {
    var message = MessageWriter()
    message.add(1, blob.digest.hex)
    message.add(2, UInt64(blob.size))
    return message
  }

  /// Nil if the bytes are no such message.
  init?(_ bytes: [UInt8]) {
    var (blobs, content): ([Blob], Content?) = ([], nil)
    guard
      let fields = MessageReader.fields(of: bytes[...]),
      fields.allSatisfy({ field in
        switch (field.number, field.value) {
        case (2, .bytes(let file)):
          guard let inner = MessageReader.fields(of: file)?.first(where: { $0.number == 2 }),
            case .bytes(let digest) = inner.value,
            let blob = ActionResult.blob(digest)
          else { return false }
          blobs.append(blob)
        case (5, .bytes(let raw)): content = .bytes(Array(raw))
        case (6, .bytes(let digest)):
          guard let blob = ActionResult.blob(digest) else { return false }
          content = .blob(blob)
        default: break
        }
        return true
      }), let content
    else { return nil }
    self.init(blobs: blobs, content: content)
  }

  private static func blob(_ bytes: ArraySlice<UInt8>) -> Blob? {
    var (digest, size): (Digest?, Int64) = (nil, 0)
    for field in MessageReader.fields(of: bytes) ?? [] {
      switch (field.number, field.value) {
      case (1, .bytes(let hex)): digest = Digest(hex: String(decoding: hex, as: UTF8.self))
      case (2, .number(let number)): size = Int64(clamping: number)
      default: break
      }
    }
    return digest.map { Blob(digest: $0, size: size) }
  }
}

/// Writes the fields of a message of protocol buffers: a tag (number and wire type) and a value each.
struct MessageWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ field: Int, _ number: UInt64) {
    varint(UInt64(field) << 3)
    varint(number)
  }

  mutating func add(_ field: Int, bytes added: some Collection<UInt8>) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(added.count))
    bytes += added
  }

  mutating func add(_ field: Int, _ text: String) { add(field, bytes: text.utf8) }
  mutating func add(_ field: Int, message: MessageWriter) { add(field, bytes: message.bytes) }

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
enum MessageReader {
  enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
    /// A value of a type that none of the fields above has.
    case other
  }

  /// Nil if the bytes are no message.
  static func fields(of bytes: ArraySlice<UInt8>) -> [(number: Int, value: Value)]? {
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
