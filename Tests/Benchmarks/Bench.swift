import Foundation
import SystemPackage
import TestSupport

/// Ratios against peers, in one run: ours and theirs in turn, so that a machine that slows down slows both.
struct Bench {
  private(set) var misses: [String] = []

  /// Seconds of the call.
  static func seconds(_ body: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    let time = start.duration(to: clock.now)
    return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// Runs both `rounds` times in turn, prints medians and the ratio theirs / ours, and notes a miss below `target`.
  mutating func compare(
    _ name: String, with peer: String, atLeast target: Double? = nil, rounds: Int = 3,
    ours: () async throws -> Void, theirs: () async throws -> Void
  ) async throws {
    var times: (ours: [Double], theirs: [Double]) = ([], [])
    for _ in 0..<rounds {
      times.ours.append(try await Bench.seconds(ours))
      times.theirs.append(try await Bench.seconds(theirs))
    }
    let ratio = Bench.median(Swift.zip(times.theirs, times.ours).map { $0 / $1 })
    let numbers = "\(Bench.text(Bench.median(times.ours))) s, \(peer) \(Bench.text(Bench.median(times.theirs))) s"
    report(
      "\(name): \(numbers): \(Bench.text(ratio)) times", target.map { (ratio >= $0, "at least \(Bench.text($0))") })
  }

  mutating func report(_ line: String, _ target: (isMet: Bool, text: String)?) {
    guard let target else { return print(line) }
    print("\(line) (target \(target.text): \(target.isMet ? "met" : "MISSED"))")
    if !target.isMet { misses.append(line) }
  }

  static func text(_ value: Double) -> String { String(format: "%.2f", value) }

  /// Runs a program and gives its peak memory in MB, as the system accounts for it.
  static func peakMegabytes(_ words: [String], in folder: FilePath) async throws -> Int {
    let program = """
      import resource, subprocess, sys
      subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
      print(peak // (1 << 20 if sys.platform == "darwin" else 1 << 10))
      """
    let out = try await Tool.check(["python3", "-c", program] + words, in: folder)
    return Int(out.split(separator: "\n").first ?? "") ?? .max
  }
}

/// A peer's size and ours.
func fileSize(_ path: FilePath) throws -> Int {
  try FileManager.default.attributesOfItem(atPath: path.string)[.size] as? Int ?? 0
}
