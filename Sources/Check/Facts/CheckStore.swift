import Artifacts
import Findings
import Remote
import Store

/// The store that the apps of one run share, and the remote cache behind it.
struct CheckStore: Sendable {
  /// Nil if there is no place for one.
  let local: ContentStore?
  /// One for all apps: the files that it has mapped are memory.
  let facts: FactStore?
  let remote: RemoteFacts?
  private let warnings = RemoteWarnings()

  init(_ settings: RemoteSettings?) throws(Mistakes) {
    let (store, refusal) = UserStore.prepared
    local = store
    facts = store.map(FactStore.init)
    if let refusal { warnings.add(refusal) }
    guard let settings else {
      remote = nil
      return
    }
    guard let store, let facts else { throw RemoteSettings.noStore }
    // The report names the requests.
    Lookups.giveUp()
    remote = RemoteFacts(
      cache: SharedStore(store, settings, warn: { [warnings] in warnings.add($0) }), facts: facts,
      worker: settings.executes ? try explained { try WorkerProgram(beside: Tool.executable) } : nil)
  }

  /// One-liners for the user.
  var notes: [String] { warnings.all }

  /// The line that counts the requests to the remote cache; nil without one. To be called at the end of the run.
  func finish() throws(Mistakes) -> String? {
    guard let cache = remote?.cache else { return nil }
    try cache.finish()
    return cache.wasAsked ? cache.tally.text : nil
  }
}
