internal import CHash

/// SHA-256 in the making, by the system's library. A copy goes on by itself.
struct SHA256 {
  private var state = hash_state()

  /// Of a digest, in bytes.
  static let size = 32

  init() { unsafe hash_begin(&state) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe hash_add(&state, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  mutating func update(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

  mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

  func digest() -> Digest {
    var state = state
    return Digest(first32: unsafe SHA256.filled { output in unsafe hash_end(&state, output) })
  }

  /// The HMAC (RFC 2104) of the bytes.
  static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    unsafe filled { output in unsafe hash_code(key, key.count, bytes, bytes.count, output) }
  }

  private static func filled(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      unsafe body(start)
      count = size
    }
  }
}
