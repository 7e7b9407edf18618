import Artifacts
import Store
import Synchronization

/// The stored records of plugins. Records that were made together are in one file, one after the other, because a file
/// for each takes longer to make, and to read after a change, than all work on the names in them. A small result says
/// in which file and where a plugin's record is; so two keys may have the same record.
final class FactStore: Sendable {
  private let store: ContentStore
  /// The files that were read last, mapped: plugins in one file are mostly asked for one after the other.
  private let recent = Mutex<[(key: Digest, bytes: EntryBytes)]>([])

  /// About as many as a large machine reads at the same time; each has one or two megabytes.
  private static let maxRecent = 16
  /// The size in bytes at which a file takes no more records.
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

  /// Lets what was kept be found.
  func flush() { try? store.flush() }

  /// Returns whether it is stored. Failing to store it is no error.
  func keep(_ place: Place, of key: Digest) -> Bool {
    var writer = RecordWriter()
    writer.add(place.file)
    writer.add(place.range.lowerBound)
    writer.add(place.range.count)
    return (try? store.keep(writer.bytes, of: key)) != nil
  }

  /// Stores records, each by its own key, and returns their places; nil for those that could not be stored.
  func keep(_ records: [(key: Digest, bytes: [UInt8])]) -> [Place?] {
    var places: [Place?] = []
    var start = 0
    while start < records.count {
      var (ranges, size): ([Range<Int>], Int) = ([], 0)
      while start + ranges.count < records.count, size < FactStore.maxFileSize {
        let count = records[start + ranges.count].bytes.count
        ranges.append(size..<size + count)
        size += count
      }
      var (bytes, keys): ([UInt8], [UInt8]) = ([], [])
      bytes.reserveCapacity(size)
      for record in records[start..<start + ranges.count] {
        bytes += record.bytes
        keys += record.key.bytes
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
