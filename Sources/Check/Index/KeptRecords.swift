import Store
import Synchronization

/// Where facts are: the record's key in the store, and which entry of the record.
struct FactsLocation: Hashable, Sendable {
  var record: Digest
  var number: Int
}

/// The records of names in a store, each opened once.
final class KeptRecords: Sendable {
  private let store: ContentStore
  /// Nil of what is not there, or damaged.
  private let opened = Mutex<[Digest: NameRecord?]>([:])

  init(_ store: ContentStore) { self.store = store }

  /// Nil if it is not there, or damaged. `isSound`: nobody has written to it since it was looked at.
  func record(_ key: Digest, isSound: Bool = false) -> NameRecord? {
    if let known = opened.withLock({ $0[key] }) { return known }
    var record: NameRecord?
    if let file = store.mapped(key) { record = NameRecord(file, isSound: isSound) }
    opened.withLock { $0[key] = .some(record) }
    return record
  }

  func keep(_ record: NameRecord, as key: Digest) throws(FileError) {
    try record.withBytes { (bytes: RawSpan) throws(FileError) in
      try store.keep(mapped: key, atMost: Int64(bytes.byteCount)) { (output: inout OutputFile) throws(FileError) in
        try output.write(bytes)
      }
    }
  }

  func version(of key: Digest) -> FileVersion? { store.status(ofMapped: key).map(FileVersion.init) }

  func facts(at location: FactsLocation) -> NameFacts? {
    record(location.record)?.facts(of: location.number)
  }

  /// What was kept of a plugin.
  func location(_ key: Digest) -> FactsLocation? { store.smallResult(of: key).flatMap { FactsLocation($0) } }

  func keep(_ location: FactsLocation, of key: Digest) throws(FileError) {
    try store.keep(small: location.bytes, of: key)
  }
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

  fileprivate var bytes: [UInt8] { record.bytes + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
}
