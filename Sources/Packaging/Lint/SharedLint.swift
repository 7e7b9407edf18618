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

  /// In bytes. A finding has a few hundred.
  private static let maxRecordSize: Int64 = 4 << 20

  /// An artifact that the cache may know.
  struct Answer: Sendable {
    /// The key of the result.
    let key: Digest
    /// The status of the file before it was digested.
    fileprivate let status: FileStamp
    /// Nil if no other machine has it.
    let result: LintResult?

    /// Whether the path still leads to the file that was digested.
    func isFor(_ order: LintOrder) -> Bool {
      (try? FileSystem.status(of: order.file, followingLinks: true)) == .some(status)
    }
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
  func answers(to orders: [LintOrder?]) async throws -> [Answer?] {
    var asked: [(question: FileQuestion, status: FileStamp)?] = []
    try await inOrder(orders.count) {
      orders[$0].flatMap(SharedLint.question)
    } _: {
      asked.append($0)
    }
    let numbers = Dictionary(asked.enumerated().compactMap { n, one in one.map { ($0.question.key, n) } }) { $1 }
    let found = Mutex<[Digest: LintResult]>([:])
    @Sendable func take(_ question: FileQuestion, _ record: [UInt8]) -> Bool {
      guard let order = numbers[question.key].flatMap({ orders[$0] }), let result = LintResult(record, of: order) else {
        return false
      }
      found.withLock { $0[question.key] = result }
      return true
    }
    let store = cache.local
    let wanted = numbers.values.sorted().compactMap { asked[$0]?.question }.filter { question in
      !(store.record(of: question.key).map { take(question, $0) } ?? false)
    }
    try await cache.answer(wanted, atMost: SharedLint.maxRecordSize, by: worker) { question, record in
      guard take(question, record) else { return false }
      // Losing it is no reason to fail.
      try? store.keep(record, of: question.key)
      return true
    }
    let results = found.withLock(\.self)
    return asked.map { one in
      one.map { Answer(key: $0.question.key, status: $0.status, result: results[$0.question.key]) }
    }
  }

  /// Nil for all but zips: native code is read as fast as it is digested, and its result depends on its attributes, too.
  private static func question(_ order: LintOrder) -> (question: FileQuestion, status: FileStamp)? {
    guard let bytes = order.bytes, let opened = try? OpenedArtifact(order.file), let status = opened.status,
      (try? opened.head())?.starts(with: "PK".utf8) ?? false, let content = try? opened.digest()
    else { return nil }
    let question = FileQuestion(
      key: LintOrder.key(bytes, content: content), path: order.file, content: content, size: status.size,
      verb: "lint", order: bytes)
    return (question, status)
  }

  /// Keeps results that were found just now, and gives them to the cache. Returns notes for the user.
  func finish(_ made: [Digest: LintResult]) async throws -> [String] {
    let records = made.compactMapValues(\.record)
    for (key, record) in records { try? cache.local.keep(record, of: key) }
    try? cache.local.flush()
    try await cache.share(records.keys.sorted()) { records[$0] }
    try cache.finish()
    return warnings.all + (cache.wasAsked ? [cache.tally.text] : [])
  }
}
