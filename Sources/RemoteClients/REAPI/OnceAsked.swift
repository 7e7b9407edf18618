#if REAPI
  import Remote
  import Synchronization

  /// An answer that many want and one asks for. A failure is no answer: the next one asks again.
  final class OnceAsked<Answer: Sendable>: Sendable {
    private let answer = Mutex<Answer?>(nil)
    private let turn = AsyncSemaphore(1)

    func value(_ ask: () async throws(RemoteFailure) -> Answer) async throws(RemoteFailure) -> Answer {
      if let answer = answer.withLock({ $0 }) { return answer }
      await turn.wait()
      defer { turn.signal() }
      if let answer = answer.withLock({ $0 }) { return answer }
      let found = try await ask()
      answer.withLock { $0 = found }
      return found
    }
  }
#endif
