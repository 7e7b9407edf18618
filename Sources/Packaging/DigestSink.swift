import Archives
import Store

/// The SHA-256 of an entry's content, as it is read back.
struct DigestSink: ContentSink {
  private var builder = DigestBuilder()

  mutating func update(_ bytes: RawSpan) { builder.update(bytes) }
  mutating func update(_ bytes: [UInt8]) { builder.update(bytes) }

  mutating func finish() -> [UInt8] { builder.finish().bytes }
}
