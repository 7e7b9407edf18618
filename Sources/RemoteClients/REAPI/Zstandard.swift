#if REAPI
  import CZstd
  import Remote
  import Synchronization

  /// A stream of Zstandard (RFC 8878) in one direction, by libzstd, which is opened with the first one.
  @safe final class Zstandard: Sendable {
    private nonisolated(unsafe) static let library = unsafe libzstd_open()

    static var isThere: Bool { unsafe library != nil }

    private let state: Mutex<State>
    private let compresses: Bool

    @safe private struct State: ~Copyable {
      let library: UnsafePointer<libzstd>
      let handle: UnsafeMutableRawPointer
      let compresses: Bool
      var room = [UInt8](repeating: 0, count: Zstandard.pieceSize)

      init?(compresses: Bool) {
        guard let library = unsafe Zstandard.library,
          let handle = unsafe compresses
            ? libzstd_begin_compressing(library) : libzstd_begin_decompressing(library, Zstandard.maxWindowLog)
        else { return nil }
        unsafe self.library = library
        unsafe self.handle = handle
        self.compresses = compresses
      }

      deinit { unsafe libzstd_end(library, handle, compresses) }

      mutating func step(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> libzstd_step {
        let (library, handle, compresses) = unsafe (library, handle, compresses)
        return unsafe bytes.withUnsafeBytes { source in
          unsafe room.withUnsafeMutableBytes { target in
            unsafe compresses
              ? libzstd_compress(
                library, handle, source.baseAddress, source.count, isLast, target.baseAddress, target.count)
              : libzstd_decompress(
                library, handle, source.baseAddress, source.count, target.baseAddress, target.count)
          }
        }
      }
    }

    /// Nil if there is no library, or no memory.
    init?(compresses: Bool) {
      guard let state = State(compresses: compresses) else { return nil }
      self.compresses = compresses
      self.state = Mutex(state)
    }

    /// In bytes; the most that is given at once.
    private static let pieceSize = 128 << 10
    /// Windows of 8 MiB, which all decoders are to have (RFC 8878, 3.1.1.1.2). A stream that wants more is refused, because
    /// several arrive at a time.
    private static let maxWindowLog: Int32 = 23

    /// Takes the next bytes of the stream, and gives what comes of them so far, in pieces.
    ///
    /// - Parameter isLast: whether the stream ends there, which a compressor must know.
    func take(
      _ bytes: [UInt8], isLast: Bool = false, _ give: ([UInt8]) throws(RemoteFailure) -> Void
    ) throws(RemoteFailure) {
      // Steps without any bytes are counted as standstill.
      if bytes.isEmpty, !isLast { return }
      try state.withLock { state throws(RemoteFailure) in
        var rest = bytes[...]
        while true {
          let step = state.step(rest, isLast: isLast)
          if step.hasFailed {
            throw compresses
              ? RemoteFailure("was given nothing: the blob cannot be compressed", .lasting)
              : RemoteFailure("sends a stream of zstd that is damaged, or needs too much memory", .lasting)
          }
          // A few bytes may stand for gigabytes.
          if Task.isCancelled { throw RemoteFailure("was not asked", .cancelled) }
          rest = rest.dropFirst(step.taken)
          if step.given > 0 { try give(Array(state.room.prefix(step.given))) }
          if step.isDone || step.taken == 0 && step.given == 0 { return }
        }
      }
    }

    /// Whether these first bytes of a blob become smaller by more than a tenth. Those of archives do not.
    static func pays(for bytes: [UInt8]) -> Bool {
      var count = 0
      do throws(RemoteFailure) {
        guard let stream = Zstandard(compresses: true) else { return false }
        try stream.take(bytes, isLast: true) { count += $0.count }
      } catch { return false }
      return count < bytes.count / 10 * 9
    }
  }
#endif
