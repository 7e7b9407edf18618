internal import Synchronization
internal import SystemPackage

/// The rough size of a store, from the lines of its `size` file. A process that keeps a file adds a line; one that
/// trims has walked the store, and writes a single line with the exact size. A line that is lost in between delays the
/// next walk a little.
final class StoreUsage: Sendable {
  private let path: FilePath
  private let limit: Int64
  private let state = Mutex(State())

  private struct State {
    /// The size as far as this process knows; nil before the file was read.
    var bytes: Int64?
    /// The number of files kept since the `size` file was read; other processes add to it, too.
    var kept = 0
    /// No walk is made before this size, because the last one did not help, or another process was trimming.
    var patience: Int64 = 0
    /// True if the folder is known to hold a store of this layout.
    var isOurs = false
  }

  init(_ path: FilePath, limit: Int64) {
    self.path = path
    self.limit = limit
  }

  /// Only a yes is remembered.
  func isOurs(_ look: () -> Bool) -> Bool {
    if state.withLock({ $0.isOurs }) { return true }
    guard look() else { return false }
    state.withLock { $0.isOurs = true }
    return true
  }

  /// To be called when the folder is gone.
  func forget() { state.withLock { $0 = State() } }

  /// The bytes that a file takes on a disk.
  static func blocks(_ size: Int64) -> Int64 { (max(0, min(size, .max / 2)) + 4095) / 4096 * 4096 }

  /// Counts a file that was kept; true if it is time to trim.
  func add(_ size: Int64) -> Bool {
    let bytes = StoreUsage.blocks(size)
    // A failure to write the estimate is harmless.
    try? FileSystem.appendPrivately(path, Array("\(bytes)\n".utf8))
    return state.withLock { state in
      state.kept += 1
      if let known = state.bytes, state.kept < 256 {
        state.bytes = known + bytes
      } else {
        state.bytes = read() ?? bytes
        state.kept = 0
      }
      return (state.bytes ?? 0) > max(limit, state.patience)
    }
  }

  /// Takes the size that a walk found; nil if another process is trimming.
  func set(_ bytes: Int64?) {
    if let bytes { try? FileSystem.writePrivately(path, Array("\(bytes)\n".utf8)) }
    state.withLock { state in
      state.kept = 0
      state.patience = (bytes ?? max(state.bytes ?? 0, limit)) + limit / 16
      state.bytes = bytes
    }
  }

  /// Nil if there is no file. A long file leads to a walk, which makes it one line again.
  private func read() -> Int64? {
    guard let status = try? FileSystem.status(of: path) else { return nil }
    guard status.size <= 256 << 10, let text = try? FileSystem.read(path, limit: 512 << 10) else { return .max / 2 }
    // The sum cannot overflow. A line that is no number also leads to a walk.
    return text.split(separator: 0x0A).reduce(0) { sum, line in
      min(sum + min(max(0, Int64(String(decoding: line, as: UTF8.self)) ?? .max), 1 << 61), 1 << 61)
    }
  }
}
