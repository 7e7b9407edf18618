#if REAPI
  import Remote
  import Store
  import Synchronization

  /// A server's own workers, by its service `Execution`:
  ///
  ///   Command         arguments 1, environment_variables 2 { name 1, value 2 }, output_directories 4,
  ///                   platform 5 { properties 1 { name 1, value 2 } }, working_directory 6, output_paths 7
  ///   Action          command_digest 1, input_root_digest 2, platform 10
  ///   ExecuteRequest  instance_name 1, action_digest 6
  ///
  /// The answer is a stream of the states of one operation. If it breaks, `WaitExecution` goes on with the same operation.
  extension REAPICache: RemoteExecutor {
    func run(_ work: RemoteWork) async throws(RemoteFailure) -> RemoteOutcome {
      guard try await check().executes else {
        throw RemoteFailure("has no workers for this user", .lasting)
      }
      let tree = InputTree(work.entries)
      let command = self.command(work)
      var action = MessageWriter()
      action.add(1, message: ActionResult.Blob(command.bytes).message)
      action.add(2, message: tree.root.message)
      if let platform { action.add(10, message: platform) }
      try await upload(work, tree.folders + [command.bytes, action.bytes].map { (ActionResult.Blob($0), $0) })
      return try await execute(ActionResult.Blob(action.bytes))
    }

    private func command(_ work: RemoteWork) -> MessageWriter {
      var command = MessageWriter()
      for word in work.words { command.add(1, word) }
      for variable in work.variables.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
        command.add(2, message: REAPICache.pair(variable.name, variable.value))
      }
      // Servers of the first versions know the one field, later ones both, and take the second.
      if let outputs = work.outputs { command.add(4, outputs) }
      if let platform { command.add(5, message: platform) }
      if !work.folder.isEmpty { command.add(6, work.folder) }
      if let outputs = work.outputs { command.add(7, outputs) }
      return command
    }

    private var platform: MessageWriter? {
      if properties.isEmpty { return nil }
      var platform = MessageWriter()
      for property in properties.sorted(by: { ($0.name, $0.value) < ($1.name, $1.value) }) {
        platform.add(1, message: REAPICache.pair(property.name, property.value))
      }
      return platform
    }

    private static func pair(_ name: String, _ value: String) -> MessageWriter {
      var pair = MessageWriter()
      pair.add(1, name)
      pair.add(2, value)
      return pair
    }

    // MARK: Inputs

    func missing(_ blobs: [ActionResult.Blob]) async throws(RemoteFailure) -> Set<Digest> {
      var missing: Set<Digest> = []
      for start in stride(from: 0, to: blobs.count, by: REAPICache.maxAsked) {
        var request = self.request
        for blob in blobs[start..<min(start + REAPICache.maxAsked, blobs.count)] {
          request.add(2, message: blob.message)
        }
        let answer = try await call(.findMissingBlobs, request, size: 0)
        guard let fields = MessageReader.fields(of: answer[...]) else { throw REAPICache.strange }
        for case (2, .bytes(let digest)) in fields.map({ ($0.number, $0.value) }) {
          guard let hex = MessageReader.bytes(1, of: Array(digest)),
            let name = Digest(hex: String(decoding: hex, as: UTF8.self))
          else { throw REAPICache.strange }
          missing.insert(name)
        }
      }
      return missing
    }

    /// A question has about 70 bytes for each, and messages 4 MB.
    private static let maxAsked = 10_000

    private func upload(
      _ work: RemoteWork, _ messages: [(name: ActionResult.Blob, bytes: [UInt8])]
    ) async throws(RemoteFailure) {
      var blobs: [Digest: (name: ActionResult.Blob, open: @Sendable () -> LeavingBlob?)] = [:]
      for message in messages { blobs[message.name.digest] = (message.name, { LeavingBlob(message.bytes) }) }
      for case .file(let name, _, let open) in work.entries.values { blobs[name.digest] = (name, open) }
      let names = blobs.values.map(\.name).sorted { $0.digest < $1.digest }
      var missing = try await missing(names)
      let large = names.filter { $0.size > REAPICache.maxBatchSize && missing.contains($0.digest) }
      if !large.isEmpty {
        // One after the other, because many steps need the same: the program.
        await uploads.wait()
        defer { uploads.signal() }
        let still = try await self.missing(large)
        for digest in still.sorted() {
          if let (name, open) = blobs[digest] { try await write(name, opened(name, open)) }
        }
        missing.subtract(large.map(\.digest))
      }
      var (batch, size): ([(name: ActionResult.Blob, bytes: [UInt8])], Int64) = ([], 0)
      for digest in missing.sorted() {
        guard let (name, open) = blobs[digest] else { continue }
        let blob = try opened(name, open)
        guard name.size <= REAPICache.maxBatchedSize else {
          try await write(name, blob)
          continue
        }
        guard let bytes = blob.read(at: 0, atMost: Int(name.size)) else {
          throw RemoteFailure("was not given a file that cannot be read", .lasting)
        }
        if size + name.size > REAPICache.maxBatchSize {
          try await upload(batch)
          (batch, size) = ([], 0)
        }
        batch.append((name, bytes))
        size += name.size
      }
      if !batch.isEmpty { try await upload(batch) }
    }

    private func opened(
      _ name: ActionResult.Blob, _ open: () -> LeavingBlob?
    ) throws(RemoteFailure) -> LeavingBlob {
      guard let blob = open(), blob.size == name.size else {
        throw RemoteFailure("was not given a file that was changed or removed meanwhile", .lasting)
      }
      return blob
    }

    /// In bytes, of several blobs in one message.
    private static let maxBatchSize: Int64 = 1 << 20

    // MARK: Execution

    /// The work of a step takes longer than a request.
    private static let executionTimeouts = 60

    private func execute(_ action: ActionResult.Blob) async throws(RemoteFailure) -> RemoteOutcome {
      let operation = Operation()
      return try await limits.run(size: 0, timeout: limits.timeout * REAPICache.executionTimeouts) {
        left throws(RemoteFailure) in
        var request = MessageWriter()
        let method: GRPCCalls.Method
        if let name = operation.name {
          method = .waitExecution
          request.add(1, name)
        } else {
          method = .execute
          request = self.request
          request.add(6, message: action.message)
        }
        do throws(RemoteFailure) {
          try await calls.receive(method, request, milliseconds: left) { operation.take($0) }
        } catch {
          guard error.kind == .absent, operation.name != nil else { throw error }
          // The server has forgotten it, perhaps in a restart.
          operation.forget()
          throw RemoteFailure("cannot be used: it has lost an execution", .passing)
        }
        guard let answer = operation.answer else {
          throw RemoteFailure("cannot be used: it ended an execution without a result", .passing)
        }
        return try await outcome(answer)
      }
    }

    /// ```
    /// Operation        name 1, done 3, error 4 (Status), response 5 (Any { value 2 } of an ExecuteResponse)
    /// ExecuteResponse  result 1, status 3 { code 1, message 2 }
    /// ActionResult     exit_code 4, stderr_raw 7, stderr_digest 8
    /// ```
    private func outcome(_ operation: [UInt8]) async throws(RemoteFailure) -> RemoteOutcome {
      if let status = MessageReader.bytes(4, of: operation) { try check(status) }
      guard let response = MessageReader.bytes(5, of: operation).flatMap({ MessageReader.bytes(2, of: Array($0)) })
      else {
        throw REAPICache.strange
      }
      if let status = MessageReader.bytes(3, of: Array(response)) { try check(status) }
      guard let result = MessageReader.bytes(1, of: Array(response)).map(Array.init) else {
        throw REAPICache.strange
      }
      // It is a number of 32 bits with a sign.
      let status = Int(Int32(truncatingIfNeeded: MessageReader.number(4, of: result) ?? 0))
      let errors = status == 0 ? [] : await errors(of: result)
      let line = errors.prefix { $0 != 0x0A }
      return RemoteOutcome(
        status: status, result: result,
        errors: GRPCCalls.clipped(calls.shown(String(decoding: line, as: UTF8.self))))
    }

    /// Fetches the text that a program has written to standard error, if it is short.
    private func errors(of result: [UInt8]) async -> [UInt8] {
      if let raw = MessageReader.bytes(7, of: result), !raw.isEmpty { return Array(raw) }
      guard let digest = MessageReader.bytes(8, of: result).map(Array.init),
        MessageReader.number(2, of: digest) ?? .max <= UInt64(REAPICache.maxErrorsSize)
      else { return [] }
      var request = self.request
      request.add(2, bytes: digest)
      let answer = try? await call(.batchReadBlobs, request, size: 0)
      return answer.flatMap(BlobResponse.init)?.data ?? []
    }

    /// In bytes.
    private static let maxErrorsSize = 64 << 10

    private func check(_ status: ArraySlice<UInt8>) throws(RemoteFailure) {
      let code = MessageReader.number(1, of: Array(status)) ?? 0
      let words = MessageReader.bytes(2, of: Array(status)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      if code != 0 { throw RemoteFailure(status: Int(clamping: code), calls.shown(words)) }
    }

    /// Remembers the state of an execution that the server has sent last.
    private final class Operation: Sendable {
      private let state = Mutex<(name: String?, last: [UInt8]?)>((nil, nil))

      var name: String? { state.withLock { $0.name } }

      /// The last message, if the execution has ended.
      var answer: [UInt8]? {
        state.withLock { state in
          state.last.flatMap { MessageReader.number(3, of: $0) == 1 ? $0 : nil }
        }
      }

      func take(_ message: [UInt8]) {
        state.withLock { state in
          state.last = message
          guard let name = MessageReader.bytes(1, of: message), !name.isEmpty else { return }
          state.name = String(decoding: name, as: UTF8.self)
        }
      }

      func forget() { state.withLock { $0 = (nil, nil) } }
    }
  }
#endif
