import Dispatch
import Synchronization

/// Decides which steps may run. Steps are taken up before their turn, so that no processor waits while a key is
/// computed or an output digested. Of those that have not ended, the oldest run, as many as may run at once.
///
/// A thread that has waited for a command to end begins the next one itself. Waking another thread would leave a
/// processor idle meanwhile, and move commands between processors.
final class JobSlots: Sendable {
  private let atOnce: Int
  private let state = Mutex(State())

  private struct State {
    /// The slots that are taken up and not ended, the oldest first.
    var open: [Int] = []
    var waiting: [Int: Waiting] = [:]
    var last = 0
    var isStopped = false
  }

  private enum Waiting {
    case task(CheckedContinuation<Bool, Never>)
    case thread(Work)
  }

  /// Work that blocks its thread. It returns whether its turn ends with it.
  typealias Work = @Sendable (_ mayRun: Bool) -> Bool

  init(atOnce: Int) { self.atOnce = atOnce }

  func takeUp() -> JobSlot {
    state.withLock { state in
      state.last += 1
      state.open.append(state.last)
      return JobSlot(slots: self, number: state.last)
    }
  }

  fileprivate func wait(_ slot: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      if let mayRun = answer(slot, else: .task(continuation)) { continuation.resume(returning: mayRun) }
    }
  }

  fileprivate func run(_ slot: Int, _ work: @escaping Work) {
    if let mayRun = answer(slot, else: .thread(work)) { run(slot, work, mayRun) }
  }

  /// Whether it may run; nil if that is not known yet.
  private func answer(_ slot: Int, else waiting: Waiting) -> Bool? {
    state.withLock { state in
      if state.isStopped { return false }
      // A step whose turn has ended need not wait.
      if state.open.prefix(atOnce).contains(slot) || !state.open.contains(slot) { return true }
      state.waiting[slot] = waiting
      return nil
    }
  }

  private func run(_ slot: Int, _ work: @escaping Work, _ mayRun: Bool) {
    // A queue of its own gets a thread when it needs one, however many other threads are blocked.
    DispatchQueue(label: "npi-pack.command").async {
      var next = (slot: slot, work: work)
      var mayRun = mayRun
      while next.work(mayRun), let following = self.end(next.slot, stopping: false, goesOn: true) {
        next = following
        mayRun = true
      }
    }
  }

  /// If `goesOn`, returns work that may run now, for the calling thread.
  @discardableResult
  fileprivate func end(_ slot: Int, stopping: Bool, goesOn: Bool = false) -> (slot: Int, work: Work)? {
    let (woken, mayRun) = state.withLock { state in
      state.open.removeAll { $0 == slot }
      if stopping { state.isStopped = true }
      let next = state.isStopped ? Array(state.waiting.keys) : Array(state.open.prefix(atOnce))
      let woken = next.compactMap { slot in state.waiting.removeValue(forKey: slot).map { (slot: slot, waiting: $0) } }
      return (woken, !state.isStopped)
    }
    var taken: (slot: Int, work: Work)?
    for (slot, waiting) in woken {
      switch waiting {
      case .task(let continuation): continuation.resume(returning: mayRun)
      case .thread(let work) where goesOn && mayRun && taken == nil: taken = (slot, work)
      case .thread(let work): run(slot, work, mayRun)
      }
    }
    return taken
  }
}

/// One step's place in the order.
package struct JobSlot: Sendable {
  fileprivate let slots: JobSlots
  fileprivate let number: Int
  var begun: @Sendable () -> Void = {}

  /// Waits until the step may run. Throws `NotBegun`.
  package func begin() async throws {
    guard await slots.wait(number), !Task.isCancelled else { throw NotBegun() }
    begun()
  }

  /// Runs the body on a thread that it may block, when the step may run; the body calls `begun` when the step begins.
  /// The turn ends with the body if `isWell` says so. After a failure it does not, because the failure may stop the
  /// steps that wait. Throws `NotBegun`.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (_ begun: () -> Void) -> Result, isWell: @escaping @Sendable (Result) -> Bool
  ) async throws -> Result {
    let result: Result? = await withCheckedContinuation { continuation in
      slots.run(number) { mayRun in
        guard mayRun else {
          continuation.resume(returning: nil)
          return true
        }
        let result = body(begun)
        continuation.resume(returning: result)
        return isWell(result)
      }
    }
    guard let result else { throw NotBegun() }
    return result
  }

  /// To be called when the step has ended or need not run; it may be called twice. `stopping` stops the waiting steps.
  func end(stopping: Bool = false) { slots.end(number, stopping: stopping) }
}

/// The build was stopped before the step could run.
struct NotBegun: Error {}
