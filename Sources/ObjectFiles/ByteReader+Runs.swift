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

  func holds(_ part: Range<Int>) -> Bool {
    part.lowerBound >= range.lowerBound && part.upperBound <= range.upperBound
  }
}
