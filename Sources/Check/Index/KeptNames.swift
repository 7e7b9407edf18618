import Artifacts
import Store
import Synchronization

/// The names of plugins, in a store. Those that were read together stand in one file, one behind the other, because a file
/// for each takes longer to make, and to read after a change, than all that is done with the names. In which file and where
/// those of a plugin stand, is a small result; so two keys may have the same.
final class KeptNames: Sendable {
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

  func names(at place: Place) -> SymbolNames? {
    bytes(of: place.file)?.part(place.range).flatMap(SymbolNames.init)
  }

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
  func keep(_ names: [(key: Digest, names: SymbolNames)]) -> [Place?] {
    var places: [Place?] = []
    var start = 0
    while start < names.count {
      var (bytes, ranges, keys): ([UInt8], [Range<Int>], [UInt8]) = ([], [], [])
      while start + ranges.count < names.count, bytes.count < KeptNames.maxFileSize {
        let next = names[start + ranges.count]
        let record = next.names.record
        ranges.append(bytes.count..<bytes.count + record.count)
        bytes += record
        keys += next.key.bytes
      }
      let file = Digest(of: keys)
      let isKept = (try? store.keep(mapped: bytes, of: file)) != nil
      for (index, range) in ranges.enumerated() {
        let place = Place(file: file, range: range)
        places.append(isKept && keep(place, of: names[start + index].key) ? place : nil)
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
      if recent.count == KeptNames.maxRecent { recent.removeFirst() }
      recent.append((file, bytes))
    }
    return bytes
  }
}
