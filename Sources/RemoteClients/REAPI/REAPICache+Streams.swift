#if REAPI
  import GRPCCore
  import Remote
  import Store
  import Synchronization

  /// Large blobs, which are streams of their own, by the service `ByteStream`:
  ///
  ///   ReadRequest               resource_name 1, read_offset 2
  ///   ReadResponse              data 10
  ///   WriteRequest              resource_name 1, write_offset 2, finish_write 3, data 10
  ///   WriteResponse             committed_size 1
  ///   QueryWriteStatusRequest   resource_name 1
  ///   QueryWriteStatusResponse  committed_size 1
  extension REAPICache {
    /// Whether compressed streams are still tried in this run.
    final class Compression: Sendable {
      private let isOver = Atomic<Bool>(false)

      var isOn: Bool { !isOver.load(ordering: .relaxed) }
      func end() { isOver.store(true, ordering: .relaxed) }
    }

    /// Whether streams to and from the server are compressed.
    func packs(_ capabilities: ServerCapabilities) -> Bool {
      capabilities.hasZstandard && Zstandard.isThere && compression.isOn
    }

    /// Whether it says that it takes compressed streams, and then does not. Each is tried once more as it is.
    private func endsCompression(_ failure: RemoteFailure) -> Bool {
      guard failure.kind == .lasting || failure.kind == .otherProtocol else { return false }
      compression.end()
      return true
    }

    private static func path(_ named: ActionResult.Blob, _ isPacked: Bool) -> String {
      (isPacked ? "compressed-blobs/zstd/" : "blobs/") + named.resource
    }

    /// A blob in pieces; what has arrived before a break is not asked for again.
    func read(_ named: ActionResult.Blob, to blob: ArrivingBlob) async throws(RemoteFailure) {
      let isPacked = packs(try await check())
      do throws(RemoteFailure) { try await read(named, to: blob, isPacked: isPacked) } catch {
        guard isPacked, blob.count < blob.size, endsCompression(error) else { throw error }
        try await read(named, to: blob, isPacked: false)
      }
    }

    private func read(
      _ named: ActionResult.Blob, to blob: ArrivingBlob, isPacked: Bool
    ) async throws(RemoteFailure) {
      let (calls, resource) = (self.calls, prefix + REAPICache.path(named, isPacked))
      try await limits.run(size: blob.size) { left throws(RemoteFailure) in
        var request = MessageWriter()
        request.add(1, resource)
        request.add(2, UInt64(blob.count))
        // The offset is one of the blob itself, and what follows is a stream of its own.
        let stream = isPacked ? Zstandard(compresses: false) : nil
        if isPacked, stream == nil { throw RemoteFailure("was not asked: there is no memory", .lasting) }
        try await watched({ blob.count }) { [request] () throws(RemoteFailure) in
          try await calls.receive(.read, request, milliseconds: left) { message in
            guard let data = MessageReader.bytes(10, of: message) else { return }
            try REAPICache.take(Array(data), stream, to: blob)
          }
        }
      }
    }

    private static func take(
      _ bytes: [UInt8], _ stream: Zstandard?, to blob: ArrivingBlob
    ) throws(RemoteFailure) {
      func arrive(_ bytes: [UInt8]) throws(RemoteFailure) { if !blob.take(bytes) { throw tooMuch } }
      if let stream { try stream.take(bytes, arrive) } else { try arrive(bytes) }
    }

    func write(_ named: ActionResult.Blob, _ blob: LeavingBlob) async throws(RemoteFailure) {
      let source = BlobSource(blob, canCompress: packs(try await check()))
      do throws(RemoteFailure) { try await write(named, source, of: blob.size) } catch {
        guard source.compresses, endsCompression(error) else { throw error }
        try await write(named, BlobSource(blob, canCompress: false), of: blob.size)
      }
    }

    /// A blob in pieces. After a break it goes on where the server is, unless it is compressed: servers differ in what
    /// offsets mean there, and some take 0 only.
    private func write(
      _ named: ActionResult.Blob, _ source: BlobSource, of size: Int64
    ) async throws(RemoteFailure) {
      var resource = ""
      let calls = self.calls
      let committed = try await limits.run(size: size) { left throws(RemoteFailure) -> UInt64? in
        if resource.isEmpty || source.compresses {
          resource = prefix + "uploads/\(REAPICache.freshName())/" + REAPICache.path(named, source.compresses)
          try source.start(at: 0)
        } else {
          let offset = await self.committed(resource, left)
          // The break was after the end.
          if offset == size { return UInt64(size) }
          try source.start(at: offset)
        }
        let answer = try await watched({ source.count }) { [resource] () throws(RemoteFailure) in
          try await calls.send(.write, milliseconds: left) {
            guard let piece = try source.next() else { return nil }
            var message = MessageWriter()
            message.add(1, resource)
            message.add(2, UInt64(piece.offset))
            if piece.isLast { message.add(3, 1) }
            message.add(10, bytes: piece.bytes)
            return message
          }
        }
        return MessageReader.number(1, of: answer)
      }
      // A server that has the whole blob already cannot know the size of the compressed stream, and says -1.
      let isWhole =
        source.compresses
        ? committed == .max || source.isAtEnd && committed == UInt64(source.count) : committed == UInt64(size)
      guard isWhole else { throw RemoteFailure("has taken a part of a blob only", .lasting) }
    }

    /// Up to where the server has a blob that was interrupted; 0 if it does not say.
    private func committed(_ resource: String, _ milliseconds: Int) async -> Int64 {
      var request = MessageWriter()
      request.add(1, resource)
      let answer = try? await calls.call(.queryWriteStatus, request, milliseconds: milliseconds)
      return answer.flatMap { MessageReader.number(1, of: $0) }.map { Int64(clamping: $0) } ?? 0
    }

    /// Ends a stream that stands still.
    private func watched<Answer: Sendable>(
      _ count: @escaping @Sendable () -> Int64, _ body: @escaping @Sendable () async throws(RemoteFailure) -> Answer
    ) async throws(RemoteFailure) -> Answer {
      let patience = Duration.milliseconds(limits.timeout)
      do {
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
          group.addTask { try await body() }
          group.addTask {
            var last: Int64 = -1
            while count() != last {
              last = count()
              try await Task.sleep(for: patience)
            }
            return nil
          }
          defer { group.cancelAll() }
          guard let answer = try await group.next() ?? nil else {
            throw RemoteFailure("cannot be used: it timed out", .timeout)
          }
          return answer
        }
      } catch {
        throw error as? RemoteFailure ?? RemoteFailure("was not asked", .cancelled)
      }
    }

    /// A name for one upload, which no other has.
    private static func freshName() -> String {
      let digits = (0..<2).map { _ in
        let hex = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - hex.utf8.count) + hex
      }.joined()
      let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
        String(decoding: Array(digits.utf8)[range], as: UTF8.self)
      }
      return parts.joined(separator: "-")
    }
  }
#endif
