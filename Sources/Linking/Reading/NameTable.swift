package import ObjectFiles

/// The names of a link set. Each has a number, and its bytes are stored once.
package struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []
  /// Open addressing: the upper half of an entry is half of the name's hash, the lower half its number plus 1; 0 is
  /// free.
  private var slots: [UInt64]
  /// It is random, so that a library cannot be made whose names all fall into one slot.
  let seed: UInt64
  /// The last number that was returned. The number after it is tried first: a table of contents and its members have
  /// the same names in the same order.
  private var last = 0

  package init() {
    slots = [UInt64](repeating: 0, count: 1 << 12)
    seed = UInt64.random(in: 0 ... .max)
  }

  package var count: Int { ends.count }

  /// The number of the name at an absolute range of `reader`: a new one if the name is new.
  package mutating func id(_ range: Range<Int>, _ reader: borrowing ByteReader) -> NameID {
    id(NamePlace(range, reader, seed: seed), reader)
  }

  /// `name` is a name in `reader`, hashed with this table's seed.
  mutating func id(_ name: NamePlace, _ reader: borrowing ByteReader) -> NameID {
    let range = name.range
    let next = NameID(rawValue: UInt32(truncatingIfNeeded: last + 1))
    if next.index < ends.count, isName(next, range, reader) {
      last = next.index
      return next
    }
    let hash = name.hash >> 32
    let slot = slot(of: range, hash, reader)
    if slots[slot] != 0 {
      last = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) - 1
      return NameID(rawValue: UInt32(truncatingIfNeeded: last))
    }
    last = ends.count
    let id = NameID(rawValue: UInt32(truncatingIfNeeded: ends.count))
    slots[slot] = hash << 32 | UInt64(id.rawValue &+ 1)
    reader.append(range, to: &bytes)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    if ends.count * 2 > slots.count { grow() }
    return id
  }

  private func isName(_ id: NameID, _ name: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    let own = range(of: id)
    return own.count == name.count && reader.equals(name, ByteReader(bytes.span), own)
  }

  /// The slot that has the name, or the free one that it belongs in.
  private func slot(of name: Range<Int>, _ hash: UInt64, _ reader: borrowing ByteReader) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash {
        let id = NameID(rawValue: UInt32(truncatingIfNeeded: slots[slot]) &- 1)
        if isName(id, name, reader) { break }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  package mutating func id(_ name: String) -> NameID {
    let text = Array(name.utf8)
    return id(0..<text.count, ByteReader(text.span))
  }

  func hash(_ name: String) -> UInt64 {
    let text = Array(name.utf8)
    return ByteReader(text.span).hash(of: 0..<text.count, seed: seed)
  }

  package func text(_ id: NameID) -> String { String(decoding: bytes[range(of: id)], as: UTF8.self) }

  func bytes(of id: NameID) -> [UInt8] { Array(bytes[range(of: id)]) }

  /// In the order of the bytes, as `strcmp` has it.
  package func precedes(_ a: NameID, _ b: NameID) -> Bool {
    bytes[range(of: a)].lexicographicallyPrecedes(bytes[range(of: b)])
  }

  package func hasPrefix(_ prefix: StaticString, _ id: NameID) -> Bool {
    ByteReader(bytes.span).starts(with: prefix, at: range(of: id).lowerBound)
      && range(of: id).count >= prefix.utf8CodeUnitCount
  }

  private func range(of id: NameID) -> Range<Int> {
    (id.index == 0 ? 0 : Int(ends[id.index - 1]))..<Int(ends[id.index])
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: 2 * old.count)
    for entry in old where entry != 0 {
      var slot = Int(entry >> 32) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
