import Remote

/// How long a request may take, and how often it is tried again after a failure that may pass.
struct RequestLimits: Sendable {
  /// In milliseconds.
  let timeout: Int
  let retries: Int

  /// In bytes. A question is cheaper than a large blob, and a small blob than a question.
  static let minAskedSize: Int64 = 16 << 10
  /// A transfer that is slower than this, in bytes a millisecond, is not worth its wait.
  private static let minSpeed: Int64 = 64

  /// - Parameters:
  ///   - size: the bytes that are transferred.
  ///   - retries, timeout: other numbers than the usual ones.
  ///   - body: is told how many milliseconds are left.
  func run<Answer>(
    size: Int64, retries: Int? = nil, timeout: Int? = nil, _ body: (Int) async throws(RemoteFailure) -> Answer
  ) async throws(RemoteFailure) -> Answer {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(timeout ?? self.timeout) + .milliseconds(size / RequestLimits.minSpeed)
    var attempt = 0
    while true {
      let left = max(1, Int(clock.now.duration(to: end) / .milliseconds(1)))
      do throws(RemoteFailure) { return try await body(left) } catch {
        attempt += 1
        guard error.kind == .passing, attempt <= retries ?? self.retries else { throw error }
        let pause = Duration.milliseconds(error.retryAfter.map { 1000 * min($0, 3600) } ?? 100 << min(attempt, 6))
        guard clock.now + pause < end else { throw error }
        guard (try? await clock.sleep(for: pause)) != nil else { throw RemoteFailure("was not asked", .cancelled) }
      }
    }
  }
}
