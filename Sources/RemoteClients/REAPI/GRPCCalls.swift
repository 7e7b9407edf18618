#if REAPI
  import GRPCCore
  import GRPCNIOTransportHTTP2Posix
  import Remote
  import Store

  /// Calls to one server with gRPC, all of them over one connection. Their messages are bytes.
  final class GRPCCalls: Sendable {
    struct Method {
      let service: String
      let name: String
    }

    /// Why no call is made, where the certificates are no such files.
    private let client: Result<GRPCClient<HTTP2ClientTransport.Posix>, RemoteFailure>
    private let metadata: Metadata
    /// The values of the headers, which no message shows, whatever a server sends back.
    private let secrets: [[UInt8]]

    init(_ url: RemoteURL, _ access: HTTPAccess) {
      var metadata = Metadata()
      for header in access.headers {
        let parts = header.text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2 else { continue }
        // HTTP/2 has names in small letters only.
        let name = String(decoding: parts[0].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        metadata.addString(String(decoding: parts[1].drop { $0 == 0x20 }, as: UTF8.self), forKey: name)
      }
      self.metadata = metadata
      secrets = metadata.flatMap { header in
        let value = Array(header.value.encoded().utf8)
        return [value, value.split(separator: 0x20).last.map(Array.init) ?? []].filter { $0.count > 3 }
      }
      client = Result { () throws(RemoteFailure) in
        do { return GRPCClient(transport: try GRPCCalls.transport(url, access)) } catch {
          throw RemoteFailure("cannot be asked: \(GRPCCalls.clipped("\(error)"))", .lasting)
        }
      }
      if case .success(let client) = client { Task { try? await client.runConnections() } }
    }

    deinit { if case .success(let client) = client { client.beginGracefulShutdown() } }

    private static func transport(_ url: RemoteURL, _ access: HTTPAccess) throws -> HTTP2ClientTransport.Posix {
      let security: HTTP2ClientTransport.Posix.TransportSecurity =
        url.isSecure
        ? .tls { tls in
          if let authority = access.authority {
            tls.trustRoots = .certificates([.file(path: authority, format: .pem)])
          }
          if let certificate = access.certificate {
            tls.certificateChain = [.file(path: certificate, format: .pem)]
            tls.privateKey = .file(path: access.key ?? certificate, format: .pem)
          }
        } : .plaintext
      let port = url.port ?? (url.isSecure ? 443 : 80)
      // Where an address is named, its certificate is for that address. It is not looked up as a name.
      let target: any ResolvableTarget =
        url.hostName.utf8.contains(UInt8(ascii: ":"))
        ? .ipv6(address: url.hostName, port: port)
        : url.hostName.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
          ? .ipv4(address: url.hostName, port: port) : .dns(host: url.hostName, port: port)
      return try HTTP2ClientTransport.Posix(
        target: target, transportSecurity: security,
        config: .defaults { $0.backoff.initial = .milliseconds(100) })
    }

    // MARK: Calls

    /// One message there, and one back.
    func call(
      _ method: Method, _ request: MessageWriter, milliseconds: Int
    ) async throws(RemoteFailure) -> [UInt8] {
      let (client, options) = (try client.get(), GRPCCalls.options(milliseconds))
      do {
        return try await client.unary(
          request: ClientRequest(message: request.bytes, metadata: metadata), descriptor: method.descriptor,
          serializer: Bytes(), deserializer: Bytes(), options: options
        ) { try $0.message }
      } catch { throw failure(error) }
    }

    /// One message there, and many back.
    func receive(
      _ method: Method, _ request: MessageWriter, milliseconds: Int,
      _ take: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(RemoteFailure) {
      let (client, options) = (try client.get(), GRPCCalls.options(milliseconds))
      do {
        try await client.serverStreaming(
          request: ClientRequest(message: request.bytes, metadata: metadata), descriptor: method.descriptor,
          serializer: Bytes(), deserializer: Bytes(), options: options
        ) { for try await message in $0.messages { try take(message) } }
      } catch { throw failure(error) }
    }

    /// Many messages there, and one back.
    ///
    /// - Parameter next: the next message; nil at the end.
    func send(
      _ method: Method, milliseconds: Int, _ next: @escaping @Sendable () throws -> MessageWriter?
    ) async throws(RemoteFailure) -> [UInt8] {
      let (client, options) = (try client.get(), GRPCCalls.options(milliseconds))
      let request = StreamingClientRequest(of: [UInt8].self, metadata: metadata) { writer in
        while let message = try next() {
          // A server that has the blob already answers before the end, and takes no more.
          do { try await writer.write(message.bytes) } catch { return }
        }
      }
      do {
        return try await client.clientStreaming(
          request: request, descriptor: method.descriptor, serializer: Bytes(), deserializer: Bytes(), options: options
        ) { try $0.message }
      } catch { throw failure(error) }
    }

    private static func options(_ milliseconds: Int) -> CallOptions {
      var options = CallOptions.defaults
      options.timeout = .milliseconds(milliseconds)
      // A server that is not there is an answer.
      options.waitForReady = false
      options.maxResponseMessageBytes = maxMessageSize
      return options
    }

    /// In bytes. The limit of most servers.
    static let maxMessageSize = 4 << 20

    // MARK: Failures

    private func failure(_ error: any Error) -> RemoteFailure {
      if let own = error as? RemoteFailure { return own }
      if Task.isCancelled || error is CancellationError { return RemoteFailure("was not asked", .cancelled) }
      guard let error = error as? RPCError else {
        return RemoteFailure("cannot be used: \(GRPCCalls.clipped("\(error)"))", .passing)
      }
      if let own = error.cause as? RemoteFailure { return own }
      return RemoteFailure(code: error.code, shown(error.message))
    }

    /// The words of a server for a message; empty if a credential is in them.
    func shown(_ text: String) -> String {
      let bytes = Array(text.utf8)
      return secrets.contains { bytes.contains($0) } ? "" : text
    }

    /// The words of a server, which may be many.
    static func clipped(_ text: String) -> String {
      text.unicodeScalars.count <= 200 ? text : String(text.unicodeScalars.prefix(200)) + "…"
    }

    private struct Bytes: MessageSerializer, MessageDeserializer {
      func serialize<Buffer: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Buffer { Buffer(message) }

      func deserialize<Buffer: GRPCContiguousBytes>(_ bytes: Buffer) throws -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe Array($0) }
      }
    }
  }

  extension GRPCCalls.Method {
    fileprivate var descriptor: MethodDescriptor { MethodDescriptor(fullyQualifiedService: service, method: name) }
  }

  extension RemoteFailure {
    /// The status of a call that is not OK.
    init(code: RPCError.Code, _ message: String) {
      // The library tells first what is said by `waitForReady`, and then the reason.
      let reason = message.trimmingPrefix(
        "Channel is in a transient failure state and 'wait for ready' isn't enabled. ")
      let words = reason.isEmpty ? "" : ": \(GRPCCalls.clipped(String(reason)))"
      switch code {
      case .deadlineExceeded: self.init("cannot be used: it timed out", .timeout)
      case .unauthenticated, .permissionDenied:
        self.init("refuses this user (\(code)): check the credential", .denied)
      case .notFound: self.init("does not have it\(words)", .absent)
      case .unimplemented: self.init("does not speak the Remote Execution API\(words)", .otherProtocol)
      case .unavailable, .aborted, .internalError, .unknown, .resourceExhausted, .cancelled:
        self.init("cannot be used: \(code)\(words)", .passing)
      default: self.init("answers \(code)\(words)", .lasting)
      }
    }
  }
#endif
