import Synchronization

/// One-liners for the user about a run's store and caches.
package final class RemoteWarnings: Sendable {
  private let texts = Mutex<[String]>([])

  package init() {}

  package func add(_ text: String) { texts.withLock { $0.append(text) } }
  package var all: [String] { texts.withLock(\.self) }
}
