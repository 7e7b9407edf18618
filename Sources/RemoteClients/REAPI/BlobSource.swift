#if REAPI
  import Remote
  import Store
  import Synchronization

  /// The pieces of a blob's stream to a server, compressed or as they are.
  final class BlobSource: Sendable {
    struct Piece {
      /// The place of the piece in the stream, in bytes.
      let offset: Int64
      let bytes: [UInt8]
      let isLast: Bool
    }

    let compresses: Bool
    private let blob: LeavingBlob
    private let state = Mutex(State())

    private struct State {
      /// Up to where the blob is read, in bytes.
      var read: Int64 = 0
      /// Up to where its stream is sent.
      var sent: Int64 = 0
      var compressor: Zstandard?
    }

    /// In bytes.
    private static let pieceSize = 256 << 10

    /// - Parameter canCompress: whether the server takes that. It is done where it pays.
    init(_ blob: LeavingBlob, canCompress: Bool) {
      self.blob = blob
      compresses = canCompress && blob.read(at: 0, atMost: BlobSource.pieceSize).map(Zstandard.pays) == true
    }

    /// The bytes of the stream that are sent.
    var count: Int64 { state.withLock { $0.sent } }

    var isAtEnd: Bool { state.withLock { $0.read == blob.size } }

    /// - Parameter offset: the place in the stream that goes on, which is 0 for a compressed one.
    func start(at offset: Int64) throws(RemoteFailure) {
      let compressor = compresses ? Zstandard(compresses: true) : nil
      if compresses, compressor == nil { throw RemoteFailure("was given nothing: there is no memory", .lasting) }
      state.withLock { $0 = State(read: offset, sent: offset, compressor: compressor) }
    }

    /// Nil at the end.
    func next() throws(RemoteFailure) -> Piece? {
      try state.withLock { state throws(RemoteFailure) in
        var bytes: [UInt8] = []
        while bytes.isEmpty, state.read < blob.size {
          guard let plain = blob.read(at: state.read, atMost: BlobSource.pieceSize) else {
            throw RemoteFailure("was given half of a blob: it cannot be read here", .lasting)
          }
          state.read += Int64(plain.count)
          guard let compressor = state.compressor else {
            bytes = plain
            break
          }
          try compressor.take(plain, isLast: state.read == blob.size) { bytes += $0 }
        }
        if bytes.isEmpty { return nil }
        defer { state.sent += Int64(bytes.count) }
        return Piece(offset: state.sent, bytes: bytes, isLast: state.read == blob.size)
      }
    }
  }
#endif
