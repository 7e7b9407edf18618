import Artifacts
import Findings
import Remote
import Store
import Synchronization
import SystemPackage

/// Results of artifacts that other machines have linted, in a remote cache with the user's store before it.
struct SharedLint: Sendable {
  private let cache: SharedStore
  /// Nil if this run has no workers.
  private let worker: WorkerProgram?
  private let warnings = RemoteWarnings()

  /// An artifact that the cache may know.
  struct Answer: Sendable {
    /// The key of the result.
    let key: Digest
    /// Nil if no other machine has it.
    var result: LintResult?
  }

  init(_ settings: RemoteSettings) throws(Mistakes) {
    let (store, refusal) = UserStore.prepared
    if let refusal { warnings.add(refusal) }
    guard let store else { throw RemoteSettings.noStore }
    // The report names the requests.
    Lookups.giveUp()
    cache = SharedStore(store, settings, warn: { [warnings] in warnings.add($0) })
    worker = settings.executes ? try explained { try WorkerProgram(beside: Tool.executable) } : nil
  }

  /// One for each order; nil for what it cannot know.
  func answers(to orders: [LintOrder]) async throws -> [Answer?] {
    var questions: [FileQuestion?] = []
    try await inOrder(orders.count) {
      SharedLint.question(orders[$0])
    } _: {
      questions.append($0)
    }
    let numbers = Dictionary(questions.enumerated().compactMap { n, one in one.map { ($0.key, n) } }) { $1 }
    let found = Mutex<[Digest: LintResult]>([:])
    @Sendable func take(_ question: FileQuestion, _ record: [UInt8]) -> Bool {
      guard let number = numbers[question.key], let result = LintResult(record, of: orders[number]) else {
        return false
      }
      found.withLock { $0[question.key] = result }
      return true
    }
    let store = cache.local
    let wanted = numbers.values.sorted().compactMap { questions[$0] }.filter { question in
      !(store.record(of: question.key).map { take(question, $0) } ?? false)
    }
    try await cache.answer(wanted, by: worker) { question, record in
      guard take(question, record) else { return false }
      // Losing it is no reason to fail.
      try? store.keep(record, of: question.key)
      return true
    }
    let results = found.withLock(\.self)
    return questions.map { question in question.map { Answer(key: $0.key, result: results[$0.key]) } }
  }

  /// Nil if the artifact cannot be read, which its lint reports.
  private static func question(_ order: LintOrder) -> FileQuestion? {
    guard let bytes = order.bytes, let opened = try? OpenedArtifact(order.file), let status = opened.status,
      let content = try? opened.digest()
    else { return nil }
    return FileQuestion(
      key: LintOrder.key(bytes, content: content), path: order.file, content: content, size: status.size,
      verb: "lint", order: bytes)
  }

  /// Keeps results that were found just now, and gives them to the cache. Returns notes for the user.
  func finish(_ made: [Digest: LintResult]) async throws -> [String] {
    let store = cache.local
    for (key, result) in made { if let record = result.record { try? store.keep(record, of: key) } }
    try? store.flush()
    try await cache.share(made.keys.sorted()) { made[$0]?.record }
    try cache.finish()
    return warnings.all + (cache.wasAsked ? [cache.tally.text] : [])
  }
}
