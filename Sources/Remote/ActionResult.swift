package import Store

/// The result of an action as servers know it: the message `ActionResult` of the Remote Execution API v2, in the encoding of
/// protocol buffers. Some caches over HTTP look whether it is one, and whether they have the blobs that it names.
///
///   output_files   2   { path 1, digest 2 { hash 1, size_bytes 2 } }   the blobs that the record needs
///   stdout_raw     5   the sealed record, if it is small
///   stdout_digest  6   { hash 1, size_bytes 2 }                        else the blob that has it
package struct ActionResult: Equatable {
  package struct Blob: Equatable {
    package let digest: Digest
    /// In bytes.
    package let size: Int64

    package init(digest: Digest, size: Int64) { (self.digest, self.size) = (digest, size) }

    /// The message `Digest`.
    package var message: MessageWriter {
      var message = MessageWriter()
      message.add(1, digest.hex)
      message.add(2, UInt64(size))
      return message
    }
  }

  package enum Content: Equatable {
    case bytes([UInt8])
    case blob(Blob)
  }

  package var blobs: [Blob]
  package var content: Content

  package init(blobs: [Blob], content: Content) { (self.blobs, self.content) = (blobs, content) }

  package var bytes: [UInt8] {
    var message = MessageWriter()
    for blob in blobs {
      var file = MessageWriter()
      // Servers require a path that is text. The real paths, which need not be text, are in the record.
      file.add(1, blob.digest.hex)
      file.add(2, message: blob.message)
      message.add(2, message: file)
    }
    switch content {
    case .bytes(let bytes): message.add(5, bytes: bytes)
    case .blob(let blob): message.add(6, message: blob.message)
    }
    return message.bytes
  }

  /// Nil if the bytes are no such message.
  package init?(_ bytes: [UInt8]) {
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
