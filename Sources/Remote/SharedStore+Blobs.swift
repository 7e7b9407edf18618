package import Store
import Synchronization

// The blobs of results.
extension SharedStore {
  package func obtainBlobs(
    _ blobs: [Digest: Int64], of record: StoredRecord, advance: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws -> Bool {
    let missing = blobs.filter { !local.contains($0, size: $1) }
    let isHit = record.origin?.isWorker != true
    if missing.isEmpty {
      if record.origin != nil, isHit { hit() }
      return true
    }
    guard isOn else { return false }
    if record.origin == nil { missed() }
    let total = missing.reduce(0) { $0 + $1.value }
    let done = Counter()
    let isWhole = try await each(missing) { digest, size in
      try await self.attempt { () throws(RemoteFailure) in
        try await self.fetch(digest, size) { count in
          advance(done.add(Int64(count)), total)
        }
      } ?? false
    }
    if isWhole, isHit { hit() }
    return isWhole
  }

  /// False if the cache does not have the blob, or it cannot be kept here.
  func fetch(
    _ digest: Digest, _ size: Int64, _ advance: @escaping @Sendable (Int) -> Void
  ) async throws(RemoteFailure) -> Bool {
    await files.wait()
    defer { files.signal() }
    guard let blob = try? local.receive(digest, size: size, advance: advance) else { return false }
    do throws(RemoteFailure) {
      guard try await remote.fetch(blob) else { return false }
    } catch {
      // A full disk here is no fault of the cache.
      if blob.failure != nil { return false }
      throw error
    }
    let isRight: Bool
    do throws(FileError) { isRight = try blob.finish() } catch { return false }
    guard isRight else { throw RemoteFailure("sends other bytes than those of \(digest)", .lasting) }
    received(size)
    return true
  }

  /// Runs the body for each of a record's blobs, the large ones first; false once it was false for one.
  func each(_ blobs: [Digest: Int64], _ body: @escaping @Sendable (Digest, Int64) async throws -> Bool) async throws
    -> Bool
  {
    try await someAtOnce(blobs.sorted { $0.value > $1.value }, atOnce: SharedStore.maxAtOnce) { digest, size in
      guard size > SharedStore.minLargeSize else { return try await body(digest, size) }
      await self.large.wait()
      defer { self.large.signal() }
      return try await body(digest, size)
    } _: {
      $0
    }
  }

  /// As many answers are waited for at once.
  static let maxAtOnce = 64
  /// In bytes.
  private static let minLargeSize: Int64 = 256 << 10
}

/// Counts what several transfers have done.
private final class Counter: Sendable {
  private let count = Mutex<Int64>(0)

  /// Returns the sum.
  func add(_ more: Int64) -> Int64 {
    count.withLock { count in
      count += more
      return count
    }
  }
}
