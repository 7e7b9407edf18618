package import Findings
package import Store
import Synchronization
package import SystemPackage

/// The user's store with a remote cache behind it: what the store lacks is asked there, and kept; what is new is given
/// there, if the user wants that.
///
/// A cache that misbehaves changes no result: everything from it is checked by a checksum or digest, and what it does not
/// give is made here. The first failure is told, and after the third in a row nothing more is asked.
package final class SharedStore: OutputStore {
  package let local: ContentStore
  let remote: any RemoteCache
  /// Nil if this run has no workers.
  let executor: (any RemoteExecutor)?
  private let uploads: Bool
  private let isRequired: Bool
  /// The option that names the cache, for messages: `--remote-cache`.
  private let option: String
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// For blobs under way, each of which holds an open file. Processes may have 256 on some systems.
  let files = AsyncSemaphore(maxAtOnce)
  /// For blobs that take their time: more at once would make each of them too slow.
  let large = AsyncSemaphore(16)

  private struct State {
    var tally = RemoteTally()
    var failure: RemoteFailure?
    var row = 0
    var givesNothing = false
    var hasNoWorkers = false
    /// Whether it has ever answered as a cache does.
    var hasAnswered = false
  }

  /// - Parameter warn: is told the first failure, once.
  package convenience init(
    _ local: ContentStore, _ settings: RemoteSettings, warn: @escaping @Sendable (String) -> Void
  ) {
    let remote = settings.cache
    self.init(
      local, remote, executor: settings.executes ? remote as? any RemoteExecutor : nil, uploads: settings.uploads,
      isRequired: settings.isRequired, option: settings.option,
      warn: warn)
  }

  init(
    _ local: ContentStore, _ remote: any RemoteCache, executor: (any RemoteExecutor)? = nil, uploads: Bool,
    isRequired: Bool, option: String,
    warn: @escaping @Sendable (String) -> Void
  ) {
    (self.local, self.remote, self.uploads, self.isRequired, self.warn) = (local, remote, uploads, isRequired, warn)
    (self.option, self.executor) = (option, executor)
  }

  package var tally: RemoteTally { state.withLock { $0.tally } }
  /// Whether there was anything to ask or to give.
  package var wasAsked: Bool { tally != RemoteTally() }

  /// To be called at the end of a run. Throws if the cache is required and has failed.
  package func finish() throws(Mistakes) {
    if wasAsked { RemoteHistory(local).add(tally) }
    if let failure = state.withLock({ $0.failure }), isRequired { throw mistake(failure) }
  }

  // MARK: Failures

  private static let maxFailuresInRow = 3

  private func mistake(_ failure: RemoteFailure) -> Mistakes {
    Mistakes(
      "the remote cache \(remote.name) \(failure.text)",
      hint: "without --remote-cache-required the command goes on without it")
  }

  /// Asks the cache; nil if it fails. Throws if it is required.
  func attempt<Answer>(
    givesAnswer: Bool = true, _ body: () async throws(RemoteFailure) -> Answer
  ) async throws -> Answer? {
    do throws(RemoteFailure) {
      let answer = try await body()
      state.withLock { state in
        state.row = 0
        state.hasAnswered = true
      }
      return answer
    } catch {
      if error.kind == .cancelled { throw CancellationError() }
      try note(error, whileGiving: !givesAnswer)
      return nil
    }
  }

  private func note(_ failure: RemoteFailure, whileGiving: Bool) throws(Mistakes) {
    let isFirst = state.withLock { state in
      state.tally.errors += 1
      if failure.kind != .tooLarge { state.row += 1 }
      switch failure.kind {
      case .denied where whileGiving: state.givesNothing = true
      // To wait as long for each of the others would take minutes.
      case .timeout, .denied: state.tally.isOff = true
      default: if state.row >= SharedStore.maxFailuresInRow { state.tally.isOff = true }
      }
      defer { state.failure = state.failure ?? failure }
      return state.failure == nil
    }
    if failure.kind == .otherProtocol, !whileGiving, !state.withLock({ $0.hasAnswered }) {
      throw Mistakes(
        "\(option): \(remote.name) \(failure.text)", hint: "name the address of a cache with its protocol, or no cache")
    }
    if isRequired { throw mistake(failure) }
    if isFirst {
      warn("the remote cache \(remote.name) \(failure.text); this run goes on without it")
    }
  }

  var isOn: Bool { state.withLock { !$0.tally.isOff } }

  // MARK: Looking up

  package var isDistant: Bool { isOn }

  package func lookUp(_ key: Digest, isHint: Bool) async throws -> StoredRecord? {
    if let record = local.lookUp(key, isHint: isHint) { return record }
    guard let bytes = try await record(of: key, misses: isHint ? 0 : 1) else { return nil }
    // A hint is a claim of the cache: it is kept once a step has run. Losing a cached result is no reason to fail.
    if !isHint { try? local.keep(bytes, of: key) }
    return StoredRecord(bytes, origin: .init(host: remote.name))
  }

  /// Whether the cache has a record, which is all that is asked for and is not kept here.
  ///
  /// - Parameters:
  ///   - size: the limit of the record, in bytes.
  ///   - take: returns whether it is a record of that kind.
  func hasRecord(of key: Digest, atMost size: Int64, _ take: ([UInt8]) -> Bool) async throws -> Bool {
    guard try await record(of: key, misses: 1, atMost: size, isRight: take) != nil else { return false }
    hit()
    return true
  }

  /// - Parameter misses: how many misses it counts as until `hit` takes it back.
  private func record(
    of key: Digest, misses: Int, atMost size: Int64 = maxRecordSize, isRight: ([UInt8]) -> Bool = { _ in true }
  ) async throws -> [UInt8]? {
    guard isOn else { return nil }
    state.withLock { $0.tally.misses += misses }
    return try await attempt { () throws(RemoteFailure) in
      guard let bytes = try await remote.result(of: key) else { return nil }
      let record = try await opened(bytes, of: key, atMost: size)
      if let record, !isRight(record) {
        throw RemoteFailure("sends something else than the result of \(key)", .lasting)
      }
      received(Int64(bytes.count))
      return record
    } ?? nil
  }

  /// A result's record, checked; nil if the cache has only half of it.
  func opened(
    _ bytes: [UInt8], of key: Digest, atMost size: Int64 = maxRecordSize
  ) async throws(RemoteFailure) -> [UInt8]? {
    guard let result = ActionResult(bytes) else {
      throw RemoteFailure("answers with something that is no result of an action: is it a cache?", .lasting)
    }
    let sealed: [UInt8]
    switch result.content {
    case .bytes(let raw): sealed = raw
    case .blob(let blob):
      guard blob.size <= size, try await fetch(blob.digest, blob.size, { _ in }),
        let kept = local.send(blob.digest, size: blob.size)?.read(at: 0, atMost: Int(blob.size))
      else { return nil }
      sealed = kept
    }
    let record = Array(sealed.dropFirst(Digest.byteCount))
    guard sealed.prefix(Digest.byteCount).elementsEqual(ContentStore.checksum(record, of: key).bytes) else {
      throw RemoteFailure("sends a damaged result of \(key)", .lasting)
    }
    return record
  }

  /// In bytes. The facts about a large plugin are some megabytes.
  package static let maxRecordSize: Int64 = 256 << 20

  /// A look-up counts as a miss until then.
  func hit() {
    state.withLock { state in
      state.tally.hits += 1
      state.tally.misses -= 1
    }
  }

  // MARK: Giving

  package var gives: Bool { uploads && isOn && state.withLock { !$0.givesNothing } }

  func missed() { state.withLock { $0.tally.misses += 1 } }
  func received(_ bytes: Int64) { state.withLock { $0.tally.received += bytes } }
  func sent(_ bytes: Int64) { state.withLock { $0.tally.sent += bytes } }
  func given() { state.withLock { $0.tally.uploads += 1 } }

  // MARK: Workers

  package var hasWorkers: Bool { executor != nil && isOn && state.withLock { !$0.hasNoWorkers } }

  /// After one failure workers are asked no more in this run, because a step takes long.
  func noteWorkers(_ failure: RemoteFailure) throws {
    if failure.kind == .cancelled { throw CancellationError() }
    let isFirst = state.withLock { state in
      state.tally.errors += 1
      state.hasNoWorkers = true
      defer { state.failure = state.failure ?? failure }
      return state.failure == nil
    }
    if isRequired { throw mistake(failure) }
    if isFirst { warn("the remote executor \(remote.name) \(failure.text); everything runs here") }
  }

  func ran() { state.withLock { $0.tally.runs += 1 } }

  // MARK: The folder

  package func keep(_ record: [UInt8], of key: Digest) throws(FileError) { try local.keep(record, of: key) }
  package func flush() throws(FileError) { try local.flush() }
  package func keep(file: FilePath, digest: Digest) throws(FileError) { try local.keep(file: file, digest: digest) }

  package func restore(many files: [RestoredFile], below root: FilePath) async throws -> [Digest] {
    try await local.restore(many: files, below: root)
  }
}
