import Foundation
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Several npi-packs in one tree, in the binary that ships: one after the other, whatever they do and whenever they begin.
@Suite struct TreeLockTests {
  /// Somebody else's `flock`, during a build and after it.
  @Test(.timeLimit(.minutes(20))) func othersSeeTheLock() async throws {
    let scratch = Scratch()
    try scratch.write(
      "p/npi.yml",
      """
      name: Lock
      version: 1.0
      steps:
        slow: { shell: "echo > ../begun; until [ -e ../go ]; do sleep 0.02; done; echo > build/out", outputs: [build/out] }
      """)
    let build = try RunningBuild(["slow"], in: scratch("p"))
    while !scratch.exists("begun") && build.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    let flock = ["flock", "-n", scratch("p/.npi/lock").string, "true"]
    #expect(try await Tool.run(flock).status == 1, "the lock is free while a step runs")
    try scratch.write("go", "")
    #expect(try await blocking { build.end() } == 0, "\(build.err)")
    #expect(try await Tool.run(flock).status == 0)
  }

  /// What the npi-packs of one round are.
  enum Round: CaseIterable, Sendable {
    case twoBuilds, buildAndClean, twoBuildsAndClean
    /// The first is stopped for five seconds in between.
    case stopped

    var words: [[String]] {
      switch self {
      case .twoBuilds, .stopped: [[], []]
      case .buildAndClean: [[], ["clean"]]
      case .twoBuildsAndClean: [[], [], ["clean"]]
      }
    }

    static let all =
      Array(repeating: Round.twoBuilds, count: 130) + Array(repeating: .buildAndClean, count: 50)
      + Array(repeating: .stopped, count: 20) + Array(repeating: .twoBuildsAndClean, count: 50)
  }

  /// Begun up to three seconds apart. Sixteen trees at a time: their steps mostly sleep.
  @Test(.timeLimit(.minutes(20))) func oneAfterTheOther() async throws {
    let problems = try await withThrowingTaskGroup(of: String?.self) { group in
      var problems: [String] = []
      for (number, round) in Round.all.enumerated() {
        if number >= 16, let problem = try await group.next() ?? nil { problems.append(problem) }
        group.addTask { try await blocking { try TreeLockTests.problem(number, round) } }
      }
      for try await problem in group { if let problem { problems.append(problem) } }
      return problems
    }
    #expect(problems.isEmpty)
  }

  private static let steps = 25

  /// Each step says when it begins and ends, and for which npi-pack.
  private static func write(to scratch: Scratch) throws {
    let steps = (0..<steps).map { step in
      let say = { (what: String) in "echo \(what) \(step) $PPID >> ../journal" }
      return """
          s\(step): { shell: "\(say("begin")); sleep 0.08; cat in > build/\(step); \(say("end"))", inputs: [in], outputs: [build/\(step)] }
        """
    }
    let config = "deliverables: { config: { kind: config } }"
    try scratch.write("p/npi.yml", "name: Lock\nversion: 1.0\n\(config)\nsteps:\n\(steps.joined(separator: "\n"))\n")
    try scratch.write("p/in", "in\n")
    try scratch.write("journal", "")
  }

  private static func problem(_ number: Int, _ round: Round) throws -> String? {
    var random = Seeded(seed: number)
    let scratch = Scratch()
    try write(to: scratch)
    let targets = (0..<steps).map { "s\($0)" } + ["config", "release-record"]
    var running: [RunningBuild] = []
    // Most often while the one before is at it.
    for words in round.words {
      if !running.isEmpty {
        Thread.sleep(forTimeInterval: Double.random(in: 0...(random.once(in: 4) ? 3 : 0.8), using: &random))
      }
      running.append(try RunningBuild(words.isEmpty ? ["-j", "2"] + targets : words, in: scratch("p")))
      if round == .stopped, running.count == 1 {
        Thread.sleep(forTimeInterval: Double.random(in: 0...1, using: &random))
        running[0].signal(SIGSTOP)
      }
    }
    if round == .stopped {
      Thread.sleep(forTimeInterval: 5)
      running[0].signal(SIGCONT)
    }
    let what = "round \(number), \(round): "
    for npi in running where npi.end() != 0 { return what + npi.err }
    if let problem = try journalProblem(scratch, round) { return what + problem }
    let made = try (0..<steps).filter { try scratch.exists("p/build/\($0)") && scratch.text("p/build/\($0)") == "in\n" }
    let record = scratch.exists("p/dist/Lock-1.0.release.json")
    let cleans = round.words.contains(["clean"])
    // A build that follows a clean makes all of it; a clean that follows a build leaves nothing.
    if made.count == steps && record || cleans && made.isEmpty && !record && !scratch.exists("p/dist") { return nil }
    return what + "\(made.count) outputs, record: \(record); \(running.map(\.out)) \(running.map(\.err))"
  }

  /// The steps of one npi-pack must not begin before those of another one have ended.
  private static func journalProblem(_ scratch: Scratch, _ round: Round) throws -> String? {
    let lines = try scratch.text("journal").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    var owners: [String] = []
    for line in lines where owners.last != line[2] { owners.append(line[2]) }
    if Set(owners).count != owners.count { return "two built at once: \(owners)" }
    for owner in owners {
      for step in 0..<steps {
        let own = lines.filter { $0[2] == owner && $0[1] == "\(step)" }.map { $0[0] }
        if own != ["begin", "end"] { return "step \(step) of \(owner): \(own)" }
      }
    }
    // Only a clean in between makes a second build do it all again.
    let most = round == .twoBuildsAndClean ? 2 : 1
    return (1...most).contains(owners.count) ? nil : "\(owners.count) builds ran the steps"
  }
}
