package import SystemPackage

/// Keeps outputs by the keys of their steps. It may lose anything at any time. Several tasks may use it at once.
///
/// A store in a folder answers at once. One that asks other machines as well may wait for them, keeps in the folder what
/// it gets, and throws only if the user said that a build without those machines is worth nothing.
package protocol OutputStore: Sendable {
  /// The record that was kept last under this key. A hint is a record without blobs that only helps to find others.
  func lookUp(_ key: Digest, isHint: Bool) async throws -> StoredRecord?
  func keep(_ record: [UInt8], of key: Digest) throws(FileError)
  /// Writes everything that is still pending.
  func flush() throws(FileError)

  /// Whether the blobs of a record, with their sizes, can be restored. Blobs on another machine are fetched.
  ///
  /// - Parameter advance: is told how many bytes have been fetched, and of how many.
  func obtainBlobs(
    _ blobs: [Digest: Int64], of record: StoredRecord, advance: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws -> Bool
  /// Keeps a file's content, which had this digest just now.
  func keep(file: FilePath, digest: Digest) throws(FileError)
  /// Writes each blob atomically below a folder, and makes the folders above it. Returns the blobs that are missing.
  func restore(many files: [RestoredFile], below root: FilePath) async throws -> [Digest]

  /// Whether a look-up may take long, so that many should be under way at once.
  var isDistant: Bool { get }
  /// Whether `share` gives anything away.
  var gives: Bool { get }
  /// Gives a kept record and its kept blobs, with their sizes, to other machines. A failure is no error.
  func share(_ record: [UInt8], of key: Digest, blobs: [Digest: Int64]) async
}

package struct StoredRecord: Sendable {
  package let bytes: [UInt8]
  /// Nil if it was in the folder.
  package let origin: Origin?

  /// The other machine that it comes from.
  package struct Origin: Sendable, Equatable {
    private let host: String
    /// Whether the result was made there just now, and not only kept.
    package let isWorker: Bool

    package init(host: String, isWorker: Bool = false) { (self.host, self.isWorker) = (host, isWorker) }

    /// `the remote cache`
    package var name: String { isWorker ? "a worker" : "the remote cache" }
    /// `the remote cache cache.example.com`
    package var text: String { "\(name) \(isWorker ? "of " : "")\(host)" }
  }

  package init(_ bytes: [UInt8], origin: Origin? = nil) { (self.bytes, self.origin) = (bytes, origin) }
}

extension OutputStore {
  package var isDistant: Bool { false }
  package var gives: Bool { false }
  package func share(_ record: [UInt8], of key: Digest, blobs: [Digest: Int64]) async {}
}

extension ContentStore: OutputStore {
  package func lookUp(_ key: Digest, isHint: Bool) -> StoredRecord? { record(of: key).map { StoredRecord($0) } }

  package func obtainBlobs(
    _ blobs: [Digest: Int64], of record: StoredRecord, advance: @escaping @Sendable (Int64, Int64) -> Void
  ) -> Bool {
    blobs.allSatisfy { contains($0, size: $1) }
  }
}
