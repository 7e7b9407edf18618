// Many integers at once: both ends are checked before the first of them.
extension ByteReader {
  /// Appends the little-endian integers of an absolute range. Nothing if the range is not in the window.
  package func append(_ part: Range<Int>, to output: inout [UInt32]) {
    guard holds(part) else { return }
    let count = part.count / 4
    output.append(addingCapacity: count) { room in
      for index in 0..<count { room.append(UInt32(littleEndian: load(at: part.lowerBound + 4 * index))) }
    }
  }

  /// Appends `count` integers of 48 bits: the upper 32 of each stand from `upper` on, the lower 16 from `lower` on.
  package func append48(upper: Int, lower: Int, count: Int, to output: inout [UInt64]) {
    guard count >= 0, count <= self.count / 6, holds(upper..<(upper + 4 * count)), holds(lower..<(lower + 2 * count))
    else { return }
    output.append(addingCapacity: count) { room in
      for index in 0..<count {
        let high = UInt32(littleEndian: load(at: upper + 4 * index))
        let low = UInt16(littleEndian: load(at: lower + 2 * index))
        room.append(UInt64(high) << 16 | UInt64(low))
      }
    }
  }

  /// Appends the numbers of those 4-byte integers of an absolute range whose uppermost bits are marked in both tables. A
  /// table has a bit for each value of so many of them, a power of two; `fine` is asked only where `coarse` says yes.
  package func appendNumbers(
    in part: Range<Int>, marked coarse: [UInt64], _ fine: [UInt64], to output: inout [Int]
  ) {
    guard holds(part), let shift = Self.shift(coarse), let fineShift = Self.shift(fine) else { return }
    let (coarse, fine) = (coarse.span, fine.span)
    let count = part.count / 4
    func number(_ index: Int) -> UInt32 { UInt32(littleEndian: load(at: part.lowerBound &+ 4 &* index)) }
    func mark(_ number: UInt32) -> UInt64 {
      let place = number >> shift
      return coarse[Int(truncatingIfNeeded: place >> 6)] >> UInt64(place & 63)
    }
    func add(_ index: Int) {
      let number = number(index)
      let place = number >> fineShift
      guard mark(number) & 1 != 0, fine[Int(truncatingIfNeeded: place >> 6)] >> UInt64(place & 63) & 1 != 0 else {
        return
      }
      output.append(index)
    }
    var index = 0
    // Hardly any is marked: four at a time are looked at before anything is decided.
    while index &+ 4 <= count {
      let found =
        mark(number(index)) | mark(number(index &+ 1)) | mark(number(index &+ 2)) | mark(number(index &+ 3))
      if found & 1 != 0 { for next in index..<(index + 4) { add(next) } }
      index &+= 4
    }
    for next in index..<count { add(next) }
  }

  private static func shift(_ marks: [UInt64]) -> UInt32? {
    guard !marks.isEmpty, marks.count & (marks.count - 1) == 0, marks.count <= 1 << 26 else { return nil }
    return UInt32(32 - 6 - marks.count.trailingZeroBitCount)
  }

  /// Of 4-byte integers in the order of their uppermost 8 bits, from `start` on: how many have such bits below `bits`.
  package func count(uppermostBelow bits: Int, start: Int, count: Int) -> Int {
    guard count >= 0, count <= self.count / 4, holds(start..<(start + 4 * count)) else { return 0 }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if Int(load(at: start + 4 * middle + 3, as: UInt8.self)) < bits { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The integer of 48 bits whose upper 32 stand at `upper`, the lower 16 at `lower`. 0 if they are not in the window.
  package func integer48(upper: Int, lower: Int) -> UInt64 {
    guard holds(upper..<(upper + 4)), holds(lower..<(lower + 2)) else { return 0 }
    return UInt64(UInt32(littleEndian: load(at: upper))) << 16 | UInt64(UInt16(littleEndian: load(at: lower)))
  }

  /// Of the bytes of an absolute range: it tells whether they are what they were, to anybody who means no harm. 0 if the
  /// range is not in the window.
  package func sum(of part: Range<Int>) -> UInt64 {
    guard holds(part) else { return 0 }
    var (sums, position) = ((UInt64(part.count), UInt64(1), UInt64(2), UInt64(3)), part.lowerBound)
    while part.upperBound - position >= 32 {
      sums.0 = sums.0 &* 31 &+ UInt64(littleEndian: load(at: position))
      sums.1 = sums.1 &* 31 &+ UInt64(littleEndian: load(at: position + 8))
      sums.2 = sums.2 &* 31 &+ UInt64(littleEndian: load(at: position + 16))
      sums.3 = sums.3 &* 31 &+ UInt64(littleEndian: load(at: position + 24))
      position += 32
    }
    while position < part.upperBound {
      sums.0 = sums.0 &* 31 &+ UInt64(load(at: position, as: UInt8.self))
      position += 1
    }
    return ((sums.0 &* 37 &+ sums.1) &* 37 &+ sums.2) &* 37 &+ sums.3
  }

  private func holds(_ part: Range<Int>) -> Bool {
    part.lowerBound >= range.lowerBound && part.upperBound <= range.upperBound
  }
}
