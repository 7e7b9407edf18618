import Remote
import Store

/// One request to the server of a remote cache.
struct HTTPRequest: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    case blob(LeavingBlob)

    var size: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .blob(let blob): blob.size
      }
    }
  }

  enum Method: Sendable {
    case get
    case head
    case put(Body)
  }

  /// Where the body of an answer with status 200 goes.
  enum Sink: Sendable {
    /// Into memory. A body with more bytes ends the transfer.
    case memory(limit: Int)
    case blob(ArrivingBlob)
  }

  let method: Method
  let url: String
  let sink: Sink
  /// For all of it, from the first packet on.
  let milliseconds: Int
  /// How long it may stand still, in milliseconds.
  let patience: Int
}

struct HTTPAnswer: Sendable {
  /// 0 if there was none.
  var status = 0
  var body: [UInt8] = []
  /// The server's own words, for messages; empty if there are none.
  var contentType = ""
  /// The address that a redirection names.
  var redirection: String?
  /// In seconds; 0 if it says nothing.
  var retryAfter = 0
}

/// A transfer that has not ended as HTTP wants it.
struct HTTPFailure: Error, Sendable {
  let kind: RemoteFailure.Kind
  let reason: String
}
