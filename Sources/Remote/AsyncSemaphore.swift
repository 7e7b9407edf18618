import Synchronization

/// A semaphore for tasks: it lets a number of them through at once, and the others wait in the order in which they came.
package final class AsyncSemaphore: Sendable {
  private let state: Mutex<State>

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  package init(_ count: Int) { state = Mutex(State(free: count)) }

  package func wait() async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  package func signal() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
