internal import CHash

/// Computes a SHA-256 digest with the system's library. Bytes are added in order, in pieces of any size.
package struct DigestBuilder {
  private var state = hash_state()

  package init() { unsafe hash_begin(&state) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe hash_add(&state, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  package mutating func update(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

  package mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

  /// The digest of all bytes so far. More may be added afterwards.
  package func finish() -> Digest {
    var state = state
    return Digest(first32: unsafe DigestBuilder.filled { output in unsafe hash_end(&state, output) }[...])
  }

  /// The HMAC (RFC 2104) of the bytes.
  static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    unsafe filled { output in unsafe hash_code(key, key.count, bytes, bytes.count, output) }
  }

  private static func filled(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Digest.byteCount) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      unsafe body(start)
      count = Digest.byteCount
    }
  }
}

/// Computes the other checksums of a Maven repository, in the same way.
struct ChecksumBuilder {
  private var state = checksums_state()

  init() { unsafe checksums_begin(&state) }

  mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes {
      unsafe checksums_add(&state, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
    }
  }

  /// 16 bytes of MD5, 20 of SHA-1 and 64 of SHA-512.
  consuming func finish() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 100) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      unsafe checksums_end(&state, start)
      count = 100
    }
  }
}
