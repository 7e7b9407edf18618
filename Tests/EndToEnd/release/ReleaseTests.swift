import Foundation
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite struct ReleaseTests {
  /// A release that is killed leaves the one that was there, or the new one, and never parts of both.
  @Test(.timeLimit(.minutes(20))) func killedAtAnyMomentItIsTheOldOneOrTheNew() async throws {
    let problems = try await blocking { () -> [String] in
      let scratch = Scratch()
      try FourStates.write(to: scratch, at: "p", state: 0, pause: "0")
      let release = ["release", "--replace", "--allow-dirty", "--quiet"]
      func sums() -> String? { try? scratch.text("p/release/1.0/SHA256SUMS") }
      var expected: [String?] = []
      let clock = ContinuousClock()
      var whole = Duration.zero
      for state in 0..<2 {
        try FourStates.set(state, scratch, "p")
        whole = try clock.measure { _ = try RunningBuild(release, in: scratch("p")).end() }
        expected.append(sums())
      }
      if Set(expected).count != 2 || expected.contains(nil) { return ["the two states are one: \(expected)"] }
      var random = Seeded(seed: 5)
      var problems: [String] = []
      var kills = 0
      var (state, tries) = (1, 0)
      while kills < 20, tries < 200 {
        tries += 1
        state = 1 - state
        try FourStates.set(state, scratch, "p")
        let killed = try RunningBuild(release, in: scratch("p"))
        let moment = whole * Double.random(in: 0.2...1, using: &random)
        Thread.sleep(forTimeInterval: Double(moment.components.attoseconds) / 1e18 + Double(moment.components.seconds))
        killed.signal(SIGKILL)
        if killed.end() == -SIGKILL { kills += 1 }
        guard let now = sums(), expected.contains(now) else {
          problems.append("kill \(kills): the release is neither of the two")
          continue
        }
        let verify = try RunningBuild(["release", "--verify", "release/1.0"], in: scratch("p"))
        if verify.end() != 0 { problems.append("kill \(kills): \(verify.err)") }
        for line in now.split(separator: "\n") {
          let path = line.dropFirst(66)
          if !scratch.exists("p/release/1.0/\(path)") { problems.append("kill \(kills): no \(path)") }
        }
      }
      if kills < 20 { problems.append("only \(kills) kills came in time") }
      try FourStates.set(0, scratch, "p")
      if try RunningBuild(release, in: scratch("p")).end() != 0 || sums() != expected[0] {
        problems.append("the next release is another")
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: scratch("p/release").string)
      if Set(left) != [".gitignore", "1.0"] { problems.append("left behind: \(left)") }
      return problems
    }
    #expect(problems.isEmpty)
  }
}
