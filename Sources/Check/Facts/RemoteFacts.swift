import Artifacts
import Remote
import Store

/// Facts about plugins in a remote cache, each under its content's key: other machines with the same plugin need not read it.
struct RemoteFacts: Sendable {
  let cache: SharedStore
  let facts: FactStore

  /// Fetches what the store lacks. A plugin that the cache does not know either is read afterwards, as always.
  func bring(_ plugins: [NamedPlugin]) async throws {
    var wanted: [(plugin: NamedPlugin, key: Digest)] = []
    try await inParts(plugins, of: 8, { part in part.compactMap { plugin in key(of: plugin).map { (plugin, $0) } } }) {
      wanted += $0
    }
    // Two paths may lead to the same content.
    let keys = Array(Set(wanted.map(\.key)))
    let found = try await fetch(keys)
    for (plugin, key) in wanted where plugin.isSettled {
      guard let own = plugin.key, let place = found[key] else { continue }
      _ = facts.keep(place, of: own)
    }
    if !found.isEmpty { facts.flush() }
  }

  /// Nil if the store has the facts, or if the plugin is read as fast as it is digested.
  private func key(of plugin: NamedPlugin) -> Digest? {
    if plugin.isSettled, let own = plugin.key, facts.place(of: own) != nil { return nil }
    guard let opened = try? OpenedArtifact(plugin.path), let key = plugin.contentKey(opened), plugin.isSame else {
      return nil
    }
    return facts.place(of: key) == nil ? key : nil
  }

  /// Where the store keeps what the cache had.
  private func fetch(_ keys: [Digest]) async throws -> [Digest: FactStore.Place] {
    var (places, waiting, size): ([Digest: FactStore.Place], [(key: Digest, bytes: [UInt8])], Int) = ([:], [], 0)
    func keep() {
      for (record, place) in zip(waiting, facts.keep(waiting)) { places[record.key] = place }
      (waiting, size) = ([], 0)
    }
    _ = try await someAtOnce(
      keys, atOnce: RemoteFacts.maxAtOnce, { key in try await cache.remoteRecord(of: key).map { (key, $0) } }
    ) { found in
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
