package import Store

/// A cache on another machine: results of actions by the action's key, and blobs by their digest. A server over HTTP and one
/// that speaks the Remote Execution API differ in nothing else.
///
/// Its answers are not trusted: the caller checks a result by its checksum and a blob by its digest.
package protocol RemoteCache: Sendable {
  /// The name for messages: the host, and the port if it is not the usual one.
  var name: String { get }

  /// Asks the server for its capabilities, and returns them in words for a report; nil if it does not tell them.
  func abilities() async -> String?

  /// The bytes of an `ActionResult`; nil if the cache has none.
  func result(of key: Digest) async throws(RemoteFailure) -> [UInt8]?
  func keep(result: [UInt8], of key: Digest) async throws(RemoteFailure)

  /// Hands the bytes of a blob over; false if the cache does not have it.
  func fetch(_ blob: ArrivingBlob) async throws(RemoteFailure) -> Bool
  /// Does nothing, and returns false, if the cache has the blob.
  func keep(_ digest: Digest, _ blob: LeavingBlob) async throws(RemoteFailure) -> Bool
}

/// Why a remote cache gave no answer.
package struct RemoteFailure: Error, Sendable {
  /// After "the remote cache HOST": `answers 500`, `cannot be reached: …`.
  package let text: String
  package let kind: Kind
  /// How long the server wants to be left alone, in seconds.
  package var retryAfter: Int?

  package enum Kind: Sendable {
    /// It took longer than it may. The next request would take as long again.
    case timeout
    /// The credential is missing, wrong, or good for less.
    case denied
    /// This one blob is larger than the server takes.
    case tooLarge
    /// A break that may be over soon.
    case passing
    /// A second attempt ends like the first.
    case lasting
    /// It is a server of another kind: the user has named the wrong one.
    case otherProtocol
    /// It does not have what was asked for.
    case absent
    /// The task was cancelled.
    case cancelled
  }

  package init(_ text: String, _ kind: Kind, retryAfter: Int? = nil) {
    (self.text, self.kind, self.retryAfter) = (text, kind, retryAfter)
  }
}
