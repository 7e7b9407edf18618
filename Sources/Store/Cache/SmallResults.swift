internal import Synchronization
internal import SystemPackage

/// Small results of actions, all in one file of a store: making a file for each would take longer than many actions.
///
/// Records (`RecordWriter`) have "NPIR", the length of the content, the key, the first 8 bytes of the SHA-256 of key
/// and content, and the content. A later record of a key replaces an earlier one; one that begins with "NPIX" removes
/// it. Records are added many at a time in one write, so that several processes can add them; truncated or damaged ones
/// are skipped. A file that has become too large is rewritten with its newer half; a record in the older half is added
/// again when it is used.
final class SmallResults: Sendable {
  private let path: FilePath
  private let state = Mutex(State())

  private struct State {
    /// The file as it was at the first lookup.
    var bytes: [UInt8] = []
    /// The range of each key's last content in `bytes`.
    var places: [Digest: Range<Int>]?
    /// The contents that this process has added since and that are written.
    var added: [Digest: [UInt8]] = [:]
    /// The contents that this process has not written yet. `result(of:)` does not find them.
    var new: [Digest: [UInt8]] = [:]
    var pending: [UInt8] = []
  }

  /// In bytes, of the file.
  static let limit = 32 << 20
  /// In bytes, of one content.
  static let largest = 32 << 10

  /// Records are written together once they have this many bytes.
  private static let batch = 256 << 10

  /// "NPIR"
  private static let mark = 0x5249_504E
  /// "NPIX"
  private static let forgotten = 0x5849_504E

  init(_ path: FilePath) { self.path = path }

  func result(of key: Digest) -> [UInt8]? {
    let found = state.withLock { state -> (content: [UInt8], isOld: Bool)? in
      if let own = state.added[key] { return (own, false) }
      guard let place = places(&state)[key] else { return nil }
      return (Array(state.bytes[place]), place.upperBound < state.bytes.count / 2)
    }
    guard let found else { return nil }
    // Losing a cached result is no reason to fail.
    if found.isOld { try? keep(found.content, of: key) }
    return found.content
  }

  /// The record is written by `flush`, or at the latest by `deinit`.
  func keep(_ content: [UInt8], of key: Digest) throws(FileError) {
    state.withLock { $0.new[key] = content }
    try add(SmallResults.record(content, of: key))
  }

  func forget(_ key: Digest) throws(FileError) {
    guard result(of: key) != nil else { return }
    state.withLock { state in
      state.places?[key] = nil
      state.added[key] = nil
      state.new[key] = nil
    }
    try add(SmallResults.record([], of: key, as: SmallResults.forgotten))
  }

  private func add(_ record: [UInt8]) throws(FileError) {
    let isEnough = state.withLock { state in
      state.pending += record
      return state.pending.count >= SmallResults.batch
    }
    if isEnough { try flush() }
  }

  func flush() throws(FileError) {
    let records = state.withLock { state in
      defer { state.pending = [] }
      state.added.merge(state.new) { $1 }
      state.new = [:]
      return state.pending
    }
    if records.isEmpty { return }
    try FileSystem.appendPrivately(path, records)
    if try FileSystem.status(of: path)?.size ?? 0 > Int64(SmallResults.limit) { try shorten() }
  }

  // Losing a cached result is no reason to fail.
  deinit { try? flush() }

  func removeAll() throws(FileError) {
    state.withLock { $0 = State() }
    try FileSystem.remove(path)
  }

  /// Records that another process adds meanwhile may get lost.
  private func shorten() throws(FileError) {
    let bytes = try FileSystem.read(path, limit: 2 * SmallResults.limit)
    var newest: [UInt8] = []
    for (key, place) in SmallResults.places(in: bytes).sorted(by: { $0.value.lowerBound < $1.value.lowerBound })
    where place.upperBound > bytes.count / 2 {
      newest += SmallResults.record(Array(bytes[place]), of: key)
    }
    try FileSystem.writePrivately(path, newest)
  }

  private func places(_ state: inout State) -> [Digest: Range<Int>] {
    if let places = state.places { return places }
    state.bytes = (try? FileSystem.read(path, limit: 2 * SmallResults.limit)) ?? []
    let places = SmallResults.places(in: state.bytes)
    state.places = places
    return places
  }

  private static func record(_ content: [UInt8], of key: Digest, as mark: Int = mark) -> [UInt8] {
    var writer = RecordWriter()
    writer.add(mark)
    writer.add(content.count)
    writer.add(key)
    return writer.bytes + sum(key, content[...]) + content
  }

  private static func places(in bytes: [UInt8]) -> [Digest: Range<Int>] {
    var places: [Digest: Range<Int>] = [:]
    var at = 0
    while at < bytes.count {
      if let (key, place, isForgotten) = record(in: bytes, at: at) {
        places[key] = isForgotten ? nil : place
        at = place.upperBound
      } else {
        // A write was cut off here, or two writes overlap. The next record begins somewhere after it.
        at += 1
      }
    }
    return places
  }

  private static func record(in bytes: [UInt8], at start: Int) -> (key: Digest, place: Range<Int>, isForgotten: Bool)? {
    // After damage this runs at each byte, so the first byte is checked first.
    guard bytes[start] == UInt8(truncatingIfNeeded: mark) else { return nil }
    var reader = RecordReader(bytes[start...])
    guard let begin = reader.number(), begin == mark || begin == forgotten, let length = reader.number(),
      length <= largest, let key = reader.digest(),
      let sum = reader.take(8), let content = reader.take(length), sum.elementsEqual(self.sum(key, content))
    else { return nil }
    return (key, content.indices, begin == forgotten)
  }

  private static func sum(_ key: Digest, _ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    Digest(of: key.bytes + content).bytes.prefix(8)
  }
}

extension ContentStore {
  /// The record that `keep(_:of:)` kept last for an action.
  package func record(of key: Digest) -> [UInt8]? {
    // Most results are small, and looking for a file of each is slow.
    isOurs ? small.result(of: key) ?? result(of: key) : nil
  }

  /// Keeps a record for an action in place of the one before. A small one gets no file of its own.
  package func keep(_ record: [UInt8], of key: Digest) throws(FileError) {
    if !isOurs { try makeFolders() }
    guard record.count > SmallResults.largest else { return try small.keep(record, of: key) }
    try small.forget(key)
    try keep(result: record, of: key)
  }

  package func flush() throws(FileError) { try small.flush() }
}
