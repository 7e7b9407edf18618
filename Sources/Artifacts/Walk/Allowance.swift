import Synchronization

/// How much a container may unpack to, and how much of that is in memory: a few kilobytes can become gigabytes, and what
/// real things hold becomes ten times as large at most. One for each file on the disk, whatever is in it.
final class Allowance: Sendable {
  /// What is unpacked goes to a temporary file when there is more than this of it in memory.
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
    // More is kept of property lists, manifests and jars than of code, and few entries of a container are such documents.
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

  /// Whether so many more bytes may be in memory; they are given back with `release`.
  func reserve(memory count: Int) -> Bool {
    counts.withLock { counts in
      guard counts.memory >= count else { return false }
      counts.memory -= count
      return true
    }
  }

  func release(memory count: Int) { counts.withLock { $0.memory += count } }
}
