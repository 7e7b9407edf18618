#if REAPI
  import GRPCCore
  import Remote
  import Store

  // Parts of the Remote Execution API v2 and of ByteStream, by the field numbers of their specifications.

  extension GRPCCalls.Method {
    private static let version = "build.bazel.remote.execution.v2."
    private static func cache(_ name: String) -> Self { Self(service: version + "ActionCache", name: name) }
    private static func blobs(_ name: String) -> Self {
      Self(service: version + "ContentAddressableStorage", name: name)
    }
    private static func stream(_ name: String) -> Self { Self(service: "google.bytestream.ByteStream", name: name) }

    static let getCapabilities = Self(service: version + "Capabilities", name: "GetCapabilities")
    static let getActionResult = cache("GetActionResult")
    static let updateActionResult = cache("UpdateActionResult")
    static let findMissingBlobs = blobs("FindMissingBlobs")
    static let batchReadBlobs = blobs("BatchReadBlobs")
    static let batchUpdateBlobs = blobs("BatchUpdateBlobs")
    static let execute = Self(service: version + "Execution", name: "Execute")
    static let waitExecution = Self(service: version + "Execution", name: "WaitExecution")
    static let read = stream("Read")
    static let write = stream("Write")
    static let queryWriteStatus = stream("QueryWriteStatus")
  }

  extension ActionResult.Blob {
    init(_ bytes: [UInt8]) { self.init(digest: Digest(of: bytes), size: Int64(bytes.count)) }

    /// A part of the name of a resource.
    var resource: String { "\(digest.hex)/\(size)" }
  }

  /// An action that stands for a key: its one argument is the key. Servers name results by the digest of a message `Action`,
  /// and some look whether they have it.
  ///
  ///   Command  arguments       1
  ///   Action   command_digest  1, input_root_digest  2
  struct KeyedAction {
    /// The server needs these blobs to know the action: the action, its command, and an empty folder.
    let blobs: [(name: ActionResult.Blob, bytes: [UInt8])]
    let digest: MessageWriter

    init(_ key: Digest) {
      var command = MessageWriter()
      command.add(1, "npi-pack")
      command.add(1, key.hex)
      var action = MessageWriter()
      action.add(1, message: ActionResult.Blob(command.bytes).message)
      action.add(2, message: ActionResult.Blob([]).message)
      blobs = [action.bytes, command.bytes, []].map { (ActionResult.Blob($0), $0) }
      digest = ActionResult.Blob(action.bytes).message
    }
  }

  /// A server describes itself by the message `ServerCapabilities`, of which these fields are read:
  ///
  ///   cache_capabilities  1  { digest_functions 1, action_cache_update_capabilities 2 { update_enabled 1 },
  ///                            supported_compressors 6, max_cas_blob_size_bytes 8 }
  ///   execution_capabilities  2  { exec_enabled 2 }
  struct ServerCapabilities: Equatable {
    var hasSHA256 = false
    var takesResults = false
    var executes = false
    /// Whether streams may be compressed by Zstandard.
    var hasZstandard = false
    /// In bytes; nil if there is no limit.
    var maxBlobSize: Int64?

    init?(_ bytes: [UInt8]) {
      guard let fields = MessageReader.fields(of: bytes[...]) else { return nil }
      executes = MessageReader.bytes(2, of: bytes).flatMap { MessageReader.number(2, of: Array($0)) } == 1
      for case (1, .bytes(let cache)) in fields.map({ ($0.number, $0.value) }) {
        guard let fields = MessageReader.fields(of: cache) else { return nil }
        for field in fields {
          switch (field.number, field.value) {
          // Numbers below 128 are a byte each, also where several are packed.
          case (1, .number(let function)): if function == ServerCapabilities.sha256 { hasSHA256 = true }
          case (1, .bytes(let packed)): if packed.contains(UInt8(ServerCapabilities.sha256)) { hasSHA256 = true }
          case (2, .bytes(let update)): takesResults = MessageReader.number(1, of: Array(update)) == 1
          case (6, .number(let compressor)): if compressor == ServerCapabilities.zstandard { hasZstandard = true }
          case (6, .bytes(let packed)):
            if packed.contains(UInt8(ServerCapabilities.zstandard)) { hasZstandard = true }
          case (8, .number(let size)): maxBlobSize = size == 0 ? nil : Int64(clamping: size)
          default: break
          }
        }
      }
    }

    /// `DigestFunction.Value`
    private static let sha256: UInt64 = 1
    /// `Compressor.Value`
    private static let zstandard: UInt64 = 1
  }

  /// A server answers for each blob of a batch: `{ digest 1, data 2, status 3 }` if the blob was read, `{ digest 1, status 2 }`
  /// if it was written. A status is `{ code 1 }`.
  struct BlobResponse {
    var data: [UInt8] = []
    /// 0 is OK.
    var status = 0

    /// The only one of the message `BatchReadBlobsResponse`.
    init?(_ answer: [UInt8]) {
      guard let part = MessageReader.bytes(1, of: answer) else { return nil }
      self.init(fields: part, statusField: 3)
    }

    init?(fields bytes: ArraySlice<UInt8>, statusField: Int) {
      guard let fields = MessageReader.fields(of: bytes) else { return nil }
      for field in fields {
        guard case .bytes(let value) = field.value else { continue }
        if field.number == statusField {
          status = Int(clamping: MessageReader.number(1, of: Array(value)) ?? 0)
        } else if field.number == 2 {
          data = Array(value)
        }
      }
    }

    func check() throws(RemoteFailure) {
      guard status != 0 else { return }
      if status == Status.Code.resourceExhausted.rawValue {
        throw RemoteFailure("has no room for this blob", .tooLarge)
      }
      throw RemoteFailure(status: status, "")
    }
  }

  extension RemoteFailure {
    /// A status in an answer.
    init(status: Int, _ message: String) {
      guard let code = Status.Code(rawValue: status).flatMap({ RPCError.Code($0) }) else {
        self.init("answers \(status), which is no status", .lasting)
        return
      }
      self.init(code: code, message)
    }
  }

  extension MessageReader {
    /// The last field of that number; nil if there is none.
    static func bytes(_ number: Int, of message: [UInt8]) -> ArraySlice<UInt8>? {
      guard case .bytes(let value) = fields(of: message[...])?.last(where: { $0.number == number })?.value else {
        return nil
      }
      return value
    }

    static func number(_ number: Int, of message: [UInt8]) -> UInt64? {
      guard case .number(let value) = fields(of: message[...])?.last(where: { $0.number == number })?.value else {
        return nil
      }
      return value
    }
  }
#endif
