/// A digest in the making: bytes go in, in order, in pieces of any size.
package struct DigestBuilder {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: RawSpan) { hash.update(bytes) }

  package mutating func update(_ bytes: [UInt8]) { hash.update(bytes) }

  /// The text's UTF-8 bytes.
  package mutating func update(_ text: String) { update(Array(text.utf8)) }

  /// The digest of all that went in. More may follow afterwards: this one does not change.
  package func finish() -> Digest { hash.digest() }
}
