import Artifacts
import Store
import Synchronization

/// The records of plugins, in a store. Those that were read together stand in one file, one behind the other, because a file
/// for each takes longer to make, and to read after a change, than all that is done with the names in them. A small result
/// says in which file and where the record of a plugin stands; so two keys may have the same record.
final class FactStore: Sendable {
  private let store: ContentStore
  /// The files that were read last, mapped: plugins that stand in one are mostly asked for one behind the other.
  private let recent = Mutex<[(key: Digest, bytes: EntryBytes)]>([])

  /// As many as are read at the same time on a large machine; each has one or two megabytes.
  private static let maxRecent = 16
  /// In bytes, of one file, before the last of it is added.
  private static let maxFileSize = 2 << 20

  struct Place: Equatable, Sendable {
    fileprivate let file: Digest
    /// In bytes.
    fileprivate let range: Range<Int>
  }

  init(_ store: ContentStore) { self.store = store }

  func record(at place: Place) -> EntryBytes? { bytes(of: place.file)?.part(place.range) }

  func place(of key: Digest) -> Place? {
    var reader = RecordReader((store.record(of: key) ?? [])[...])
    guard let file = reader.digest(), let start = reader.number(), let count = reader.number(), reader.rest.isEmpty
    else { return nil }
    return Place(file: file, range: start..<start + count)
  }

  /// Whether it is kept. Being forgotten is no reason to fail.
  func keep(_ place: Place, of key: Digest) -> Bool {
    var writer = RecordWriter()
    writer.add(place.file)
    writer.add(place.range.lowerBound)
    writer.add(place.range.count)
    return (try? store.keep(writer.bytes, of: key)) != nil
  }

  /// Where each of these stands now, by its own key; nil if it could not be kept.
  func keep(_ records: [(key: Digest, bytes: [UInt8])]) -> [Place?] {
    var places: [Place?] = []
    var start = 0
    while start < records.count {
      var (bytes, ranges, keys): ([UInt8], [Range<Int>], [UInt8]) = ([], [], [])
      while start + ranges.count < records.count, bytes.count < FactStore.maxFileSize {
        let next = records[start + ranges.count]
        ranges.append(bytes.count..<bytes.count + next.bytes.count)
        bytes += next.bytes
        keys += next.key.bytes
      }
      let file = Digest(of: keys)
      let isKept = (try? store.keep(mapped: bytes, of: file)) != nil
      for (index, range) in ranges.enumerated() {
        let place = Place(file: file, range: range)
        places.append(isKept && keep(place, of: records[start + index].key) ? place : nil)
      }
      start += ranges.count
    }
    return places
  }

  private func bytes(of file: Digest) -> EntryBytes? {
    if let bytes = recent.withLock({ $0.first { $0.key == file }?.bytes }) { return bytes }
    guard let mapped = store.mapped(file) else { return nil }
    let bytes = EntryBytes(mapped)
    recent.withLock { recent in
      if recent.count == FactStore.maxRecent { recent.removeFirst() }
      recent.append((file, bytes))
    }
    return bytes
  }
}
