// The text of class files (Java Virtual Machine Specification, 4.4.7) is UTF-16, each unit of which is encoded as
// UTF-8 encodes a scalar of that number. So a scalar above U+FFFF has six bytes (ED A0…AF xx ED B0…BF xx), and one
// half of it can stand alone. U+0000 has two (C0 80).

extension ByteReader {
  /// The text of an absolute range; malformed bytes become U+FFFD.
  package func javaText(_ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    append(range, to: &bytes)
    return bytes.allSatisfy { $0 < 0x80 }
      ? String(decoding: bytes, as: UTF8.self) : String(decoding: ByteReader.units(bytes), as: UTF16.self)
  }

  private static func units(_ bytes: [UInt8]) -> [UInt16] {
    var units: [UInt16] = []
    var index = 0
    /// The six bits of the continuation byte at a distance from `index`.
    func rest(_ distance: Int) -> UInt16? {
      guard index + distance < bytes.count, bytes[index + distance] & 0xC0 == 0x80 else { return nil }
      return UInt16(bytes[index + distance] & 0x3F)
    }
    while index < bytes.count {
      let first = UInt16(bytes[index])
      switch first {
      case 0..<0x80:
        units.append(first)
        index += 1
        continue
      case 0xC0..<0xE0:
        if let second = rest(1) {
          units.append((first & 0x1F) << 6 | second)
          index += 2
          continue
        }
      case 0xE0..<0xF0:
        if let second = rest(1), let third = rest(2) {
          units.append((first & 0xF) << 12 | second << 6 | third)
          index += 3
          continue
        }
      default: break
      }
      units.append(0xFFFD)
      index += 1
    }
    return units
  }
}
