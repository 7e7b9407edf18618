// These functions read many integers at once, and check both ends only once.
extension ByteReader {
  /// Appends the little-endian integers of an absolute range; nothing if the range is not in the window.
  package func append(_ part: Range<Int>, to output: inout [UInt32]) {
    guard holds(part) else { return }
    let count = part.count / 4
    output.append(addingCapacity: count) { room in
      for index in 0..<count { room.append(UInt32(littleEndian: load(at: part.lowerBound + 4 * index))) }
    }
  }

  /// A checksum of an absolute range, against accidents and not against malice. 0 if the range is not in the window.
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
}
