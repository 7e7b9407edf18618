package import ObjectFiles
package import Store
import SystemPackage

/// Bytes with runs of hashes, in memory or mapped, for any number of runs.
package final class HashSource: Sendable {
  private let file: MappedFile

  package init(_ file: consuming MappedFile) { self.file = file }

  package init(_ bytes: [UInt8]) { file = MappedFile(bytes, path: "") }

  package func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    try file.withBytes { (bytes: RawSpan) throws(E) -> R in try body(ByteReader(bytes)) }
  }
}

/// Hashes of 48 bits: the upper 32 bits of all, then the lower 16 of all. What most of them are looked at for is to see that
/// they are not wanted, and the upper bits tell that. They are in the order of their uppermost 8 bits.
package struct HashRun: Sendable {
  private let source: HashSource
  private let start: Int
  package let count: Int

  /// The caller has seen to it that they are there.
  init(source: HashSource, start: Int, count: Int) {
    self.source = source
    self.start = start
    self.count = count
  }

  /// Appends the upper bits of those with these numbers.
  package func appendUpper(_ numbers: Range<Int>, to output: inout [UInt32]) {
    let part = (start + 4 * numbers.lowerBound)..<(start + 4 * numbers.upperBound)
    source.withReader { reader in reader.append(part, to: &output) }
  }

  /// All of them.
  package var hashes: [UInt64] {
    var hashes: [UInt64] = []
    source.withReader { $0.append48(upper: start, lower: start + 4 * count, count: count, to: &hashes) }
    return hashes
  }

  /// Appends the numbers of those whose uppermost bits are marked, as `ByteReader.appendNumbers` says.
  package func appendNumbers(marked coarse: [UInt64], _ fine: [UInt64], to output: inout [Int]) {
    source.withReader { $0.appendNumbers(in: start..<(start + 4 * count), marked: coarse, fine, to: &output) }
  }

  package func hash(of number: Int) -> UInt64 {
    source.withReader { $0.integer48(upper: start + 4 * number, lower: start + 4 * count + 2 * number) }
  }

  /// How many hashes have uppermost bits below `bits`.
  package func count(below bits: Int) -> Int {
    source.withReader { $0.count(uppermostBelow: bits, start: start, count: count) }
  }
}

/// The hashes in the order of their uppermost 8 bits.
func partitionedHashes(_ hashes: [UInt64]) -> [UInt64] {
  var places = [Int](repeating: 0, count: 257)
  for hash in hashes { places[Int(hash >> 56) + 1] += 1 }
  for index in 1...256 { places[index] += places[index - 1] }
  var sorted = [UInt64](repeating: 0, count: hashes.count)
  for hash in hashes {
    let part = Int(hash >> 56)
    sorted[places[part]] = hash
    places[part] += 1
  }
  return sorted
}
