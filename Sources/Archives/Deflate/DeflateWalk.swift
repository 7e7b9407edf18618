/// Finds the last block of a raw deflate stream (RFC 1951) without inflating it: codes are read and their lengths added
/// up, nothing is copied. Twice as fast as zlib's inflate, which could tell the same (Z_BLOCK).
///
/// ```
/// block    3 bits: BFINAL, BTYPE (0 stored, 1 fixed codes, 2 codes of its own); then
/// stored   up to the next byte; length and its complement, 2 bytes each; the bytes
/// codes    HLIT 5, HDIST 5, HCLEN 4; 3 bits for each code length code; the code lengths, packed by these
/// data     literals (0 … 255); lengths (257 … 285) with extra bits, a distance code (0 … 29) with extra bits; 256: end
/// ```
///
/// The stream is our own compressor's. Still, nothing of it is believed: what is no deflate gives nil.
package struct DeflateWalk {
  /// An entry of `symbols`: in the low 6 bits how many bits to pass over, then what follows.
  private static let lengthFlag: UInt16 = 1 << 6  // a distance code
  private static let endFlag: UInt16 = 1 << 7  // the next block
  private static let longFlag: UInt16 = 1 << 8  // a code of more bits than the table has
  private static let width = 10

  /// By the next 10 bits: as many literals as they hold, and, if it begins in them, the length behind these.
  private var symbols = [UInt16](repeating: 0, count: 1 << width)
  private var single = [UInt16](repeating: 0, count: 1 << width)
  private var distances = [UInt16](repeating: 0, count: 1 << width)
  private var lengths = [UInt8](repeating: 0, count: 320)
  private var symbolCode = CanonicalCode()
  private var distanceCode = CanonicalCode()

  package init() {}

  /// Zeros that must stand behind the stream: it is read ahead of, by up to 8 bytes, 8 at a time.
  package static let padding = 16

  /// Where the last block's header and the stream's end are, in bits from the start. `bytes` end in the padding.
  package mutating func lastBlock(of bytes: Span<UInt8>) -> (header: Int, end: Int)? {
    var input = BitInput()
    let limit = (bytes.count - Self.padding) * 8
    while true {
      let header = input.position
      guard header + 3 <= limit else { return nil }
      input.refill(bytes)
      let isFinal = input.take(1) == 1
      switch input.take(2) {
      case 0:
        let start = (input.position + 7) & ~7
        guard start + 32 <= limit else { return nil }
        input.move(to: start, bytes)
        let length = input.take(16)
        guard input.take(16) == ~length & 0xFFFF else { return nil }
        guard start + 32 + 8 * length <= limit else { return nil }
        input.move(to: start + 32 + 8 * length, bytes)
      case 1:
        for symbol in 0..<288 { lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8 }
        for symbol in 288..<320 { lengths[symbol] = 5 }
        guard makeTables(288, 32), passData(&input, bytes) else { return nil }
      case 2:
        guard readLengths(&input, bytes) else { return nil }
        guard passData(&input, bytes) else { return nil }
      default: return nil
      }
      guard input.position <= limit else { return nil }
      if isFinal { return (header, input.position) }
    }
  }

  private mutating func readLengths(_ input: inout BitInput, _ bytes: Span<UInt8>) -> Bool {
    input.refill(bytes)
    let symbolCount = 257 + input.take(5)
    let distanceCount = 1 + input.take(5)
    let codeCount = 4 + input.take(4)
    guard symbolCount <= 286 else { return false }
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeCount {
      input.refill(bytes)
      codeLengths[Self.codeOrder[index]] = UInt8(input.take(3))
    }
    var code = CanonicalCode()
    guard code.assign(codeLengths[...]) else { return false }
    var index = 0
    while index < symbolCount + distanceCount {
      input.refill(bytes)
      guard let symbol = code.read(from: &input) else { return false }
      switch symbol {
      case 0..<16:
        lengths[index] = UInt8(symbol)
        index += 1
      default:
        guard symbol != 16 || index > 0 else { return false }
        let value = symbol == 16 ? lengths[index - 1] : 0
        let count = symbol == 16 ? 3 + input.take(2) : symbol == 17 ? 3 + input.take(3) : 11 + input.take(7)
        guard index + count <= symbolCount + distanceCount else { return false }
        for _ in 0..<count {
          lengths[index] = value
          index += 1
        }
      }
    }
    return makeTables(symbolCount, distanceCount)
  }

  private mutating func makeTables(_ symbolCount: Int, _ distanceCount: Int) -> Bool {
    guard symbolCode.assign(lengths[..<symbolCount]),
      distanceCode.assign(lengths[symbolCount..<(symbolCount + distanceCount)])
    else { return false }
    symbolCode.fill(&single, width: Self.width, long: Self.longFlag) { symbol, length in Self.entry(symbol, length) }
    distanceCode.fill(&distances, width: Self.width, long: Self.longFlag) { symbol, length in
      UInt16(length + (symbol < 4 ? 0 : symbol < 30 ? symbol / 2 - 1 : 0))
    }
    for index in symbols.indices {
      var entry = single[index]
      var used = Int(entry & 63)
      while entry & ~63 == 0, used > 0, used < Self.width {
        let next = single[index >> used]
        let length = Int(next & 63) - (next & Self.lengthFlag == 0 ? 0 : Int(next >> 9))
        // The bits above the index are not known: only what is sure by those that are there counts.
        guard next & Self.longFlag == 0, length > 0, used + length <= Self.width else { break }
        entry = next & (Self.lengthFlag | Self.endFlag) | UInt16(used) + next & 63
        used = Int(entry & 63)
      }
      symbols[index] = entry
    }
    return true
  }

  /// A literal's, the end's or a length's entry; a length's extra bits are in its upper bits once more.
  private static func entry(_ symbol: Int, _ length: Int) -> UInt16 {
    if symbol < 256 { return UInt16(length) }
    if symbol == 256 { return UInt16(length) | endFlag }
    let extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4
    return UInt16(length + extra) | lengthFlag | UInt16(extra) << 9
  }

  /// Passes over a block's data, to behind its end code.
  private func passData(_ outer: inout BitInput, _ bytes: Span<UInt8>) -> Bool {
    let mask = UInt64(1 << Self.width - 1)
    // Copies, so that they are kept in registers.
    var input = outer
    let symbols = symbols.span
    let distances = distances.span
    while true {
      // 56 bits: a length and its extra bits take up to 20, a distance and its own 28.
      guard input.refill(bytes) else { return false }
      var entry = symbols[Int(truncatingIfNeeded: input.bits & mask)]
      if entry & Self.longFlag != 0 {
        guard let symbol = symbolCode.read(from: &input) else { return false }
        entry = Self.entry(symbol, 0)
      } else if entry == 0 {
        return false
      }
      input.drop(Int(entry & 63))
      if entry & Self.endFlag != 0 {
        outer = input
        return true
      }
      if entry & Self.lengthFlag == 0 { continue }
      let distance = distances[Int(truncatingIfNeeded: input.bits & mask)]
      if distance & Self.longFlag != 0 {
        guard let symbol = distanceCode.read(from: &input), symbol < 30 else { return false }
        input.drop(symbol < 4 ? 0 : symbol / 2 - 1)
      } else if distance == 0 {
        return false
      } else {
        input.drop(Int(distance & 63))
      }
    }
  }

  private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
}

/// A canonical Huffman code (RFC 1951, 3.2.2): codes of one length are consecutive, in the order of their symbols.
private struct CanonicalCode {
  private var counts = [Int](repeating: 0, count: 16)
  private var symbols: [Int] = []

  /// False if there are more codes than bits for them.
  mutating func assign(_ lengths: ArraySlice<UInt8>) -> Bool {
    for length in counts.indices { counts[length] = 0 }
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    var left = 1
    var offsets = [Int](repeating: 0, count: 17)
    for length in 1...15 {
      left = left << 1 - counts[length]
      guard left >= 0 else { return false }
      offsets[length + 1] = offsets[length] + counts[length]
    }
    symbols = [Int](repeating: 0, count: offsets[16])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[offsets[Int(length)]] = symbol
      offsets[Int(length)] += 1
    }
    return true
  }

  /// Fills a table by the next `width` bits; codes that are longer get `long`, bits that begin no code 0.
  func fill(_ table: inout [UInt16], width: Int, long: UInt16, _ entry: (Int, Int) -> UInt16) {
    for index in table.indices { table[index] = 0 }
    var code = 0
    var next = 0
    for length in 1...15 {
      for _ in 0..<counts[length] {
        // Codes are packed from their first bit on, numbers from their last.
        let reversed = Int(UInt16(code).bitReversed >> UInt16(16 - length))
        if length > width {
          table[reversed & (1 << width - 1)] = long
        } else {
          let value = entry(symbols[next], length)
          for index in stride(from: reversed, to: 1 << width, by: 1 << length) { table[index] = value }
        }
        code += 1
        next += 1
      }
      code <<= 1
    }
  }

  /// Reads one code, bit by bit: for the few that are in no table.
  @inline(__always)
  func read(from input: inout BitInput) -> Int? {
    var copy = input
    let symbol = read(&copy)
    input = copy
    return symbol
  }

  @inline(never)
  private func read(_ input: inout BitInput) -> Int? {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      code |= input.take(1)
      if code - counts[length] < first { return symbols[index + code - first] }
      index += counts[length]
      first = (first + counts[length]) << 1
      code <<= 1
    }
    return nil
  }
}

/// Bits from the first of a byte on; the bytes are passed in, since a type that keeps a span is not to be had yet.
private struct BitInput {
  /// The next bits; `count` of them are there for sure.
  private(set) var bits: UInt64 = 0
  private var count = 0
  private var next = 0

  /// Of the next bit, from the stream's start.
  var position: Int { next * 8 - count }

  /// At least 56 bits; false at the end of the bytes.
  @inline(__always) @discardableResult
  mutating func refill(_ bytes: Span<UInt8>) -> Bool {
    guard let word = bytes.word(at: next) else { return false }
    // The bits above `count` are those of the bytes that are read again the next time: the same.
    bits |= word &<< UInt64(truncatingIfNeeded: count)
    next &+= (63 &- count) >> 3
    count |= 56
    return true
  }

  @inline(__always)
  mutating func take(_ width: Int) -> Int {
    let value = Int(bits & (1 << UInt64(width) - 1))
    drop(width)
    return value
  }

  @inline(__always)
  mutating func drop(_ width: Int) {
    bits &>>= UInt64(truncatingIfNeeded: width)
    count &-= width
  }

  mutating func move(to position: Int, _ bytes: Span<UInt8>) {
    (next, bits, count) = (position >> 3, 0, 0)
    refill(bytes)
    drop(position & 7)
  }
}

extension UInt16 {
  fileprivate var bitReversed: UInt16 {
    var value = self
    value = value >> 8 | value << 8
    value = (value & 0xF0F0) >> 4 | (value & 0x0F0F) << 4
    value = (value & 0xCCCC) >> 2 | (value & 0x3333) << 2
    return (value & 0xAAAA) >> 1 | (value & 0x5555) << 1
  }
}
