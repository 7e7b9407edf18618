// LEB128 (DWARF, appendix C): seven bits of a number a byte, the lowest first; the top bit says that more bytes come. The
// signed form fills what is above its last byte with that byte's second-highest bit.

extension ByteReader {
  /// The unsigned number at the cursor, which moves behind it.
  @_lifetime(self: copy self)
  mutating func readULEB128(_ field: @autoclosure () -> String) throws(FormatError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte: UInt8 = try read(field())
      let bits = UInt64(byte & 0x7F)
      // Bytes of nothing but zeros may follow, as some assemblers fill room with them.
      guard bits == 0 || shift < 64 && (bits << shift) >> shift == bits else {
        throw .invalid(field(), at: start, "the number has more than 64 bits")
      }
      if shift < 64 { value |= bits << shift }
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
  }

  /// Moves the cursor over a number of either form.
  @_lifetime(self: copy self)
  mutating func skipLEB128(_ field: @autoclosure () -> String) throws(FormatError) {
    while try read(field(), as: UInt8.self) & 0x80 != 0 {}
  }
}
