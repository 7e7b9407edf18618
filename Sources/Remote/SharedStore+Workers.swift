package import Store

extension SharedStore {
  /// Why a worker has not made a result.
  package enum NoResult: Error {
    /// The server has failed, and the user has been told.
    case failed
    /// The program has failed there, in these words.
    case ended(String)
  }

  /// Has a worker run a program that prints the sealed record of this key.
  package func run(_ work: RemoteWork, for key: Digest) async throws -> Result<StoredRecord, NoResult> {
    guard let executor, hasWorkers else { return .failure(.failed) }
    do throws(RemoteFailure) {
      let outcome = try await executor.run(work)
      guard outcome.status == 0 else {
        let words = outcome.errors.isEmpty ? "" : ": \(outcome.errors)"
        return .failure(.ended("it ended there with status \(outcome.status)\(words)"))
      }
      guard let record = try await opened(outcome.result, of: key) else {
        return .failure(.ended("its result is lost"))
      }
      ran()
      return .success(StoredRecord(record, origin: .init(host: remote.name, isWorker: true)))
    } catch {
      try noteWorkers(error)
      return .failure(.failed)
    }
  }

  /// Asks which of the blobs the server of the workers has.
  package func known(_ blobs: [ActionResult.Blob]) async throws -> Set<Digest> {
    guard let executor, hasWorkers, !blobs.isEmpty else { return [] }
    do throws(RemoteFailure) {
      let missing = try await executor.missing(blobs)
      return Set(blobs.map(\.digest)).subtracting(missing)
    } catch {
      try noteWorkers(error)
      return []
    }
  }
}
