import Dispatch

/// What makes seconds move while no step begins or ends. A queue of its own, not a task: when every thread of the pool
/// packs or hashes, tasks wait.
enum StatusTicker {
  static func later(_ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(100), execute: body)
  }

  private static let queue = DispatchQueue(label: "npi-pack.status")
}
