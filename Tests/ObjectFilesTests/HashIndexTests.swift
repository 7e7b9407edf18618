import ObjectFiles
import TestSupport
import Testing

/// An index of names against a dictionary of the same.
@Suite("index of names")
struct HashIndexTests {
  @Test("what is in it is found, and nothing else", arguments: [0, 1, 15, 16, 17, 300, 5000, 40_000])
  func finds(_ count: Int) {
    var random = Seeded(seed: count)
    for crowded in [false, true] {
      let sample = Sample(count, crowded: crowded, &random)
      let reader = ByteReader(sample.bytes.span)
      var wanted = Array(sample.owners.keys)
      // Hashes that differ from one that is there in one bit, and any.
      wanted += wanted.prefix(500).map { $0 ^ 1 << UInt64(random.number(48)) }
      wanted += (0..<500).map { _ in random.next() >> 16 }
      for hash in wanted.shuffled(using: &random) {
        var found: [(hash: UInt64, owner: Int)] = []
        reader.find([hash], in: sample.index, to: &found)
        #expect(found.map(\.owner).sorted() == sample.owners[hash, default: []])
        #expect(found.allSatisfy { $0.hash == hash })
      }
      var found: [(hash: UInt64, owner: Int)] = []
      reader.find([1 << 48, .max], in: sample.index, to: &found)
      #expect(found.isEmpty)
    }
  }

  @Test("names by number, by uppermost bits and by owner", arguments: [0, 7, 300, 20_000])
  func lists(_ count: Int) throws {
    var random = Seeded(seed: count)
    let sample = Sample(count, crowded: false, &random)
    let reader = ByteReader(sample.bytes.span)
    var next = 0
    for uppermost in 0..<256 {
      let names = reader.names(uppermost: uppermost..<(uppermost + 1), in: sample.index)
      #expect(names.lowerBound == next)
      next = names.upperBound
      var middles: [UInt32] = []
      reader.appendMiddles(of: names, in: sample.index, to: &middles)
      for (name, middle) in zip(names, middles) {
        let entry = reader.name(name, in: sample.index)
        let (hash, owner) = try #require(entry)
        #expect(hash >> 40 == UInt64(uppermost) && UInt32(truncatingIfNeeded: hash >> 8) == middle)
        #expect(sample.owners[hash, default: []].contains(owner))
      }
    }
    let all = reader.names(uppermost: 0..<256, in: sample.index)
    #expect(next == count && all == 0..<count)
    let outside = [count, -1].map { reader.name($0, in: sample.index) == nil }
    #expect(outside == [true, true])
    var some: [(hash: UInt64, owner: Int)] = []
    reader.appendNames(of: [false, true, false, true], in: sample.index, to: &some)
    let expected = sample.owners.flatMap { hash, owners in owners.filter { [1, 3].contains($0) }.map { (hash, $0) } }
    #expect(some.sorted { $0 < $1 }.elementsEqual(expected.sorted { $0 < $1 }, by: ==))
  }

  @Test("one whose owners or buckets cannot be is not sound")
  func unsound() {
    var random = Seeded(seed: 7)
    for _ in 0..<100 {
      let sample = Sample(1 + random.number(300), crowded: false, &random)
      let owners = 1 + (sample.owners.values.joined().max() ?? 0)
      // The first bucket begins with the first name.
      var bytes = sample.bytes
      bytes[sample.index.start] = 1
      let (reader, damaged) = (ByteReader(sample.bytes.span), ByteReader(bytes.span))
      let isSound = [
        reader.isSound(sample.index, owners: owners), reader.isSound(sample.index, owners: owners - 1),
        damaged.isSound(sample.index, owners: owners),
      ]
      #expect(isSound == [true, false, false])
    }
  }

  @Test("one whose bytes are anything is read without harm")
  func damaged() {
    var random = Seeded(seed: 5)
    for _ in 0..<300 {
      let count = random.number(200)
      let size = HashIndex(count: count).size + [0, 0, 0, 40, -1, -900].randomElement(using: &random)!
      let bytes = (0..<max(0, size)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let (reader, index) = (ByteReader(bytes.span), HashIndex(start: random.number(3) * 4, count: count))
      var names: [(hash: UInt64, owner: Int)] = []
      var middles: [UInt32] = []
      reader.find(ArraySlice((0..<200).map { _ in random.next() >> 16 }), in: index, to: &names)
      reader.appendNames(of: [Bool](repeating: true, count: 256), in: index, to: &names)
      for uppermost in 0..<256 {
        let part = reader.names(uppermost: uppermost..<(uppermost + 1), in: index)
        reader.appendMiddles(of: part, in: index, to: &middles)
        if let name = part.last { _ = reader.name(name, in: index) }
      }
      #expect(names.count <= 200 * count + 256 * count)
    }
  }

  private struct Sample {
    /// By hash, sorted.
    var owners: [UInt64: [Int]] = [:]
    var bytes: [UInt8] = []
    var index = HashIndex(count: 0)

    /// `crowded`: most are in a few buckets.
    init(_ count: Int, crowded: Bool, _ random: inout Seeded) {
      var names = [[UInt64]](repeating: [], count: 1 + random.number(HashIndex.ownerLimit))
      var last: UInt64 = 0
      for _ in 0..<count {
        // Some names are there more than once.
        if !random.once(in: 8) { last = crowded ? random.next() >> 16 & 0xFF00_FF00_FFFF : random.next() >> 16 }
        let owner = random.number(names.count)
        owners[last, default: []].append(owner)
        names[owner].append(last << 16 | random.next() & 0xFFFF)
      }
      for hash in owners.keys { owners[hash]?.sort() }
      bytes = [UInt8](repeating: 0xEE, count: random.number(20))
      index = HashIndex(start: bytes.count, count: count)
      HashIndex.append(names.enumerated().map { ($0.offset, PartedHashes($0.element)) }, to: &bytes)
    }
  }
}
