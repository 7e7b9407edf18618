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
    let question: FileQuestion
  }

  /// Fetches what the store lacks, or has it made by workers. A plugin that they do not know either is read afterwards,
  /// as always.
  ///
  /// - Parameter advance: is called with each that arrives.
  func bring(_ plugins: [NamedPlugin], advance: () -> Void) async throws {
    var wanted: [Wanted] = []
    try await inParts(plugins, of: 8, { part in part.compactMap(self.wanted) }) { wanted += $0 }
    // Two paths may lead to the same content.
    let single = Dictionary(wanted.map { ($0.question.key, $0.question) }) { first, _ in first }
    let arrived = ArrivedFacts(facts)
    try await cache.answer(Array(single.values), by: worker, advance: advance) { question, bytes in
      guard ArtifactRecord.names(EntryBytes(bytes)) != nil else { return false }
      arrived.add((question.key, bytes))
      return true
    }
    let places = arrived.end()
    for one in wanted where one.plugin.isSettled {
      guard let own = one.plugin.key, let place = places[one.question.key] else { continue }
      _ = facts.keep(place, of: own)
    }
    if !places.isEmpty { facts.flush() }
  }

  /// Nil if the store has the facts, or if the plugin is read as fast as it is digested.
  private func wanted(_ plugin: NamedPlugin) -> Wanted? {
    if plugin.isSettled, let own = plugin.key, facts.place(of: own) != nil { return nil }
    guard let opened = try? OpenedArtifact(plugin.path), let content = plugin.content(opened), plugin.isSame,
      facts.place(of: content.key) == nil
    else { return nil }
    let question = FileQuestion(
      key: content.key, path: plugin.path, content: content.digest, size: plugin.size, verb: "facts")
    return Wanted(plugin: plugin, question: question)
  }

  /// Gives facts that were read just now to the cache.
  func give(_ keys: [Digest]) async throws {
    guard cache.gives, !keys.isEmpty else { return }
    // Until then the store does not find what was just kept.
    facts.flush()
    try await cache.share(keys) { [facts] key in facts.place(of: key).flatMap(facts.record)?.copy() }
  }
}

/// Stores records while others arrive.
private final class ArrivedFacts: Sendable {
  private let facts: FactStore
  private let state = Mutex(State())

  private struct State {
    /// They are to be stored in one file.
    var waiting: [(key: Digest, bytes: [UInt8])] = []
    /// In bytes.
    var size = 0
    var places: [Digest: FactStore.Place] = [:]
  }

  /// In bytes: small enough that storing begins long before the last one has arrived.
  private static let maxSize = 1 << 20

  init(_ facts: FactStore) { self.facts = facts }

  func add(_ record: (key: Digest, bytes: [UInt8])) {
    keep(
      state.withLock { state in
        state.waiting.append(record)
        state.size += record.bytes.count
        guard state.size > ArrivedFacts.maxSize else { return [] }
        defer { (state.waiting, state.size) = ([], 0) }
        return state.waiting
      })
  }

  private func keep(_ records: [(key: Digest, bytes: [UInt8])]) {
    let places = facts.keep(records)
    state.withLock { state in for (record, place) in zip(records, places) { state.places[record.key] = place } }
  }

  /// Returns where the store has them.
  func end() -> [Digest: FactStore.Place] {
    keep(state.withLock(\.waiting))
    return state.withLock(\.places)
  }
}
