import Foundation
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What is left of a build that somebody ends, and what the next one makes of it.
@Suite struct KillTests {
  /// Four trees of fifty kills, of which two bring back what was kept of earlier builds. The moments are spread over the
  /// whole time of a build; one that comes too late is not counted.
  @Test(.timeLimit(.minutes(20)), arguments: 0..<4) func killedAtAnyMoment(_ seed: Int) async throws {
    let states = try await FourStates.shared.value
    let problems = try await blocking { () -> [String] in
      var random = Seeded(seed: seed)
      let scratch = Scratch()
      try FourStates.write(to: scratch, at: "p", state: 0)
      let clock = ContinuousClock()
      // How long a build takes here and now: other tests run, too.
      var whole = try clock.measure { _ = try RunningBuild(in: scratch("p")).end() }
      var problems: [String] = []
      var kills = 0
      var state = 0
      while kills < 50 {
        let old = state
        state = (state + Int.random(in: 1..<FourStates.count, using: &random)) % FourStates.count
        try FourStates.set(state, scratch, "p")
        if seed < 2 { try FourStates.forget(scratch, "p") }
        let moment = whole * Double.random(in: 0...1, using: &random)
        let killed = try RunningBuild(in: scratch("p"))
        Thread.sleep(forTimeInterval: Double(moment.components.attoseconds) / 1e18 + Double(moment.components.seconds))
        killed.signal(SIGKILL)
        let status = killed.end()
        if status == -SIGKILL { kills += 1 }
        let what = "kill \(kills) of seed \(seed), after \(moment): "
        if let problem = states.halfMade(scratch, "p", states: [old, state]) { problems.append(what + problem) }
        let next = try RunningBuild(in: scratch("p"))
        let time = clock.measure { if next.end() != 0 { problems.append(what + next.err) } }
        if let problem = try states.problem(scratch, "p", state: state) { problems.append(what + problem) }
        whole = (whole * 3 + time) / 4
      }
      return problems
    }
    #expect(problems.isEmpty)
  }

  /// Two trees of a hundred rounds: in each, one of two npi-packs builds, the other waits or comes late, and then there
  /// is nothing to do for it.
  @Test(.timeLimit(.minutes(20)), arguments: 0..<2) func twoAtOnce(_ seed: Int) async throws {
    let states = try await FourStates.shared.value
    let (problems, waits) = try await blocking { () -> ([String], Int) in
      let scratch = Scratch()
      try FourStates.write(to: scratch, at: "p", state: 0, pause: "0")
      var problems: [String] = []
      var waits = 0
      for round in 1...100 {
        let state = round % FourStates.count
        try FourStates.set(state, scratch, "p")
        if seed == 0 { try FourStates.forget(scratch, "p") }
        let builds = [try RunningBuild(in: scratch("p")), try RunningBuild(in: scratch("p"))]
        let what = "round \(round) of seed \(seed): "
        for build in builds where build.end() != 0 { problems.append(what + build.err) }
        if let problem = try states.problem(scratch, "p", state: state) { problems.append(what + problem) }
        let idle = builds.filter { $0.out == "npi-pack: nothing to do\n" }
        if idle.count != 1 { problems.append(what + "\(builds.map(\.out))") }
        for (build, other) in zip(builds, builds.reversed()) where build.err.contains("waiting") {
          waits += 1
          let lines = ["", " (process \(other.number))"].map { "waiting: another npi-pack\($0) builds here\n" }
          if !lines.contains(where: build.err.hasPrefix) { problems.append(what + build.err) }
        }
      }
      return (problems, waits)
    }
    #expect(problems.isEmpty)
    #expect(waits > 0)
  }

  /// The command of a killed npi-pack goes on, and writes its output late.
  @Test(.timeLimit(.minutes(20))) func theNextBuildWaitsForWhatAKilledOneStarted() async throws {
    let scratch = Scratch()
    try scratch.write(
      "p/npi.yml",
      """
      name: Late
      version: 1.0
      steps:
        late:
          shell: "echo begun >> ../begun; until [ -e ../go ]; do sleep 0.05; done; cat in in in > build/out"
          inputs: [in]
          outputs: [build/out]
      """)
    try scratch.write("p/in", "1\n")
    let killed = try RunningBuild(["late"], in: scratch("p"))
    while !scratch.exists("begun") { try await Task.sleep(for: .milliseconds(10)) }
    killed.signal(SIGKILL)
    #expect(try await blocking { killed.end() } == -SIGKILL)
    let next = try RunningBuild(["late"], in: scratch("p"))
    // The explanation comes after some seconds.
    while next.isRunning && !next.err.contains("rm '") { try await Task.sleep(for: .milliseconds(10)) }
    let lines = next.err.split(separator: "\n")
    #expect(
      lines.first
        == "waiting: commands that an earlier npi-pack (process \(killed.number), which is gone) started are still running"
    )
    #if os(Linux)
      #expect(lines.dropFirst().first?.hasPrefix("  still running: ") == true, "\(lines)")
      // In the order of their numbers, which begin anew at some time.
      #expect(lines.dropFirst().first?.contains(" sh (process ") == true, "\(lines)")
      #expect(lines.dropFirst(2).first?.hasPrefix("  hint: let them end, or end them: kill ") == true, "\(lines)")
    #endif
    // A third one waits for the second; interrupted, it goes, and nothing happens to the others.
    let third = try RunningBuild(["late"], in: scratch("p"))
    while third.isRunning && third.err.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(third.err == "waiting: another npi-pack (process \(next.number)) builds here\n")
    third.signal(SIGINT)
    #expect(try await blocking { third.end() } == -SIGINT)
    #expect(try scratch.text("begun") == "begun\n")
    try scratch.write("go", "")
    #expect(try await blocking { next.end() } == 0, "\(next.err)")
    #expect(try scratch.text("p/build/out") == "1\n1\n1\n")
    #expect(try scratch.text("begun") == "begun\nbegun\n")
  }

  /// The file that the hint names, removed: the build goes on beside what runs.
  @Test(.timeLimit(.minutes(20))) func aCommandThatIsToStayCanBeLetGoOf() async throws {
    let scratch = Scratch()
    try scratch.write(
      "p/npi.yml",
      """
      name: Stays
      version: 1.0
      steps:
        stays:
          shell: "[ -e ../second ] || (echo $$ > ../tmp; mv ../tmp ../id; exec sleep 1000); cp in build/out"
          inputs: [in]
          outputs: [build/out]
      """)
    try scratch.write("p/in", "1\n")
    let killed = try RunningBuild(["stays"], in: scratch("p"))
    while !scratch.exists("id") { try await Task.sleep(for: .milliseconds(10)) }
    killed.signal(SIGKILL)
    #expect(try await blocking { killed.end() } == -SIGKILL)
    defer { kill(-(Int32(((try? scratch.text("id")) ?? "").split(separator: "\n").first ?? "") ?? 1_000_000), SIGKILL) }
    try scratch.write("second", "")
    let next = try RunningBuild(["stays"], in: scratch("p"))
    while next.isRunning && !next.err.contains("rm '") { try await Task.sleep(for: .milliseconds(10)) }
    let words = next.err.split(separator: "'")
    let file = try #require(words.dropLast().last, "\(next.err)")
    try await Tool.check(["rm", String(file)])
    #expect(try await blocking { next.end() } == 0, "\(next.err)")
    #expect(try scratch.text("p/build/out") == "1\n")
  }

  #if os(Linux)
    /// What has left the group of its command and prints still is ended, too: nothing is left for the next build to wait for.
    @Test(.timeLimit(.minutes(20)), arguments: ["--no-sandbox", "--sandbox"])
    func controlCEndsWhatHasLeftTheGroup(_ sandbox: String) async throws {
      let scratch = Scratch()
      try scratch.write(
        "p/npi.yml",
        """
        name: Stop
        version: 1.0
        steps:
          stop: { shell: "setsid sh -c 'trap : TERM; while :; do sleep 1000; done' & sleep 1000", outputs: [out] }
          next: { shell: "echo > next", outputs: [next] }
        """)
      let build = try RunningBuild(["stop", sandbox], in: scratch("p"))
      func printing() async throws -> Int {
        let all = try await Tool.run(["sh", "-c", "readlink /proc/[0-9]*/fd/1"]).out
        return all.split(separator: "\n").count { $0.hasPrefix(scratch("p/.npi/tmp").string) }
      }
      // Two shells and what they wait for.
      while build.isRunning, try await printing() < 4 { try await Task.sleep(for: .milliseconds(20)) }
      build.signal(SIGINT)
      #expect(try await blocking { build.end() } == -SIGINT)
      #expect(try await printing() == 0)
      let next = try RunningBuild(["next"], in: scratch("p"))
      #expect(try await blocking { next.end() } == 0)
      #expect(!next.err.contains("waiting"), "\(next.err)")
    }
  #endif

  /// Nobody reads what it prints any more.
  @Test func aReaderThatGoesAwayDoesNotEndABuild() async throws {
    let scratch = Scratch()
    try FourStates.write(to: scratch, at: "p", state: 1, pause: "0.1")
    let run = "exec 2>&1; \(Scenario.binary.string) -v | true"
    _ = try await Tool.run(["sh", "-c", run], in: scratch("p"))
    let states = try await FourStates.shared.value
    #expect(try states.problem(scratch, "p", state: 1) == nil)
  }
}
