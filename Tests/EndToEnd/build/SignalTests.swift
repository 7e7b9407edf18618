import Foundation
import SystemPackage
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Ctrl-C, TERM and HUP end every command with 130, 143, 129, as a shell counts them: by the signal itself, so that a loop
/// of a shell ends, too.
@Suite struct SignalTests {
  static let all = [(SIGINT, "INT", 130), (SIGTERM, "TERM", 143), (SIGHUP, "HUP", 129)]

  private static let manifest = """
    name: Demo
    version: 1.0
    rules: { missing-library: off }
    steps:
      first: { shell: "echo first >> ../log; cp in build/first", inputs: [in], outputs: [build/first] }
      slow:
        shell: |
          cat build/first in round > build/slow
          [ -e ../fast ] && exit 0
          echo half > build/slow
          sh -c 'trap "" TERM; echo $$ $PPID > ../tmp; mv ../tmp ../ids; while :; do echo more >> build/slow; sleep 0.01; done' &
          wait
        inputs: [build/first, in, round]
        outputs: [build/slow]
    deliverables:
      ios: { kind: ios-zip, items: [build/slow] }
    """

  /// What a shell says of it; the processes of the step are gone, also the child that does not listen, its old output is
  /// back, the step before is kept. Whoever types Ctrl-C twice has the same.
  @Test(.timeLimit(.minutes(20)), arguments: all)
  func endsABuild(_ number: Int32, _ name: String, _ status: Int) async throws {
    let scratch = Scratch()
    try scratch.write("p/npi.yml", Self.manifest)
    try scratch.write("p/in", "1\n")
    try scratch.write("p/round", "1\n")
    try scratch.write("fast", "")
    try await Tool.check([Scenario.binary.string, "slow"], in: scratch("p"))
    try scratch.remove("fast")
    try scratch.write("p/round", "2\n")
    let line = """
      "$0" slow 2> ../err & id=$!
      until [ -e ../ids ]; do sleep 0.05; done
      kill -\(name) $id; [ \(name) != INT ] || kill -INT $id; wait $id; echo $?
      """
    let done = try await Tool.run(["sh", "-c", line, Scenario.binary.string], in: scratch("p"))
    #expect(done.out == "\(status)\n")
    #expect(try scratch.text("err").hasSuffix("npi-pack: interrupted\n"))
    let ids = try scratch.text("ids").split(whereSeparator: \.isWhitespace)
    #expect(ids.count == 2)
    for id in ids {
      let state = try await Tool.run(["ps", "-o", "stat=", "-p", String(id)]).out
      #expect(state.isEmpty || state.hasPrefix("Z"))
    }
    #expect(try scratch.text("p/build/slow") == "1\n1\n1\n")
    let left = FileManager.default.enumerator(atPath: scratch("p").string)?.compactMap { $0 as? String } ?? []
    #expect(!left.contains { $0.hasSuffix(".npi-tmp") }, "\(left)")
    try scratch.write("fast", "")
    try await Tool.check([Scenario.binary.string], in: scratch("p"))
    #expect(try scratch.text("log") == "first\n")
    #expect(try scratch.text("p/build/slow") == "1\n1\n2\n")
  }

  /// Any command: here one that waits for a build, and one whose output nobody reads.
  @Test(.timeLimit(.minutes(20)), arguments: all)
  func endsAnyCommand(_ number: Int32, _ name: String, _ status: Int) async throws {
    let scratch = Scratch()
    try scratch.write("p/npi.yml", "name: Demo\nversion: 1.0\nsteps:\n  s: { run: [sleep, 1000], outputs: [out] }\n")
    let holder = try RunningBuild(["s"], in: scratch("p"))
    while holder.isRunning && !holder.err.contains("run s") { try await Task.sleep(for: .milliseconds(10)) }
    let command = try RunningBuild(["clean"], in: scratch("p"))
    while command.isRunning && !command.err.contains("waiting") { try await Task.sleep(for: .milliseconds(10)) }
    command.signal(number)
    #expect(try await blocking { command.end() } == -number, "\(command.err)")
    // More than a pipe holds.
    let program = """
      import signal, subprocess, sys, time
      command = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE)
      command.stdout.read(1)
      time.sleep(0.2)
      command.send_signal(int(sys.argv[1]))
      print(command.wait())
      """
    let names = (0..<20_000).map { "_n\($0)" }.joined(separator: ", ")
    try scratch.write(
      "names.tbd",
      """
      --- !tapi-tbd
      tbd-version: 4
      targets: [ arm64-ios ]
      install-name: '/usr/lib/libNames.dylib'
      exports:
        - targets: [ arm64-ios ]
          symbols: [ \(names) ]
      ...
      """)
    let done = try await Tool.check(
      ["python3", "-c", program, "\(number)", Scenario.binary.string, "symbols", scratch("names.tbd").string])
    #expect(done == "\(-number)\n")
    holder.signal(number)
    #expect(try await blocking { holder.end() } == -number)
  }

  /// A signal that arrives while a command begins is not lost, also when many begin at once.
  @Test(.timeLimit(.minutes(20))) func endsACommandThatBegins() async throws {
    let scratch = Scratch()
    try scratch.write("p/npi.yml", "name: Demo\nversion: 1.0\nsteps:\n  s: { run: [sleep, 1000], outputs: [out] }\n")
    let holder = try RunningBuild(["s"], in: scratch("p"))
    while holder.isRunning && !holder.err.contains("run s") { try await Task.sleep(for: .milliseconds(10)) }
    for round in 0..<4 {
      let commands = try (0..<32).map { _ in try RunningBuild(["clean"], in: scratch("p")) }
      try await Task.sleep(for: .milliseconds(round))
      for command in commands { command.signal(SIGTERM) }
      // One that is deaf would wait for the holder, as long as it sleeps.
      for command in commands {
        for _ in 0..<1000 where command.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        if command.isRunning { command.signal(SIGKILL) }
      }
      for command in commands { #expect(try await blocking { command.end() } == -SIGTERM, "\(command.err)") }
    }
    holder.signal(SIGTERM)
    #expect(try await blocking { holder.end() } == -SIGTERM)
  }

  /// With `nohup` the terminal's end is nobody's business.
  @Test(.timeLimit(.minutes(20))) func nohupIsHeeded() async throws {
    let scratch = Scratch()
    try scratch.write(
      "p/npi.yml",
      """
      name: Demo
      version: 1.0
      steps:
        s: { shell: "echo > ../begun; until [ -e ../go ]; do sleep 0.05; done; echo > out", outputs: [out] }
      """)
    let line = """
      trap '' HUP; "$0" s 2> ../err & id=$!
      until [ -e ../begun ]; do sleep 0.05; done
      kill -HUP $id; sleep 0.3; echo > ../go; wait $id; echo $?
      """
    let done = try await Tool.run(["sh", "-c", line, Scenario.binary.string], in: scratch("p"))
    let err = try scratch.text("err")
    #expect(done.out == "0\n", "\(err)")
  }

  /// At a terminal, in a loop: Ctrl-C ends the loop. (bash goes on if a command exits with 130 by itself.)
  @Test(.timeLimit(.minutes(20))) func aLoopOfAShellEnds() async throws {
    let scratch = Scratch()
    try scratch.write(
      "p/npi.yml",
      """
      name: Demo
      version: 1.0
      steps:
        s: { shell: "echo >> ../begun; touch ../waits; exec sleep 1000", outputs: [out] }
      """)
    let line = "for i in 1 2 3; do \(Scenario.binary.string) s; done; echo > ../on"
    let shown = try await PseudoTerminal.run(
      program: ["bash", "-c", line], in: scratch("p"), [.finds(scratch("waits")), .types("\u{3}")])
    #expect(shown.status == -SIGINT || shown.status == 130, "\(shown.screen)")
    #expect(try scratch.text("begun") == "\n")
    #expect(!scratch.exists("on"))
  }
}
