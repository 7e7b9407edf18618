// LLVM's "Bitcode File Format": a stream of bits, lowest first in each byte, of blocks and records.
//
//   abbreviation id   as many bits as the block says (2 outside of all blocks), then, by the id:
//   0 END_BLOCK       to the next 32 bits; the block is over
//   1 ENTER_SUBBLOCK  block id vbr8, width of ids vbr4, to the next 32 bits, length in 32-bit words 32
//   2 DEFINE_ABBREV   number of operands vbr5; each: 1 and a literal vbr8, or 0, encoding 3 and its width vbr5
//                     (1 fixed, 2 vbr; 3 array, 4 char6, 5 blob have none)
//   3 UNABBREV        code vbr6, number of operands vbr6, operands vbr6
//   4…                a record of the abbreviation of that number
//
//   vbrN              N bits at a time, of which the highest says that more follow
//   array             length vbr6, then elements of the last operand's encoding; char6 is [a-zA-Z0-9._]
//   blob              length vbr6, to the next 32 bits, bytes, to the next 32 bits
//
// Block 0 (BLOCKINFO) holds abbreviations for other blocks: a record [1, block id] says for which.

/// A cursor over bits. Every read is checked; offsets in errors are those of bytes.
struct BitReader: ~Escapable {
  private let bytes: ByteReader
  /// In bits from the start of the window.
  private(set) var position = 0
  /// In bits.
  let end: Int

  @_lifetime(copy bytes)
  init(_ bytes: borrowing ByteReader) throws(FormatError) {
    self.bytes = try bytes.slice(bytes.range, "bitcode", .little)
    end = bytes.count * 8
  }

  var isAtEnd: Bool { end - position < 32 }

  /// The offset of the byte that is read next.
  var offset: Int { bytes.range.lowerBound + position / 8 }

  func error(_ field: String, _ text: String) -> FormatError {
    .invalid(field, at: offset, text)
  }

  @_lifetime(self: copy self)
  mutating func fixed(_ width: Int) throws(FormatError) -> UInt64 {
    guard width <= 64 else { throw error("bitcode", "a number of \(width) bits") }
    guard width <= end - position else {
      throw .truncated("bitcode", at: offset, needed: (width + 7) / 8, available: (end - position) / 8)
    }
    let place = bytes.range.lowerBound + position / 8
    let shift = position % 8
    // Eight bytes are read at once, but single bytes near the end of the file and for a number that reaches into a
    // ninth byte.
    if shift + width <= 64, bytes.range.upperBound - place >= 8 {
      let word: UInt64 = try bytes.integer(at: place, "bitcode")
      position += width
      return word >> UInt64(shift) & (width == 64 ? .max : (1 << UInt64(width)) - 1)
    }
    var value: UInt64 = 0
    var done = 0
    while done < width {
      let byte: UInt8 = try bytes.integer(at: bytes.range.lowerBound + position / 8, "bitcode")
      let shift = position % 8
      let taken = min(8 - shift, width - done)
      let part = UInt64(byte >> UInt8(shift)) & ((1 << UInt64(taken)) - 1)
      value |= part << UInt64(done)
      done += taken
      position += taken
    }
    return value
  }

  @_lifetime(self: copy self)
  mutating func variable(_ width: Int) throws(FormatError) -> UInt64 {
    guard width > 1, width <= 32 else { throw error("bitcode", "a number in steps of \(width) bits") }
    let more: UInt64 = 1 << UInt64(width - 1)
    var value: UInt64 = 0
    var shift = 0
    while true {
      let part = try fixed(width)
      guard shift < 64 else { throw error("bitcode", "a number of more than 64 bits") }
      value |= (part & (more - 1)) << UInt64(shift)
      if part & more == 0 { return value }
      shift += width - 1
    }
  }

  @_lifetime(self: copy self)
  mutating func align() throws(FormatError) {
    let next = (position + 31) / 32 * 32
    guard next <= end else { throw error("bitcode", "the file ends within a word") }
    position = next
  }

  /// Skips `count` bytes and returns their range in the file.
  @_lifetime(self: copy self)
  mutating func skip(bytes count: UInt64) throws(FormatError) -> Range<Int> {
    guard count <= UInt64((end - position) / 8) else { throw .outOfBounds("bitcode", at: offset) }
    let start = offset
    position += Int(count) * 8
    return start..<(start + Int(count))
  }
}

/// The encoding of a record's operand. An abbreviation is a list of them.
enum BitOperand {
  case literal(UInt64)
  case fixed(Int)
  case variable(Int)
  case array
  case character
  case blob

  /// Whether it has bits in the stream.
  var takesRoom: Bool {
    switch self {
    case .fixed, .variable, .character: true
    case .literal, .array, .blob: false
    }
  }
}

struct BitRecord {
  var code = 0
  var operands: [UInt64] = []
  var blob: Range<Int>?
}
