import Remote
import Store

/// A cache over HTTP, by the simple protocol that Bazel made common: `GET`, `HEAD` and `PUT` of `URL/ac/<64 hex>` for results
/// of actions and `URL/cas/<64 hex>` for blobs.
struct HTTPCache: RemoteCache {
  let name: String
  /// Without a slash at its end.
  private let url: String
  private let limits: RequestLimits
  private let transfers: Transfers

  init(_ url: RemoteURL, _ limits: RequestLimits, _ access: HTTPAccess) {
    (name, self.url, self.limits) = (url.host, url.text, limits)
    transfers = Transfers(access)
  }

  private enum Area: String {
    case results = "ac"
    case blobs = "cas"
  }

  /// In bytes. The record in a result is kept small, and the blobs of an action are a hundred bytes each.
  static let maxResultSize = 16 << 20

  func abilities() async -> String? { nil }

  func result(of key: Digest) async throws(RemoteFailure) -> [UInt8]? {
    let answer = try await send(.get, .results, key, size: 0) { .memory(limit: HTTPCache.maxResultSize) }
    return answer?.body
  }

  func keep(result: [UInt8], of key: Digest) async throws(RemoteFailure) {
    _ = try await send(.put(.bytes(result)), .results, key, size: Int64(result.count))
  }

  func fetch(_ blob: ArrivingBlob) async throws(RemoteFailure) -> Bool {
    // Half of a blob cannot be asked for, so another attempt would need another blob to fill.
    try await send(.get, .blobs, blob.digest, size: blob.size, retries: 0) { .blob(blob) } != nil
  }

  func keep(_ digest: Digest, _ blob: LeavingBlob) async throws(RemoteFailure) -> Bool {
    if blob.size > RequestLimits.minAskedSize, try await send(.head, .blobs, digest, size: 0) != nil { return false }
    _ = try await send(.put(.blob(blob)), .blobs, digest, size: blob.size)
    return true
  }

  /// Nil if the server does not have it.
  private func send(
    _ method: HTTPRequest.Method, _ area: Area, _ digest: Digest, size: Int64, retries: Int? = nil,
    sink: () -> HTTPRequest.Sink = { .memory(limit: 64 << 10) }
  ) async throws(RemoteFailure) -> HTTPAnswer? {
    try await limits.run(size: size, retries: retries) { left throws(RemoteFailure) in
      let request = HTTPRequest(
        method: method, url: "\(url)/\(area.rawValue)/\(digest.hex)", sink: sink(), milliseconds: left,
        patience: limits.timeout)
      return try HTTPCache.judged(await transfers.perform(request), method)
    }
  }

  private static let notHTTP = RemoteFailure("does not speak HTTP: is it a server with gRPC?", .otherProtocol)

  private static func judged(
    _ answer: Result<HTTPAnswer, HTTPFailure>, _ method: HTTPRequest.Method
  ) throws(RemoteFailure) -> HTTPAnswer? {
    let answer = try answer.mapError { failure in
      failure.kind == .otherProtocol ? notHTTP : RemoteFailure("cannot be used: \(failure.reason)", failure.kind)
    }.get()
    // A server with gRPC behind TLS speaks HTTP/2, and answers every request in its own way.
    if answer.contentType.hasPrefix("application/grpc") { throw notHTTP }
    let isPut = if case .put = method { true } else { false }
    switch answer.status {
    case 200: return answer
    case 201...204 where isPut: return answer
    case 404 where !isPut, 410 where !isPut: return nil
    case 300..<400:
      let place = answer.redirection.map { " to \(RemoteURL.host(of: $0))" } ?? ""
      throw RemoteFailure("redirects\(place), which is not followed", .lasting)
    case 401, 403, 407:
      throw RemoteFailure(
        "\(isPut ? "takes nothing from" : "refuses") this user (\(answer.status)): check the credential", .denied)
    case 413: throw RemoteFailure("takes no blobs of this size (413)", .tooLarge)
    case 408, 429, 500..<600:
      throw RemoteFailure(
        "answers \(answer.status)", .passing, retryAfter: answer.retryAfter > 0 ? answer.retryAfter : nil)
    default: throw RemoteFailure("answers \(answer.status), which is no answer of a cache", .lasting)
    }
  }
}
