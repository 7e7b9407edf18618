#if REAPI
  import GRPCCore
  import Remote
  import Store

  /// A cache that speaks the Remote Execution API v2 over gRPC, as Buildbarn, BuildBuddy, BuildGrid, NativeLink and buildbox
  /// do: `ActionCache` for results, `ContentAddressableStorage` for small blobs, and `ByteStream` for large ones.
  ///
  /// The path of its address is the name of the server's instance.
  struct REAPICache: RemoteCache {
    let name: String
    private let instance: String
    let limits: RequestLimits
    let calls: GRPCCalls
    /// Lets one large blob for workers after the other through.
    let uploads = AsyncSemaphore(1)
    /// What a worker must be.
    let properties: [(name: String, value: String)]
    private let url: RemoteURL
    private let access: HTTPAccess
    private let capabilities = OnceAsked<ServerCapabilities>()
    let compression = Compression()

    init(
      _ url: RemoteURL, _ limits: RequestLimits, _ access: HTTPAccess, properties: [(name: String, value: String)]
    ) {
      self.properties = properties
      (name, instance, self.limits, self.url, self.access) = (url.host, url.path, limits, url, access)
      calls = GRPCCalls(url, access)
    }

    /// In bytes. A larger blob is a stream of its own.
    static let maxBatchedSize: Int64 = 256 << 10

    func abilities() async -> String? {
      guard let capabilities = try? await check() else { return nil }
      let size = capabilities.maxBlobSize.map { "blobs of up to \($0) bytes" } ?? "blobs of any size"
      return "\(capabilities.takesResults ? "takes results" : "takes no results"), \(size)"
        + (packs(capabilities) ? ", compressed by zstd" : "") + (capabilities.executes ? ", and has workers" : "")
    }

    // MARK: Results

    func result(of key: Digest) async throws(RemoteFailure) -> [UInt8]? {
      try await check()
      var request = self.request
      request.add(2, message: KeyedAction(key).digest)
      request.add(3, 1)
      return try await found { () throws(RemoteFailure) in
        try await call(.getActionResult, request, size: 0)
      }
    }

    func keep(result: [UInt8], of key: Digest) async throws(RemoteFailure) {
      try await checkTakes()
      let action = KeyedAction(key)
      // Some servers look whether they have what a result needs.
      try await upload(action.blobs)
      var request = self.request
      request.add(2, message: action.digest)
      request.add(3, bytes: result)
      _ = try await call(.updateActionResult, request, size: Int64(result.count))
    }

    // MARK: Blobs

    func fetch(_ blob: ArrivingBlob) async throws(RemoteFailure) -> Bool {
      try await check()
      let digest = ActionResult.Blob(digest: blob.digest, size: blob.size)
      // Servers need not keep the empty blob.
      if blob.size == 0 { return true }
      if blob.size <= REAPICache.maxBatchedSize {
        var request = self.request
        request.add(2, message: digest.message)
        let answer = try await call(.batchReadBlobs, request, size: blob.size)
        guard let response = BlobResponse(answer) else { throw REAPICache.strange }
        if response.status == RPCError.Code.notFound.rawValue { return false }
        try response.check()
        guard blob.take(response.data) else { throw REAPICache.tooMuch }
        return true
      }
      return try await found { () throws(RemoteFailure) in try await read(digest, to: blob) } != nil
    }

    func keep(_ digest: Digest, _ blob: LeavingBlob) async throws(RemoteFailure) -> Bool {
      let capabilities = try await checkTakes()
      let named = ActionResult.Blob(digest: digest, size: blob.size)
      if let most = capabilities.maxBlobSize, blob.size > most {
        throw RemoteFailure("takes no blobs of more than \(most) bytes", .tooLarge)
      }
      if blob.size > RequestLimits.minAskedSize, try await missing([named]).isEmpty { return false }
      if blob.size <= REAPICache.maxBatchedSize {
        guard let bytes = blob.read(at: 0, atMost: Int(blob.size)) else {
          throw RemoteFailure("was given nothing: the blob cannot be read here", .lasting)
        }
        try await upload([(named, bytes)])
      } else {
        try await write(named, blob)
      }
      return true
    }

    func upload(_ blobs: [(name: ActionResult.Blob, bytes: [UInt8])]) async throws(RemoteFailure) {
      var request = self.request
      for blob in blobs {
        var one = MessageWriter()
        one.add(1, message: blob.name.message)
        one.add(2, bytes: blob.bytes)
        request.add(2, message: one)
      }
      let answer = try await call(.batchUpdateBlobs, request, size: Int64(request.bytes.count))
      for field in MessageReader.fields(of: answer[...]) ?? [] {
        guard field.number == 1, case .bytes(let part) = field.value else { continue }
        try BlobResponse(fields: part, statusField: 2)?.check()
      }
    }

    // MARK: Requests

    /// Every message to the cache begins with the instance.
    var request: MessageWriter {
      var message = MessageWriter()
      if !instance.isEmpty { message.add(1, instance) }
      return message
    }

    var prefix: String { instance.isEmpty ? "" : instance + "/" }
    static let tooMuch = RemoteFailure("sends more than was asked for", .lasting)
    static let strange = RemoteFailure("answers with something that is no message", .lasting)

    func call(
      _ method: GRPCCalls.Method, _ request: MessageWriter, size: Int64
    ) async throws(RemoteFailure) -> [UInt8] {
      try await limits.run(size: size) { left throws(RemoteFailure) in
        try await calls.call(method, request, milliseconds: left)
      }
    }

    /// Nil if the server does not have what was asked for.
    private func found<Answer>(
      _ body: () async throws(RemoteFailure) -> Answer
    ) async throws(RemoteFailure) -> Answer? {
      do throws(RemoteFailure) { return try await body() } catch {
        if error.kind == .absent { return nil }
        throw error
      }
    }

    /// Asks once for the server's capabilities. Throws if the server does not know SHA-256.
    @discardableResult func check() async throws(RemoteFailure) -> ServerCapabilities {
      let capabilities = try await capabilities.value { () throws(RemoteFailure) in
        let answer: [UInt8]
        do throws(RemoteFailure) { answer = try await call(.getCapabilities, request, size: 0) } catch {
          guard error.kind == .passing, await speaksHTTP() else { throw error }
          throw RemoteFailure("speaks HTTP and not gRPC: is it a cache over HTTP?", .otherProtocol)
        }
        guard let capabilities = ServerCapabilities(answer) else { throw REAPICache.strange }
        return capabilities
      }
      guard capabilities.hasSHA256 else {
        throw RemoteFailure("has no cache with SHA-256, which npi-pack names blobs by", .lasting)
      }
      return capabilities
    }

    /// Throws if the server takes no results, for which blobs are of no use there.
    @discardableResult private func checkTakes() async throws(RemoteFailure) -> ServerCapabilities {
      let capabilities = try await check()
      guard capabilities.takesResults else {
        throw RemoteFailure("takes no results from this user: check the credential", .denied)
      }
      return capabilities
    }

    /// Whether a server that takes no calls is one over HTTP. It is sent no credential.
    private func speaksHTTP() async -> Bool {
      var access = HTTPAccess()
      access.authority = self.access.authority
      let request = HTTPRequest(
        method: .get, url: "\(url.isSecure ? "https" : "http")://\(url.host)/", sink: .memory(limit: 64 << 10),
        milliseconds: limits.timeout, patience: limits.timeout)
      guard let answer = try? await Transfers(access).perform(request).get() else { return false }
      return (200..<500).contains(answer.status) && !answer.contentType.hasPrefix("application/grpc")
    }
  }
#endif
