import Artifacts
import Remote
import Store
import Synchronization
import SystemPackage

/// Facts about plugins in a remote cache, each under its content's key: other machines with the same plugin need not read it.
struct RemoteFacts: Sendable {
  let cache: SharedStore
  let facts: FactStore
  /// Nil if this run has no workers.
  let worker: WorkerProgram?

  /// A plugin whose facts the store lacks.
  private struct Wanted {
    let plugin: NamedPlugin
    let key: Digest
    let content: Digest
  }

  /// Fetches what the store lacks, or has it made by workers. A plugin that they do not know either is read afterwards,
  /// as always.
  ///
  /// - Parameter advance: is called with each that arrives.
  func bring(_ plugins: [NamedPlugin], advance: () -> Void) async throws {
    var wanted: [Wanted] = []
    try await inParts(plugins, of: 8, { part in part.compactMap(self.wanted) }) { wanted += $0 }
    // Two paths may lead to the same content.
    let single = Dictionary(wanted.map { ($0.key, $0) }) { first, _ in first }
    var found = try await fetch(Array(single.values), advance) { one in try await cache.remoteRecord(of: one.key) }
    if let worker {
      let rest = single.values.filter { found[$0.key] == nil }
      // To send a plugin takes as long as to read it.
      let known = try await cache.known(rest.map { ActionResult.Blob(digest: $0.content, size: $0.plugin.size) })
      found.merge(
        try await fetch(rest.filter { known.contains($0.content) }, advance) { one in
          let made = try await cache.run(work(one, worker), for: one.key)
          return try? made.get().bytes
        }
      ) { first, _ in first }
    }
    for one in wanted where one.plugin.isSettled {
      guard let own = one.plugin.key, let place = found[one.key] else { continue }
      _ = facts.keep(place, of: own)
    }
    if !found.isEmpty { facts.flush() }
  }

  /// Nil if the store has the facts, or if the plugin is read as fast as it is digested.
  private func wanted(_ plugin: NamedPlugin) -> Wanted? {
    if plugin.isSettled, let own = plugin.key, facts.place(of: own) != nil { return nil }
    guard let opened = try? OpenedArtifact(plugin.path), let content = plugin.content(opened), plugin.isSame else {
      return nil
    }
    return facts.place(of: content.key) == nil ? Wanted(plugin: plugin, key: content.key, content: content.digest) : nil
  }

  /// The name of a plugin decides its role on Android.
  private func work(_ one: Wanted, _ worker: WorkerProgram) -> RemoteWork {
    let (path, name) = (one.plugin.path, one.plugin.path.lastComponent?.string ?? "plugin")
    var work = RemoteWork(words: ["./\(WorkerProgram.name)", "facts", "plugin/\(name)"], folder: "")
    work.entries[WorkerProgram.name] = worker.entry
    work.entries["plugin/\(name)"] = .file(
      .init(digest: one.content, size: one.plugin.size), isExecutable: false
    ) { LeavingBlob(path) }
    work.variables = [("TMPDIR", ".")]
    return work
  }

  /// Gets records and stores those that there are, while others arrive. Returns where the store has them.
  private func fetch(
    _ wanted: [Wanted], _ advance: () -> Void, _ record: @escaping @Sendable (Wanted) async throws -> [UInt8]?
  ) async throws -> [Digest: FactStore.Place] {
    let arrived = Arrived()
    var places: [Digest: FactStore.Place] = [:]
    func add(_ kept: [(key: Digest, place: FactStore.Place?)]) { for (key, place) in kept { places[key] = place } }
    _ = try await someAtOnce(wanted, atOnce: RemoteFacts.maxAtOnce) { one in
      guard let bytes = try await record(one), ArtifactRecord.names(EntryBytes(bytes)) != nil else { return keep([]) }
      return keep(arrived.add((one.key, bytes)))
    } _: { kept in
      advance()
      add(kept)
      return true
    }
    add(keep(arrived.rest))
    return places
  }

  private func keep(_ records: [Arrived.Record]) -> [(key: Digest, place: FactStore.Place?)] {
    zip(records, facts.keep(records)).map { ($0.key, $1) }
  }

  /// Records that are to be stored in one file.
  private final class Arrived: Sendable {
    typealias Record = (key: Digest, bytes: [UInt8])
    private let waiting = Mutex<(records: [Record], size: Int)>(([], 0))

    /// In bytes: small enough that storing begins long before the last one has arrived.
    private static let maxSize = 1 << 20

    /// Returns those to be stored now.
    func add(_ record: Record) -> [Record] {
      waiting.withLock { waiting in
        waiting.records.append(record)
        waiting.size += record.bytes.count
        guard waiting.size > Arrived.maxSize else { return [] }
        defer { waiting = ([], 0) }
        return waiting.records
      }
    }

    var rest: [Record] { waiting.withLock(\.records) }
  }

  /// Gives facts that were read just now to the cache.
  func give(_ keys: [Digest]) async throws {
    guard cache.gives, !keys.isEmpty else { return }
    // Until then the store does not find what was just kept.
    facts.flush()
    _ = try await someAtOnce(
      keys, atOnce: RemoteFacts.maxAtOnce,
      { key in
        guard let record = facts.place(of: key).flatMap(facts.record) else { return }
        await cache.share(record.copy(), of: key, blobs: [:])
      }
    ) { _ in true }
  }

  /// As many answers are waited for at once.
  private static let maxAtOnce = 64
}
