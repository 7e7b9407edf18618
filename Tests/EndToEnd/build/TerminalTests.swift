import Findings
import Foundation
import SystemPackage
import Testing
import TestSupport

/// A build as somebody at a terminal sees it.
@Suite struct TerminalTests {
  let scratch = Scratch()

  /// A step that says that it has begun and ends when a file is there.
  private func waiting(_ name: String, needs: String? = nil, also: String = "true") -> String {
    """
      \(name):
        shell: "\(also); touch ../\(name)-begun; until [ -e ../\(name)-go ]; do sleep 0.05; done; touch build/\(name)"
        inputs: [\(needs.map { "build/\($0)" } ?? "")]
        outputs: [build/\(name)]
    """
  }

  private func write(_ steps: [String]) throws {
    try scratch.write("p/npi.yml", "name: A\nversion: 1.0\nsteps:\n" + steps.joined(separator: "\n") + "\n")
  }

  @Test func aBarOnLongWork() async throws {
    try scratch.write(
      "p/npi.yml",
      """
      name: A
      version: 1.0
      rules: { missing-library: off, empty-deliverable: off }
      deliverables: { ios: { kind: ios-zip, items: [large] } }
      """)
    try await Tool.check(["truncate", "-s", "64M", scratch("p/large").string])
    let shown = try await PseudoTerminal.run([], in: scratch("p"))
    #expect(shown.status == 0)
    #expect(shown.statuses.first == "[0/2] ios-zip A-1.0-ios.zip")
    #expect(
      shown.statuses.contains { $0.contains(/^\[0\/2\] ios-zip A-1\.0-ios\.zip \[=*>? *\] \d+\/64 MB( \(\d+ s\))?$/) },
      "\(shown.lines)")
    // The status line is gone when the results come.
    let text = shown.screen.joined()
    let made = /made dist\/A-1\.0-ios\.zip  \([\d,]+ bytes, sha256 [0-9a-f]{64}\)/
    let record = /made dist\/A-1\.0\.release\.json  \([\d,]+ bytes, sha256 [0-9a-f]{64}\)/
    #expect(text.contains(made) && text.contains(record) && shown.screen.first?.hasPrefix("made ") == true, "\(text)")
    #expect(shown.faults.isEmpty)
    #expect(shown.column == 0)
  }

  /// Two run; the one that has run longest is named until it ends, though the other one began last.
  @Test(.timeLimit(.minutes(20))) func theLongestRunningStepAndItsSeconds() async throws {
    let quick = """
        quick: { shell: "until [ -e ../long-begun ]; do sleep 0.05; done; touch build/quick", outputs: [build/quick] }
      """
    try write([waiting("long"), quick, waiting("late", needs: "quick")])
    let shown = try await PseudoTerminal.run(
      ["-j", "2", "long", "quick", "late"], in: scratch("p"),
      [
        .finds(scratch("late-begun")),
        .draws(#"^\[1/3\] run long \(([2-9]|\d\d+) s, 1 more\)$"#),
        .makes(scratch("long-go")),
        .shows(#"^\[2/3\] run late( \(|$)"#),
        // Nothing happens meanwhile: only time goes by.
        .draws(#"^\[2/3\] run late \(\d+ s\)$"#),
        .draws(#"^\[2/3\] run late \(\d+ s\)$"#),
        .makes(scratch("late-go")),
      ])
    #expect(shown.status == 0)
    // Both were running whenever another one was said to be; none but the first to begin was named.
    let both = shown.statuses.filter { $0.hasPrefix("[1/3]") && $0.contains("1 more") }
    #expect(both.allSatisfy { $0.hasPrefix("[1/3] run long ") }, "\(both)")
    let seconds = shown.statuses.compactMap { $0.wholeMatch(of: /\[2\/3\] run late \((\d+) s\)/).flatMap { Int($0.1) } }
    #expect(seconds.count >= 2 && zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 }, "\(seconds)")
    #expect(shown.screen.isEmpty)
    #expect(shown.faults.isEmpty)
  }

  @Test(.timeLimit(.minutes(20))) func failuresAreRepeatedLast() async throws {
    let bad = """
        bad1: { run: [sh, -c, 'echo first; exit 3'], outputs: [build/bad1] }
        bad2: { shell: "until [ -e ../slow-begun ]; do sleep 0.05; done; echo second; exit 4", outputs: [build/bad2] }
        after: { run: [cp, build/bad1, build/after], inputs: [build/bad1], outputs: [build/after] }
      """
    try write([bad, waiting("slow", needs: nil)])
    let shown = try await PseudoTerminal.run(
      ["-k", "-j", "2", "bad1", "bad2", "after", "slow"], in: scratch("p"),
      [.shows(#"^\[2/4\] run slow"#), .makes(scratch("slow-go"))])
    #expect(shown.status == 1)
    let again = ShellText.line([Scenario.binary.string, "bad1"])
    // Where a terminal breaks lines depends on where the binary lies.
    let summary = """
      \u{1B}[1;31m2 of 4 failed\u{1B}[0m
        run bad1: it ended with status 3
          again: \(again)
        run bad2: it ended with status 4
          again: \(ShellText.line([Scenario.binary.string, "bad2"]))
        1 was not started: it needs a failed one

      """
    #expect(shown.text.replacingOccurrences(of: "\r", with: "").hasSuffix(summary), "\(shown.screen)")
    // Each is told when it happens, with what it printed, and that once.
    #expect(shown.screen.filter { $0.hasPrefix("error: ") }.count == 2)
    for line in ["first", "second"] { #expect(shown.screen.filter { $0 == line }.count == 1) }
    #expect(shown.faults.isEmpty)
    #expect(shown.column == 0)
    // What is said of running it again does so.
    let done = try await Tool.run(["sh", "-c", again], in: scratch("p"))
    #expect(done.status == 1 && done.err.contains("run bad1: it ended with status 3"))
  }

  /// A failure that is the last thing on the screen is not said twice: the status line did not stay.
  @Test func aSingleFailureIsNotRepeated() async throws {
    try write(["  bad: { run: [sh, -c, 'echo why; exit 3'], outputs: [build/bad] }"])
    let shown = try await PseudoTerminal.run(["bad"], in: scratch("p"))
    #expect(shown.screen == ["error: run bad: it ended with status 3", "why"])
    #expect(shown.statuses == ["[0/1] run bad"])
  }

  @Test(.timeLimit(.minutes(20)), arguments: ["^C", "SIGTERM", "SIGHUP"], [false, true])
  func interruptedInTheMidst(_ how: String, watches: Bool) async throws {
    let stubborn = waiting("slow", also: "trap 'until [ -e ../end ]; do sleep 0.05; done; exit 1' TERM")
    try write([stubborn])
    let signal: PseudoTerminal.Act =
      how == "^C" ? .types("\u{3}") : .signals(how == "SIGTERM" ? SIGTERM : SIGHUP)
    let shown = try await PseudoTerminal.run(
      ["slow"] + (watches ? ["--watch"] : []), in: scratch("p"), columns: 30,
      [
        .finds(scratch("slow-begun")), .shows(#"^\[0/1\] run slow"#), signal,
        .draws(#"^\[0/1\] interr"#), .makes(scratch("end")),
      ])
    #expect(shown.status == -(how == "^C" ? SIGINT : how == "SIGTERM" ? SIGTERM : SIGHUP))
    #expect(shown.screen == ["npi-pack: interrupted"])
    // What the terminal echoed (`^C`) did not move it.
    #expect(shown.statuses.allSatisfy { $0.hasPrefix("[0/1] ") }, "\(shown.statuses)")
    #expect(shown.column == 0)
    #expect(shown.faults.isEmpty)
    #expect(!scratch.exists("p/build/slow"))
  }

  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      "a-step-with-a-rather-long-name", "计划构建步骤的名字很长很长", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
      "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
    ])
  func narrowTerminals(_ name: String) async throws {
    try write([
      """
        \(name): { shell: "touch ../begun; until [ -e ../go ]; do sleep 0.05; done; touch build/x", outputs: [build/x] }
      """
    ])
    let shown = try await PseudoTerminal.run(
      [name], in: scratch("p"), columns: 20,
      [
        .finds(scratch("begun")), .shows(#"^\[0/1\] run .*\.\.\."#), .resizes(12),
        .draws(#"^\[0/1\] ."#), .resizes(200), .draws(#"^\[0/1\] run [^.]+ \(\d+ s\)$"#), .makes(scratch("go")),
      ])
    #expect(shown.status == 0)
    #expect(shown.faults.isEmpty)
    #expect(shown.screen.isEmpty)
    #expect(shown.statuses.last?.contains(name) == true)
  }

  /// What a program wrote into its output does nothing on the terminal but be coloured.
  @Test func outputOfCommandsDoesNotMoveTheCursor() async throws {
    try write([
      #"""
        bad: { shell: 'printf "\033[2J\033[31mred\033]0;title\007\033[5A\033(B \302\233K plain"; exit 1', outputs: [x] }
      """#
    ])
    let shown = try await PseudoTerminal.run(["bad"], in: scratch("p"), columns: 200)
    #expect(shown.screen.last == "red K plain")
    #expect(shown.text.contains("\u{1B}[31mred K plain\u{1B}[0m"))
    #expect(shown.faults.isEmpty)
  }

  /// `TERM=dumb`, and none at all.
  @Test(arguments: ["dumb", ""]) func aTerminalThatUnderstandsNothing(_ term: String) async throws {
    try scratch.write("p/npi.yml", TerminalTests.noisy)
    for words in TerminalTests.builds {
      let shown = try await PseudoTerminal.run(words, in: scratch("p"), term: term)
      #expect(!shown.raw.contains(0x1B), "\(words)")
      // Nothing is written over, either.
      #expect(shown.raw.count(where: { $0 == 0x0D }) == shown.raw.count(where: { $0 == 0x0A }), "\(words)")
      #expect(shown.text.contains("[1/"), "\(words)")
    }
  }

  @Test func noEscapeByteWithoutATerminal() async throws {
    try scratch.write("p/npi.yml", TerminalTests.noisy)
    for words in TerminalTests.builds {
      let shown = try await Tool.run(
        [Scenario.binary.string] + words, in: scratch("p"), environment: ["TERM": "xterm", "NO_COLOR": nil])
      #expect(!shown.all.utf8.contains(0x1B), "\(words): \(shown.all)")
      #expect(!shown.all.utf8.contains(0x0D), "\(words): \(shown.all)")
      #expect(shown.err.contains("[1/"), "\(words)")
      #expect(shown.err.contains("red"), "\(words)")
      #expect(shown.err.contains("build/extra"), "\(words): \(shown.err)")
      let colored = try await Tool.run(
        [Scenario.binary.string, "--color", "always"] + words, in: scratch("p"), environment: ["TERM": "xterm"])
      let rest = colored.all.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(rest != colored.all, "\(words)")
      #expect(!rest.utf8.contains(0x1B), "\(words): \(rest)")
    }
  }

  /// Failures, notes and output with escape sequences in it, findings, a deliverable.
  private static let noisy = #"""
    name: Demo
    version: 1.0
    extends: mobilesmith
    rules: { config-keys: warning }
    steps:
      "odd\e[31m": { run: [touch, build/odd, "build/extra\e[1m"], outputs: [build/odd] }
      talk: { shell: 'printf "\033[32mgreen\033[0m\n"; touch build/talk', outputs: [build/talk] }
      bad1: { shell: 'printf "\033[31mred\033[0m\033[2K\n"; exit 3', outputs: [build/bad1] }
      bad2: { run: [no-such-program, "\e[1m"], outputs: [build/bad2] }
      after: { run: [cp, build/bad1, build/after], inputs: [build/bad1], outputs: [build/after] }
    deliverables:
      config: { kind: config }

    """#

  private static let builds: [[String]] = [[], ["-v"], ["--explain"], ["-v", "--explain"]].map {
    ["-B", "-k", "-j", "2"] + $0 + ["odd\u{1B}[31m", "talk", "bad1", "bad2", "after", "config"]
  }
}
