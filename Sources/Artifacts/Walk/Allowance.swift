/// How much a container may unpack to: a few kilobytes can become gigabytes, and what real things hold becomes ten times
/// as large at most.
struct Allowance {
  /// Of content that is looked at piece by piece.
  static func content(size: Int) -> Allowance { Allowance(size: size, times: 100, always: 256 << 20) }

  /// Of property lists, manifests and jars, of which more is kept than of code: most of what is in a container is none.
  static func documents(size: Int) -> Allowance { Allowance(size: size, times: 8, always: 32 << 20) }

  struct TooLarge: Error, CustomStringConvertible {
    let times: Int
    var description: String { "it unpacks to more than \(times) times its size, as nothing real does" }
  }

  private let times: Int
  private var left: Int

  /// - Parameter size: the container's, in bytes.
  private init(size: Int, times: Int, always: Int) {
    self.times = times
    left = always + times * size
  }

  mutating func spend(_ count: Int) throws(TooLarge) {
    left -= count
    if left < 0 { throw TooLarge(times: times) }
  }
}
