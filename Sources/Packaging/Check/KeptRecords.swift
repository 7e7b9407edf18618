import Artifacts
import Store
import Synchronization

/// Where facts are: the record's key in the store, and which entry of the record.
struct FactsLocation: Hashable, Sendable {
  var record: Digest
  var number: Int
}

/// The records of names in a store, each opened once.
final class KeptRecords: Sendable {
  let store: ContentStore
  private let opened = Mutex<[Digest: NameRecord]>([:])

  init(_ store: ContentStore) { self.store = store }

  /// Nil if it is not there, or damaged. `isSound`: nobody has written to it since it was looked at.
  func record(_ key: Digest, isSound: Bool = false) -> NameRecord? {
    if let record = opened.withLock({ $0[key] }) { return record }
    guard let file = store.mapped(key), let record = NameRecord(file, isSound: isSound) else { return nil }
    opened.withLock { $0[key] = record }
    return record
  }

  func facts(at location: FactsLocation) -> NameFacts? {
    guard let facts = record(location.record)?.facts, location.number < facts.count else { return nil }
    return facts[location.number]
  }

  /// What was kept of a plugin.
  func location(_ key: Digest) -> FactsLocation? { store.smallResult(of: key).flatMap { FactsLocation($0) } }
}

// As bytes: the record's key, then the number of the entry in 4 bytes, little-endian.
extension FactsLocation {
  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.count == Digest.byteCount + 4, let record = Digest(bytes: bytes.prefix(Digest.byteCount)) else {
      return nil
    }
    let number = (0..<4).reduce(0) { $0 | Int(bytes[Digest.byteCount + $1]) << (8 * $1) }
    self.init(record: record, number: number)
  }

  var bytes: [UInt8] { record.bytes + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
}
