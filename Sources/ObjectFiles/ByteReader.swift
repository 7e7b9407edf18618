package enum Endianness: Sendable {
  case little, big
}

/// A cursor over borrowed bytes: every read is checked, every error says where and what.
///
/// A reader is a *window* of the outermost file. All offsets count from the start of that file, so that a range found
/// in one window can be used in another, kept, and shown. A copy of a reader is free and has a cursor of its own.
///
/// The bytes come from outside (memory mapping, an inflated entry); a reader cannot outlive them.
package struct ByteReader: ~Escapable {
  private let bytes: RawSpan
  /// The window, in bytes of the outermost file.
  package let range: Range<Int>
  /// Where the next sequential read begins. Always within `range`, its end included.
  package private(set) var offset: Int
  package var endianness: Endianness

  /// A reader of a whole file, or of a part of it that begins at `base`.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, base: Int = 0, endianness: Endianness = .little) {
    self.bytes = bytes
    self.range = base..<(base + bytes.byteCount)
    self.offset = base
    self.endianness = endianness
  }

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, base: Int = 0, endianness: Endianness = .little) {
    // Safe: the elements are bytes, so every one of them is initialized and there is no padding between them.
    self.init(unsafe bytes.bytes, base: base, endianness: endianness)
  }

  package var count: Int { bytes.byteCount }
  package var remaining: Int { range.upperBound - offset }
  package var span: RawSpan {
    @_lifetime(copy self)
    get { bytes }
  }

  // MARK: Sequential reads

  /// The integer at the cursor, which moves behind it. After an error the cursor has not moved.
  @_lifetime(self: copy self)
  package mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
    _ field: @autoclosure () -> String, as type: T.Type = T.self
  ) throws(FormatError) -> T {
    let value = try integer(at: offset, field(), as: T.self)
    offset += MemoryLayout<T>.size
    return value
  }

  @_lifetime(self: copy self)
  package mutating func skip(_ count: Int, _ field: @autoclosure () -> String) throws(FormatError) {
    guard count >= 0, count <= remaining else {
      throw .truncated(field(), at: offset, needed: count, available: remaining)
    }
    offset += count
  }

  /// Puts the cursor at an absolute offset within the window (its end included).
  @_lifetime(self: copy self)
  package mutating func seek(to target: Int, _ field: @autoclosure () -> String) throws(FormatError) {
    guard target >= range.lowerBound, target <= range.upperBound else { throw .outOfBounds(field(), at: target) }
    offset = target
  }

  // MARK: Random access

  /// The integer at an absolute offset.
  package func integer<T: FixedWidthInteger & BitwiseCopyable>(
    at position: Int, _ field: @autoclosure () -> String, as type: T.Type = T.self
  ) throws(FormatError) -> T {
    let size = MemoryLayout<T>.size
    guard position >= range.lowerBound, position <= range.upperBound else { throw .outOfBounds(field(), at: position) }
    guard size <= range.upperBound - position else {
      throw .truncated(field(), at: position, needed: size, available: range.upperBound - position)
    }
    let raw = load(at: position, as: T.self)
    return endianness == .little ? T(littleEndian: raw) : T(bigEndian: raw)
  }

  /// The address at an absolute offset: 8 bytes in a 64-bit file, else 4.
  package func address(
    at position: Int, is64Bit: Bool, _ field: @autoclosure () -> String
  ) throws(FormatError) -> UInt64 {
    is64Bit ? try integer(at: position, field()) : UInt64(try integer(at: position, field(), as: UInt32.self))
  }

  /// The only unsafe load of the module: callers have checked both ends. (RawSpan has no load that is fast in debug
  /// builds.)
  func load<T: FixedWidthInteger & BitwiseCopyable>(at position: Int, as type: T.Type = T.self) -> T {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position - range.lowerBound, as: T.self)
  }

  /// The part `part` of this window, with the cursor at its start. `order` is the part's byte order if it differs.
  @_lifetime(copy self)
  package func slice(
    _ part: Range<Int>, _ field: @autoclosure () -> String, _ order: Endianness? = nil
  ) throws(FormatError) -> ByteReader {
    guard holds(part) else { throw .outOfBounds(field(), at: part.lowerBound) }
    return ByteReader(extracting(part), base: part.lowerBound, endianness: order ?? endianness)
  }

  package func holds(_ part: Range<Int>) -> Bool {
    part.lowerBound >= range.lowerBound && part.upperBound <= range.upperBound
  }

  /// The bytes of an absolute range that lies in the window.
  @_lifetime(copy self)
  private func extracting(_ part: Range<Int>) -> RawSpan {
    bytes.extracting((part.lowerBound - range.lowerBound)..<(part.upperBound - range.lowerBound))
  }

  /// The range of `size` bytes at `start`, relative to the start of this window, as an absolute range; an error at
  /// `place` if any of it lies outside. A file's claims can be passed unchecked: overflow is handled.
  package func claimed(
    start: UInt64, size: UInt64, at place: Int, _ field: @autoclosure () -> String
  ) throws(FormatError) -> Range<Int> {
    let (end, overflow) = start.addingReportingOverflow(size)
    guard !overflow, end <= UInt64(count) else { throw .outOfBounds(field(), at: place) }
    return (range.lowerBound + Int(start))..<(range.lowerBound + Int(end))
  }

  /// The lowest NUL of eight bytes is the lowest byte whose top bit is set here. The caller has checked both ends.
  private func zeros(at position: Int) -> UInt64 { Self.zeros(in: UInt64(littleEndian: load(at: position))) }

  package static func zeros(in word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The range of a name in a table: from an absolute offset to the first NUL, or to the end of `part`. Nil if
  /// `position` is not in `part`.
  package func terminatedRange(at position: Int, in part: Range<Int>) -> Range<Int>? {
    guard part.contains(position), holds(part) else { return nil }
    var end = position
    // Most names are longer than a few words, so four words are tested at a time.
    while part.upperBound - end >= 32 {
      let marks = (zeros(at: end), zeros(at: end + 8), zeros(at: end + 16), zeros(at: end + 24))
      if marks.0 | marks.1 | marks.2 | marks.3 != 0 { break }
      end += 32
    }
    while part.upperBound - end >= 8 {
      let marks = zeros(at: end)
      if marks != 0 { return position..<(end + marks.trailingZeroBitCount / 8) }
      end += 8
    }
    while end < part.upperBound, load(at: end, as: UInt8.self) != 0 { end += 1 }
    return position..<end
  }

  /// A hash of the bytes of an absolute range, for tables of names: eight bytes at a time, each folded in by a
  /// multiplication of 64 by 64 bits. It is meaningless without `seed`. 0 if the range is not in the window.
  package func hash(of part: Range<Int>, seed: UInt64) -> UInt64 {
    holds(part) ? finishedHash(seed, from: part.lowerBound, part) : 0
  }

  /// `terminatedRange` and `hash` in one pass. Nil unless the name begins in `part` and `part` is in the window.
  package func terminatedHash(
    at position: Int, in part: Range<Int>, seed: UInt64
  ) -> (range: Range<Int>, hash: UInt64)? {
    guard part.contains(position), holds(part) else { return nil }
    var hash = seed
    var end = position
    while part.upperBound - end >= 8 {
      let word = UInt64(littleEndian: load(at: end))
      let marks = Self.zeros(in: word)
      if marks != 0 {
        let count = UInt64(marks.trailingZeroBitCount & ~7)
        end += Int(count / 8)
        return (position..<end, Self.finished(hash, word & (1 << count &- 1), end - position))
      }
      hash = Self.folded(hash ^ word, by: 0xA076_1D64_78BD_642F)
      end += 8
    }
    let rest = end
    while end < part.upperBound, load(at: end, as: UInt8.self) != 0 { end += 1 }
    return (position..<end, finishedHash(hash, from: rest, position..<end))
  }

  private func finishedHash(_ hash: UInt64, from position: Int, _ part: Range<Int>) -> UInt64 {
    var (hash, position) = (hash, position)
    while part.upperBound - position >= 8 {
      hash = Self.folded(hash ^ UInt64(littleEndian: load(at: position)), by: 0xA076_1D64_78BD_642F)
      position += 8
    }
    var (rest, shift): (UInt64, UInt64) = (0, 0)
    while position < part.upperBound {
      rest |= UInt64(load(at: position, as: UInt8.self)) << shift
      (position, shift) = (position + 1, shift + 8)
    }
    return Self.finished(hash, rest, part.count)
  }

  private static func finished(_ hash: UInt64, _ rest: UInt64, _ count: Int) -> UInt64 {
    folded(hash ^ rest, by: 0xE703_7ED1_A0B4_28DB ^ UInt64(truncatingIfNeeded: count))
  }

  private static func folded(_ value: UInt64, by factor: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }

  /// Whether one of two texts, of the same length and with the same first byte, stands somewhere in a part of the window.
  package func contains(_ text: [UInt8], or other: [UInt8], in part: Range<Int>) -> Bool {
    guard let first = text.first, text.count <= part.count, holds(part) else { return false }
    let (one, two) = (ByteReader(text.span), ByteReader(other.span))
    for place in part.lowerBound...part.upperBound - text.count where load(at: place, as: UInt8.self) == first {
      let own = place..<place + text.count
      if equals(own, one, one.range) || equals(own, two, two.range) { return true }
    }
    return false
  }

  /// Whether the bytes of an absolute range are those of another reader's range. False if either is not in its window.
  package func equals(_ part: Range<Int>, _ other: borrowing ByteReader, _ otherPart: Range<Int>) -> Bool {
    guard part.count == otherPart.count, holds(part), other.holds(otherPart) else { return false }
    let distance = otherPart.lowerBound - part.lowerBound
    var position = part.lowerBound
    while part.upperBound - position >= 8 {
      if load(at: position, as: UInt64.self) != other.load(at: position + distance, as: UInt64.self) { return false }
      position += 8
    }
    while position < part.upperBound {
      if load(at: position, as: UInt8.self) != other.load(at: position + distance, as: UInt8.self) { return false }
      position += 1
    }
    return true
  }

  /// Appends the bytes of an absolute range; nothing if it is not in the window.
  package func append(_ part: Range<Int>, to output: inout [UInt8]) {
    guard holds(part) else { return }
    unsafe extracting(part).withUnsafeBytes { unsafe output.append(contentsOf: $0) }
  }

  /// Does the same with memory that has room for the bytes; nothing if it has too little.
  @inline(__always)
  package func append(_ part: Range<Int>, to output: inout OutputSpan<UInt8>) {
    guard holds(part), part.count <= output.freeCapacity else { return }
    unsafe output.withUnsafeMutableBufferPointer { room, count in
      unsafe extracting(part).withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...])
          .copyMemory(from: source)
      }
      count += part.count
    }
  }

  /// Loads each cache line of an absolute range, in order, so that random accesses are fast afterwards. (An optimizer
  /// would remove the loads.)
  @_optimize(none)
  package func touch(_ part: Range<Int>) {
    guard holds(part) else { return }
    var position = part.lowerBound
    var seen: UInt8 = 0
    while position < part.upperBound {
      seen ^= load(at: position, as: UInt8.self)
      position += 64
    }
  }

  /// A copy of the bytes of an absolute range, meant for names. It is never longer than the window, whatever a file
  /// claims.
  package func copy(_ part: Range<Int>, _ field: @autoclosure () -> String) throws(FormatError) -> [UInt8] {
    guard holds(part) else { throw .outOfBounds(field(), at: part.lowerBound) }
    var result: [UInt8] = []
    append(part, to: &result)
    return result
  }

  package func firstIndex(of byte: UInt8, in part: Range<Int>) throws(FormatError) -> Int? {
    for position in part where try integer(at: position, "text", as: UInt8.self) == byte { return position }
    return nil
  }

  /// Whether the window's bytes begin with `prefix`, counted from an absolute offset (the start of the window if nil).
  package func starts(with prefix: StaticString, at position: Int? = nil) -> Bool {
    let start = position ?? range.lowerBound
    guard start >= range.lowerBound, prefix.utf8CodeUnitCount <= range.upperBound - start else { return false }
    for index in 0..<prefix.utf8CodeUnitCount
    where load(at: start + index, as: UInt8.self) != (unsafe prefix.utf8Start[index]) { return false }
    return true
  }
}
