// LEB128 (DWARF, appendix C): each byte has seven bits of a number, the lowest first; its top bit says that more
// bytes follow. The second-highest bit of the last byte is the sign of the signed form.

extension ByteReader {
  /// The unsigned number at the cursor, which moves behind it.
  @_lifetime(self: copy self)
  package mutating func readULEB128(_ field: @autoclosure () -> String) throws(FormatError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte: UInt8 = try read(field())
      let bits = UInt64(byte & 0x7F)
      // Bytes whose seven bits are zero may follow: some assemblers pad with them.
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
  package mutating func skipLEB128(_ field: @autoclosure () -> String) throws(FormatError) {
    while try read(field(), as: UInt8.self) & 0x80 != 0 {}
  }
}
