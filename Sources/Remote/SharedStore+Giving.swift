package import Store

// New results are given to the cache: first the blobs, then the result that names them.
extension SharedStore {
  package func share(_ record: [UInt8], of key: Digest, blobs: [Digest: Int64]) async {
    guard gives else { return }
    // `attempt` reports and counts failures; `finish` fails the run if the cache is required.
    _ = try? await give(record, of: key, blobs)
  }

  private func give(_ record: [UInt8], of key: Digest, _ blobs: [Digest: Int64]) async throws {
    let sealed = ContentStore.sealed(record, of: key)
    var blobs = blobs
    var content = ActionResult.Content.bytes(sealed)
    if sealed.count > SharedStore.maxInlineSize {
      let blob = ActionResult.Blob(digest: Digest(of: sealed), size: Int64(sealed.count))
      try local.keep(blob: sealed, digest: blob.digest)
      blobs[blob.digest] = blob.size
      content = .blob(blob)
    }
    // A result must not name blobs that are not there yet.
    let isWhole = try await each(blobs) { digest, size in
      await self.files.wait()
      defer { self.files.signal() }
      guard self.gives, let blob = self.local.send(digest, size: size) else { return false }
      let isSent = try await self.attempt(givesAnswer: false) { () throws(RemoteFailure) in
        try await self.remote.keep(digest, blob)
      }
      if isSent == true { self.sent(size) }
      return isSent != nil
    }
    guard isWhole, gives else { return }
    let result = ActionResult(
      blobs: blobs.sorted { $0.key < $1.key }.map { .init(digest: $0, size: $1) }, content: content)
    let isKept = try await attempt(givesAnswer: false) { () throws(RemoteFailure) in
      try await remote.keep(result: result.bytes, of: key)
      return true
    }
    guard isKept == true else { return }
    sent(Int64(result.bytes.count))
    given()
  }

  /// In bytes. A larger record is a blob of its own.
  private static let maxInlineSize = 64 << 10
}
