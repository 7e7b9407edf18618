import Findings
package import Store

/// The requests of a run to a remote cache, counted.
package struct RemoteTally: Sendable, Equatable {
  package internal(set) var hits = 0
  package internal(set) var misses = 0
  package internal(set) var uploads = 0
  package internal(set) var errors = 0
  /// By workers.
  package internal(set) var runs = 0
  /// In bytes.
  package internal(set) var received: Int64 = 0
  package internal(set) var sent: Int64 = 0
  /// Whether the cache was not asked any more at the end.
  package internal(set) var isOff = false

  package init() {}

  /// `remote: 12 hits (3.4 MB), 1 miss, 0 uploads, 0 errors`
  package var text: String {
    "remote: \(counted(hits, "hit"))\(RemoteTally.size(received)), \(counted(misses, "miss", "misses")), "
      + "\(counted(uploads, "upload"))\(RemoteTally.size(sent)), \(counted(errors, "error"))"
      + (runs > 0 ? ", \(counted(runs, "run")) on workers" : "") + (isOff ? "; it was not asked any more" : "")
  }

  /// `340 hits of 360 (94 %), 12 uploads, 0 errors`
  package var rate: String {
    let asked = hits + misses
    let share = asked == 0 ? "" : " (\(100 * hits / asked) %)"
    return "\(counted(hits, "hit")) of \(asked)\(share), \(counted(uploads, "upload")), \(counted(errors, "error"))"
  }

  package mutating func add(_ other: RemoteTally) {
    (hits, misses, uploads) = (hits + other.hits, misses + other.misses, uploads + other.uploads)
    (errors, runs, received, sent) = (
      errors + other.errors, runs + other.runs, received + other.received, sent + other.sent
    )
  }

  private static func size(_ bytes: Int64) -> String { bytes == 0 ? "" : " (\(byteText(bytes)))" }

  /// `3.4 MB`
  package static func byteText(_ bytes: Int64) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    let units = ["kB", "MB", "GB", "TB"]
    var (tenths, unit) = (bytes / 100, 0)
    while tenths >= 10_000, unit < units.count - 1 { (tenths, unit) = (tenths / 1000, unit + 1) }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}

/// The tallies of the last runs, kept in the user's store.
package struct RemoteHistory {
  private let store: ContentStore
  private static let key = Digest(of: "runs with a remote cache")
  private static let maxRuns = 20

  package init(_ store: ContentStore) { self.store = store }

  /// The latest is the last.
  package var runs: [RemoteTally] {
    var reader = RecordReader((store.record(of: RemoteHistory.key) ?? [])[...])
    return reader.list { reader in
      guard let hits = reader.number(), let misses = reader.number(), let uploads = reader.number(),
        let errors = reader.number(), let received = reader.signed(), let sent = reader.signed()
      else { return nil }
      var tally = RemoteTally()
      (tally.hits, tally.misses, tally.uploads, tally.errors) = (hits, misses, uploads, errors)
      (tally.received, tally.sent) = (received, sent)
      return tally
    } ?? []
  }

  func add(_ tally: RemoteTally) {
    var writer = RecordWriter()
    writer.add((runs + [tally]).suffix(RemoteHistory.maxRuns)) { writer, tally in
      for number in [tally.hits, tally.misses, tally.uploads, tally.errors] { writer.add(number) }
      for number in [tally.received, tally.sent] { writer.add(wide: number) }
    }
    // Losing it is no reason to fail.
    try? store.keep(writer.bytes, of: RemoteHistory.key)
    try? store.flush()
  }
}
