// An index of names by their hashes of 48 bits, each name with the number of its owner. As bytes, numbers little-endian:
//
//   for each of 2^bits buckets 4: the number of its first name; then of all names, in the order of the buckets: bits 8 to 39
//   of the hashes, 4 each; bits 0 to 7, 1 each; the owners, 1 each
//
// A name's bucket is told by the uppermost bits of its hash, at least 8: with them the hash is whole.

/// Where an index of names stands in a file.
package struct HashIndex: Sendable {
  /// An absolute offset.
  package let start: Int
  /// How many names it has.
  package let count: Int
  private let bits: Int

  /// Only so many owners have numbers.
  package static let ownerLimit = 256
  /// At least so many names to a bucket, less than twice as many, if there are some thousands: two machine words hold a
  /// byte of each.
  private static let bucketSize = 6
  /// So that the buckets of millions of names still fit into a processor's cache.
  private static let bitLimit = 20

  /// An absolute offset of a file, or 0 while there is no file yet.
  package init(start: Int = 0, count: Int) {
    self.start = start
    self.count = count
    let buckets = count / HashIndex.bucketSize
    bits = min(max(8, Int.bitWidth - buckets.leadingZeroBitCount - 1), HashIndex.bitLimit)
  }

  /// In bytes.
  package var size: Int { 4 << bits + 6 * count }

  fileprivate var bucketCount: Int { 1 << bits }
  fileprivate var upper: Int { start + 4 << bits }
  fileprivate var lower: Int { upper + 4 * count }
  fileprivate var owners: Int { lower + count }
  fileprivate var shift: UInt64 { UInt64(48 - bits) }
}

// MARK: - Reading it

extension ByteReader {
  /// Whether the buckets follow one another, and every name is of one of so many owners: what its readers rely on.
  package func isSound(_ index: HashIndex, owners: Int) -> Bool {
    guard holds(index) else { return false }
    var last = 0
    for bucket in 0...index.bucketCount {
      let first = first(bucket, index)
      if first < last || (bucket == 0 && first != 0) { return false }
      last = first
    }
    return (0..<index.count).allSatisfy { Int(load(at: index.owners + $0, as: UInt8.self)) < owners }
  }

  /// Appends whom the index names as owners of these hashes.
  package func find(
    _ hashes: ArraySlice<UInt64>, in index: HashIndex, to output: inout [(hash: UInt64, owner: Int)]
  ) {
    guard holds(index) else { return }
    for hash in hashes where hash >> 48 == 0 {
      let bucket = Int(truncatingIfNeeded: hash >> index.shift)
      let names = first(bucket, index)..<max(first(bucket, index), first(bucket &+ 1, index))
      // Nearly always one look at the lower bits tells that it is not there: they are close together.
      if names.count <= 16, index.count >= 16 {
        let lower = index.lower &+ names.lowerBound
        let wanted = (hash & 0xFF) &* 0x0101_0101_0101_0101
        let (first, second): (UInt64, UInt64) = (load(at: lower), load(at: lower &+ 8))
        if Self.zeros(in: first ^ wanted) | Self.zeros(in: second ^ wanted) == 0 { continue }
      }
      for name in names where load(at: index.lower &+ name, as: UInt8.self) == UInt8(truncatingIfNeeded: hash) {
        guard UInt32(littleEndian: load(at: index.upper &+ 4 &* name)) == UInt32(truncatingIfNeeded: hash >> 8) else {
          continue
        }
        output.append((hash, Int(load(at: index.owners &+ name, as: UInt8.self))))
      }
    }
  }

  /// The numbers of the names whose hashes have such uppermost 8 bits.
  package func names(uppermost: Range<Int>, in index: HashIndex) -> Range<Int> {
    guard holds(index), uppermost.lowerBound >= 0, uppermost.upperBound <= 256 else { return 0..<0 }
    let width = index.bucketCount / 256
    let (start, end) = (first(uppermost.lowerBound * width, index), first(uppermost.upperBound * width, index))
    return start..<max(start, end)
  }

  /// Appends bits 8 to 39 of the hashes of names.
  package func appendMiddles(of names: Range<Int>, in index: HashIndex, to output: inout [UInt32]) {
    guard names.lowerBound >= 0, names.upperBound <= index.count else { return }
    append((index.upper + 4 * names.lowerBound)..<(index.upper + 4 * names.upperBound), to: &output)
  }

  /// A name by its number. Nil if there is none.
  package func name(_ name: Int, in index: HashIndex) -> (hash: UInt64, owner: Int)? {
    guard holds(index), name >= 0, name < index.count else { return nil }
    var (low, high) = (0, 255)
    while low < high {
      let middle = (low + high + 1) / 2
      if first(middle * (index.bucketCount / 256), index) <= name { low = middle } else { high = middle - 1 }
    }
    return (hash(name, UInt64(low), index), Int(load(at: index.owners + name, as: UInt8.self)))
  }

  /// Appends all names of some owners, in the order of the buckets.
  package func appendNames(
    of isWanted: [Bool], in index: HashIndex, to output: inout [(hash: UInt64, owner: Int)]
  ) {
    for uppermost in 0..<256 {
      for name in names(uppermost: uppermost..<(uppermost + 1), in: index) {
        let owner = Int(load(at: index.owners + name, as: UInt8.self))
        guard owner < isWanted.count, isWanted[owner] else { continue }
        output.append((hash(name, UInt64(uppermost), index), owner))
      }
    }
  }

  /// The first name of a bucket; behind the last bucket, the end.
  private func first(_ bucket: Int, _ index: HashIndex) -> Int {
    if bucket >= index.bucketCount { return index.count }
    return min(Int(UInt32(littleEndian: load(at: index.start &+ 4 &* bucket))), index.count)
  }

  private func hash(_ name: Int, _ uppermost: UInt64, _ index: HashIndex) -> UInt64 {
    let middle = UInt64(UInt32(littleEndian: load(at: index.upper + 4 * name)))
    return uppermost << 40 | middle << 8 | UInt64(load(at: index.lower + name, as: UInt8.self))
  }

  private func holds(_ index: HashIndex) -> Bool { holds(index.start..<(index.start + index.size)) }
}

// MARK: - Writing it

/// Hashes in the order of their uppermost 8 bits: what an index is made of. Of a hash of 64 bits the upper 48 count.
package struct PartedHashes: Sendable {
  fileprivate let hashes: [UInt64]
  /// Of each value of these bits, and the end.
  fileprivate let starts: [Int]

  package init(_ hashes: [UInt64]) {
    var starts = [Int](repeating: 0, count: 257)
    var counts = starts.mutableSpan
    for hash in hashes { counts[Int(truncatingIfNeeded: hash >> 56) + 1] += 1 }
    for part in 1...256 { counts[part] += counts[part - 1] }
    self.starts = starts
    var places = starts.mutableSpan
    var parted = [UInt64](repeating: 0, count: hashes.count)
    var output = parted.mutableSpan
    for hash in hashes {
      let part = Int(truncatingIfNeeded: hash >> 56)
      output[places[part]] = hash
      places[part] += 1
    }
    self.hashes = parted
  }

  package var count: Int { hashes.count }

  fileprivate func range(_ part: Int) -> Range<Int> { starts[part]..<starts[part + 1] }
}

extension HashIndex {
  /// Appends an index. `names`: by owner.
  package static func append(_ names: [(owner: Int, hashes: PartedHashes)], to bytes: inout [UInt8]) {
    let index = HashIndex(count: names.reduce(0) { $0 + $1.hashes.count })
    var (starts, upper, lower, owners) = ([UInt8](), [UInt8](), [UInt8](), [UInt8]())
    starts.reserveCapacity(4 * index.bucketCount)
    upper.reserveCapacity(4 * index.count)
    lower.reserveCapacity(index.count)
    owners.reserveCapacity(index.count)
    // What has the same uppermost bits fits into a processor's cache.
    var sorted: [UInt64] = []
    for part in 0..<256 {
      let places = index.sort(names, part, to: &sorted)
      starts.append(addingCapacity: 4 * places.count) { room in
        for place in places { room.append(littleEndian: UInt32(truncatingIfNeeded: lower.count + place)) }
      }
      upper.append(addingCapacity: 4 * sorted.count) { room in
        for name in sorted { room.append(littleEndian: UInt32(truncatingIfNeeded: name >> 24)) }
      }
      lower.append(addingCapacity: sorted.count) { room in
        for name in sorted { room.append(UInt8(truncatingIfNeeded: name >> 16)) }
      }
      owners.append(addingCapacity: sorted.count) { room in
        for name in sorted { room.append(UInt8(truncatingIfNeeded: name)) }
      }
    }
    for plane in [starts, upper, lower, owners] { bytes += plane }
  }

  /// The names of a part by buckets, the owner in the lower 16 bits, and where the names of each bucket begin.
  private func sort(
    _ names: [(owner: Int, hashes: PartedHashes)], _ part: Int, to sorted: inout [UInt64]
  ) -> [Int] {
    let (shift, mask) = (self.shift + 16, UInt64(bucketCount / 256 - 1))
    func bucket(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> shift & mask) }
    var starts = [Int](repeating: 0, count: bucketCount / 256)
    var counts = starts.mutableSpan
    for (_, hashes) in names {
      let all = hashes.hashes.span
      for index in hashes.range(part) { counts[bucket(all[index])] += 1 }
    }
    var next = 0
    for bucket in counts.indices { (counts[bucket], next) = (next, next + counts[bucket]) }
    if sorted.count < next { sorted += [UInt64](repeating: 0, count: next - sorted.count) }
    sorted.removeLast(sorted.count - next)
    var places = starts
    var free = places.mutableSpan
    var output = sorted.mutableSpan
    for (owner, hashes) in names {
      let all = hashes.hashes.span
      for index in hashes.range(part) {
        let bucket = bucket(all[index])
        output[free[bucket]] = all[index] & ~0xFFFF | UInt64(owner)
        free[bucket] += 1
      }
    }
    return starts
  }
}

extension OutputSpan<UInt8> {
  @inline(__always)
  fileprivate mutating func append(littleEndian number: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
