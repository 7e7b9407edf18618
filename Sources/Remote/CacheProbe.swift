package import Findings
import Store

/// Asks a remote cache whether it is there and how it behaves.
package struct CacheProbe: Sendable {
  package struct Answer: Sendable {
    /// `write a blob: ok, in 3 ms`
    package let text: String
    package let isWell: Bool
  }

  private let cache: any RemoteCache
  private let store: ContentStore
  private let clock = ContinuousClock()

  package init(_ settings: RemoteSettings) throws(Mistakes) {
    guard let store = UserStore.prepared.store else { throw RemoteSettings.noStore }
    self.init(settings.cache, store)
  }

  init(_ cache: any RemoteCache, _ store: ContentStore) { (self.cache, self.store) = (cache, store) }

  /// Whether it answers. It is asked for something that no cache has.
  package func reach() async -> Answer {
    let answer = await asked(
      "reachable", { () throws(RemoteFailure) in try await cache.result(of: fresh("key").digest) == nil }
    ) { $0 ? nil : "it answers for a key that no action has" }
    guard answer.isWell, let abilities = await cache.abilities() else { return answer }
    return Answer(text: "\(answer.text); it \(abilities)", isWell: true)
  }

  /// Writes and reads what no action has, and what is wrong. A few hundred bytes stay in the cache.
  package func verify() async -> [Answer] {
    let (blob, other, result) = (fresh("blob"), fresh("other"), fresh("result"))
    var answers = [
      await asked("write a blob", { () throws(RemoteFailure) in try await write(blob.bytes, as: blob.digest) }),
      await asked("read it", { () throws(RemoteFailure) in try await read(blob) }) { $0 },
      await asked("read a blob that is not there", { () throws(RemoteFailure) in try await read(other) }) {
        $0 == CacheProbe.absent ? nil : $0 ?? "it sends one"
      },
      await asked(
        "write a result",
        { () throws(RemoteFailure) in try await cache.keep(result: message(result), of: result.digest) }
      ),
      await asked("read it", { () throws(RemoteFailure) in try await cache.result(of: result.digest) }) {
        $0 == message(result) ? nil : $0 == nil ? CacheProbe.absent : "it sends other bytes"
      },
    ]
    // Both answers are right, because a reader checks each blob.
    do throws(RemoteFailure) {
      try await write(other.bytes, as: fresh("wrong").digest)
      answers.append(
        Answer(text: "write a blob under a wrong digest: taken (npi-pack checks all that it reads)", isWell: true))
    } catch {
      let answer = error.kind == .lasting ? "refused" : "\(cache.name) \(error.text)"
      answers.append(Answer(text: "write a blob under a wrong digest: \(answer)", isWell: error.kind == .lasting))
    }
    return answers
  }

  private static let absent = "it is not there"

  /// - Parameter judge: the reason why the answer is wrong; nil if it is right.
  private func asked<Value>(
    _ what: String, _ body: () async throws(RemoteFailure) -> Value, judge: (Value) -> String? = { _ in nil }
  ) async -> Answer {
    let start = clock.now
    let problem: String?
    do throws(RemoteFailure) { problem = judge(try await body()) } catch { problem = "\(cache.name) \(error.text)" }
    let time = Int(start.duration(to: clock.now) / .milliseconds(1))
    return Answer(text: "\(what): \(problem ?? "ok, in \(time) ms")", isWell: problem == nil)
  }

  /// Bytes that are nowhere yet.
  private func fresh(_ what: String) -> (bytes: [UInt8], digest: Digest) {
    let bytes = Array("npi-pack cache verify: \(what) \(HostProcess.now)\n".utf8)
    return (bytes, Digest(of: bytes))
  }

  private func message(_ result: (bytes: [UInt8], digest: Digest)) -> [UInt8] {
    ActionResult(blobs: [], content: .bytes(result.bytes)).bytes
  }

  private func write(_ bytes: [UInt8], as digest: Digest) async throws(RemoteFailure) {
    let own = Digest(of: bytes)
    guard (try? store.keep(blob: bytes, digest: own)) != nil, let blob = store.send(own, size: Int64(bytes.count))
    else {
      throw RemoteFailure("was not asked: the user's store cannot be written", .lasting)
    }
    _ = try await cache.keep(digest, blob)
  }

  /// Nil if the cache sent these bytes.
  private func read(_ blob: (bytes: [UInt8], digest: Digest)) async throws(RemoteFailure) -> String? {
    guard let arriving = try? store.receive(blob.digest, size: Int64(blob.bytes.count)) else {
      throw RemoteFailure("was not asked: the user's store cannot be written", .lasting)
    }
    guard try await cache.fetch(arriving) else { return CacheProbe.absent }
    return (try? arriving.finish()) == true ? nil : "it sends other bytes"
  }
}

extension RemoteSettings {
  /// `https://cache.example.com/npi, nothing is given to it, 10 s for a request, 2 retries`
  package var summary: String {
    "\(url.text), \(uploads ? "new results are given to it" : "nothing is given to it"), \(timeout / 1000) s for a request, "
      + counted(retries, "retry", "retries")
  }
}
