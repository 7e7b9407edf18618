import Foundation

/// A generator with a seed: the same numbers on every machine, so that what failed can be run again (SplitMix64, by
/// Steele, Lea and Flood).
package struct Seeded: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// From 0 to `count`, that excluded.
  package mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// True once in `count` times.
  package mutating func once(in count: Int) -> Bool { number(count) == 0 }

  /// One of them; nil if there is none.
  package mutating func one<C: Collection>(of things: C) -> C.Element? { things.randomElement(using: &self) }

  /// The seeds of a test by chance. `NPI_SEED=17` takes this one only, `NPI_SEEDS=5000` more of them. `make unit` takes a
  /// quarter of them.
  package static func seeds(_ count: Int) -> [Int] {
    let variables = ProcessInfo.processInfo.environment
    if let only = variables["NPI_SEED"].flatMap({ Int($0) }) { return [only] }
    let usual = Lane.unitTools == nil ? count : (count + 3) / 4
    return Array(0..<(variables["NPI_SEEDS"].flatMap { Int($0) } ?? usual))
  }
}
