/// Tells contents from each other without their bytes.
package struct ContentChecksum: Hashable, Sendable {
  /// In bytes, the lowest 32 bits of the size.
  package let size: UInt32
  package let crc32: UInt32

  package init(size: Int, crc32: UInt32) {
    self.size = UInt32(truncatingIfNeeded: size)
    self.crc32 = crc32
  }
}
