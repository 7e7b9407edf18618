import Artifacts
import Remote
import Store
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
    var found = try await keep(Array(single.values), advance) { one in try await cache.remoteRecord(of: one.key) }
    if let worker {
      let rest = single.values.filter { found[$0.key] == nil }
      // To send a plugin takes as long as to read it.
      let known = try await cache.known(rest.map { ActionResult.Blob(digest: $0.content, size: $0.plugin.size) })
      found.merge(
        try await keep(rest.filter { known.contains($0.content) }, advance) { one in
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

  /// Keeps the records that there are. Returns where the store has them.
  private func keep(
    _ wanted: [Wanted], _ advance: () -> Void, _ record: @escaping @Sendable (Wanted) async throws -> [UInt8]?
  ) async throws -> [Digest: FactStore.Place] {
    var (places, waiting, size): ([Digest: FactStore.Place], [(key: Digest, bytes: [UInt8])], Int) = ([:], [], 0)
    func keep() {
      for (record, place) in zip(waiting, facts.keep(waiting)) { places[record.key] = place }
      (waiting, size) = ([], 0)
    }
    _ = try await someAtOnce(
      wanted, atOnce: RemoteFacts.maxAtOnce, { one in try await record(one).map { (one.key, $0) } }
    ) { found in
      advance()
      guard let (key, bytes) = found, ArtifactRecord.names(EntryBytes(bytes)) != nil else { return true }
      waiting.append((key, bytes))
      size += bytes.count
      if size > RemoteFacts.maxWaiting { keep() }
      return true
    }
    keep()
    return places
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

  /// In bytes, of records that are stored in one file.
  private static let maxWaiting = 2 << 20
  /// As many answers are waited for at once.
  private static let maxAtOnce = 64
}
