import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// Many apps on a machine that has read none of their plugins, through a cache that another machine has filled.
  mutating func fleet(_ corpus: AARCorpus) async throws {
    var random = Seeded(seed: 300)
    let apps = (0..<300).map { _ in
      (0..<40).compactMap { _ in corpus.plugins.randomElement(using: &random)?.string }
    }
    let times = try await shared(apps)
    report(
      "300 apps of 40 plugins out of 1,000 through a warm cache: \(Bench.text(times.cpu)) core-seconds",
      (times.cpu <= 60, "at most 60"))
    report("its memory: \(times.peak) MB", (times.peak <= 2048, "at most 2,048 MB"))
    guard let folder = ProcessInfo.processInfo.environment[Bench.variable] else {
      return print("real plugins are left out: \(Bench.variable) names a folder with AARs, jars or zips")
    }
    let real = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      [".aar", ".jar", ".zip"].contains { name.hasSuffix($0) }
    }.sorted()
    try await self.real(real.prefix(200).map { "\(folder)/\($0)" })
  }

  /// Each of a few hundred plugins is an app of its own: nothing but reading counts.
  private mutating func real(_ plugins: [String]) async throws {
    let times = try await shared(plugins.map { [$0] })
    let first = times.wall / times.cold
    report(
      "\(plugins.count) real plugins, never seen, through a warm cache: \(Bench.text(times.wall)) s, "
        + "\(Bench.text(first)) of reading them; each is digested once", nil)
    let again = times.again / times.cold
    report(
      "once more: \(Bench.text(times.again)) s, \(Bench.text(again)) of reading them", (again <= 0.1, "at most 0.1"))
    let local = times.again / times.local
    report("against a machine without that cache: \(Bench.text(local)) times", (local <= 1.5, "at most 1.5"))
  }

  private struct Shared {
    /// Seconds of one that reads everything, and of one that knows everything itself.
    let cold: Double
    let local: Double
    /// Of one that has got everything from the cache before.
    let again: Double
    /// Of one that gets everything from the cache: seconds, seconds of the processors, and MB.
    let wall: Double
    let cpu: Double
    let peak: Int
  }

  private func shared(_ apps: [[String]]) async throws -> Shared {
    let (server, scratch) = (try CacheServer(), Scratch())
    let file = scratch("apps.yml").string
    let lines = apps.enumerated().map { number, plugins in
      "app\(number): { plugins: [\(Set(plugins).sorted().map { "\"\($0)\"" }.joined(separator: ", "))] }"
    }
    try lines.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
    func words(_ store: String, _ more: [String]) -> [String] {
      ["env", "NPI_PACK_STORE=\(scratch(store).string)", Bench.tool, "check", "--apps", file] + more
    }
    let remote = ["--remote-cache", server.url, "--remote-timeout", "60"]
    let cold = try await inTurn([words("cold", [])], in: ".", rounds: 1, status: 2)[0]
    let local = try await inTurn([words("cold", [])], in: ".", rounds: 3, status: 2)[0]
    _ = try await inTurn([words("giver", remote + ["--remote-upload", "always"])], in: ".", rounds: 1, status: 2)
    var warm: [Times] = []
    for round in 0..<3 {
      warm += try await inTurn([words("warm\(round)", remote)], in: ".", rounds: 1, status: 2)
    }
    let again = try await inTurn([words("warm0", remote)], in: ".", rounds: 3, status: 2)[0]
    let median = warm.sorted { $0.cpu < $1.cpu }[1]
    return Shared(
      cold: cold.wall, local: local.wall, again: again.wall, wall: median.wall, cpu: median.cpu, peak: median.peak)
  }
}
