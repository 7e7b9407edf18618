import Synchronization

/// Limits how much a container may unpack to, and how much of that is in memory: a few kilobytes can become gigabytes,
/// and real content becomes ten times as large at most. Each file on the disk has one allowance for everything in it.
final class Allowance: Sendable {
  /// In bytes. More unpacked content than this goes to a temporary file.
  static let memory = 64 << 20

  struct TooLarge: Error, CustomStringConvertible {
    let times: Int
    var description: String { "it unpacks to more than \(times) times its size, as nothing real does" }
  }

  private struct Counts {
    var content: Int
    var documents: Int
    var memory = Allowance.memory
  }

  private let counts: Mutex<Counts>

  /// - Parameter size: the file's, in bytes.
  init(size: Int) {
    // Property lists, manifests and jars take more memory once they are read than code does, and few entries are such.
    counts = Mutex(Counts(content: 256 << 20 + 100 * size, documents: 32 << 20 + 8 * size))
  }

  /// - Parameter count: bytes that were unpacked.
  func spend(_ count: Int, isDocument: Bool) throws(TooLarge) {
    let times = counts.withLock { counts -> Int? in
      counts.content -= count
      if isDocument { counts.documents -= count }
      return counts.content < 0 ? 100 : counts.documents < 0 ? 8 : nil
    }
    if let times { throw TooLarge(times: times) }
  }

  /// Whether `count` more bytes may be in memory; `release` gives them back.
  func reserve(memory count: Int) -> Bool {
    counts.withLock { counts in
      guard counts.memory >= count else { return false }
      counts.memory -= count
      return true
    }
  }

  func release(memory count: Int) { counts.withLock { $0.memory += count } }
}
