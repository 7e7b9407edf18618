import Dispatch
import Remote
import Store
import Synchronization

/// Carries out requests to one server side by side, on one thread that libcurl keeps its connections on.
final class Transfers: Sendable {
  /// More requests at once gain nothing, and servers limit the connections of a client.
  private static let maxAtOnce = 64

  private let access: HTTPAccess
  /// How often the thread waits in vain, for a second or less, before it ends.
  private let maxIdle: Int
  private let multi: Result<CurlMulti, HTTPFailure>
  private let state = Mutex(State())

  private struct State {
    var waiting: [Waiting] = []
    var cancelled: Set<Int> = []
    var last = 0
    var hasThread = false
  }

  private struct Waiting {
    let number: Int
    let request: HTTPRequest
    let continuation: CheckedContinuation<Result<HTTPAnswer, HTTPFailure>, Never>

    func end(_ kind: RemoteFailure.Kind, _ reason: String) {
      continuation.resume(returning: .failure(HTTPFailure(kind: kind, reason: reason)))
    }
  }

  init(_ access: HTTPAccess, maxIdle: Int = 30) {
    (self.access, self.maxIdle) = (access, maxIdle)
    multi = Result { () throws(HTTPFailure) in try CurlMulti() }
  }

  func perform(_ request: HTTPRequest) async -> Result<HTTPAnswer, HTTPFailure> {
    let multi: CurlMulti
    do { multi = try self.multi.get() } catch { return .failure(error) }
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiting = Waiting(number: number, request: request, continuation: continuation)
        let begins: Bool? = state.withLock { state in
          // The mark of a task that was cancelled before is gone by now, if the thread has looked at it.
          if Task.isCancelled { return nil }
          state.waiting.append(waiting)
          defer { state.hasThread = true }
          return !state.hasThread
        }
        guard let begins else { return waiting.end(.cancelled, "it was cancelled") }
        // A queue of its own has a thread even while packing and hashing occupy all processors.
        if begins { DispatchQueue(label: "npi-pack.transfers").async { self.run(multi) } }
        multi.wake()
      }
    } onCancel: {
      state.withLock { _ = $0.cancelled.insert(number) }
      multi.wake()
    }
  }

  /// It goes on for a while without requests, for the sake of the open connections; a watch makes many of these objects.
  private func run(_ multi: CurlMulti) {
    HostSignals.ignoreClosedConnections()
    var running: [Int: (transfer: CurlTransfer, waiting: Waiting)] = [:]
    var idle = 0
    while !running.isEmpty || idle < maxIdle || !ended {
      let (begin, cancelled) = next(Transfers.maxAtOnce - running.count)
      for waiting in begin {
        if cancelled.contains(waiting.number) {
          waiting.end(.cancelled, "it was cancelled")
        } else if let transfer = CurlTransfer(waiting.request, access, multi), multi.add(transfer) {
          running[transfer.number] = (transfer, waiting)
        } else {
          waiting.end(.lasting, "there is no memory")
        }
      }
      idle = running.isEmpty ? idle + 1 : 0
      for (number, one) in running where cancelled.contains(one.waiting.number) {
        running[number] = nil
        multi.remove(one.transfer)
        one.waiting.end(.cancelled, "it was cancelled")
      }
      multi.perform()
      while let (number, code) = multi.ended() {
        guard let (transfer, waiting) = running.removeValue(forKey: number) else { continue }
        multi.remove(transfer)
        waiting.continuation.resume(returning: transfer.answer(code))
      }
      multi.wait()
    }
  }

  /// Whether there is nothing to do. The next request begins another thread then.
  private var ended: Bool {
    state.withLock { state in
      if state.waiting.isEmpty { state.hasThread = false }
      return state.waiting.isEmpty
    }
  }

  private func next(_ room: Int) -> (begin: [Waiting], cancelled: Set<Int>) {
    state.withLock { state in
      let begin = Array(state.waiting.prefix(max(0, room)))
      state.waiting.removeFirst(begin.count)
      // A request that was cancelled before it began stays marked.
      let cancelled = state.cancelled
      state.cancelled = cancelled.isEmpty || state.waiting.isEmpty ? [] : cancelled
      return (begin, cancelled)
    }
  }
}
