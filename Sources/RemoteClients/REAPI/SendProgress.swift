#if REAPI
  import Synchronization

  /// How much of a blob is sent.
  final class SendProgress: Sendable {
    /// In bytes.
    static let pieceSize = 256 << 10
    private let offset = Mutex<Int64>(0)

    var count: Int64 { offset.withLock { $0 } }
    func start(at place: Int64) { offset.withLock { $0 = place } }

    /// The place of the next piece; nil at the end.
    func next(of size: Int64) -> Int64? {
      offset.withLock { offset in
        guard offset < size else { return nil }
        defer { offset = min(size, offset + Int64(SendProgress.pieceSize)) }
        return offset
      }
    }
  }
#endif
