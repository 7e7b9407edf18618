import Lanes
@testable import BuildEngine
import Findings
import Store
import SystemPackage
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Real commands on the real disk.
@Suite struct CommandTests {
  let scratch = Scratch()

  private func build(
    _ steps: [Step], limit: Int = 8 << 20, grace: Duration = .milliseconds(300),
    host: HostEnvironment = .current
  ) async throws -> BuildResult {
    let disk = try RealDisk(scratch.path)
    let state = StateFolder(disk)
    let scheduler = Scheduler(
      graph: try Graph(steps), disk: disk,
      runner: ProcessRunner(
        root: scratch.path, temporaryFolder: state.temporary, outputLimit: limit, grace: grace), host: host,
      seal: .test, fingerprint: [1])
    return try await scheduler.run(options: BuildOptions(jobs: 2))
  }

  private func step(
    _ name: String, _ command: CommandAction.Command, inputs: [String] = [], outputs: [String] = [],
    directory: FilePath = ".", environment: [(name: String, value: String)] = []
  ) -> Step {
    Step(
      name: name, summary: name, inputs: inputs.map { .path(FilePath($0), here) },
      outputs: outputs.map { FilePath($0) },
      action: CommandAction(command, directory: directory, environment: environment), place: here)
  }

  private func output(of step: Step, host: HostEnvironment = .current) async throws -> String {
    let result = try await build([step], host: host)
    if let failure = result.failed.first?.failure { throw failure }
    return String(decoding: result.steps[0].output, as: UTF8.self)
  }

  @Test(.tools) func compilesALibraryAndOnlyWhatChanged() async throws {
    try scratch.write("src/a.c", "int a(void) { return 1; }\n")
    try scratch.write("src/b.c", "#include \"b.h\"\nint b(void) { return B; }\n")
    try scratch.write("src/b.h", "#define B 2\n")
    let steps = [
      step("a", .words(["clang", "-c", "src/a.c", "-o", "build/a.o"]), inputs: ["src/a.c"], outputs: ["build/a.o"]),
      step(
        "b", .words(["clang", "-c", "src/b.c", "-o", "build/b.o"]), inputs: ["src/b.c", "src/b.h"],
        outputs: ["build/b.o"]),
      step(
        "lib", .words(["ar", "rcD", "build/lib.a", "build/a.o", "build/b.o"]), inputs: ["build/a.o", "build/b.o"],
        outputs: ["build/lib.a"]),
    ]
    #expect(try await build(steps).ran.map(\.step.name) == ["a", "b", "lib"])
    #expect(try await Tool.check(["ar", "t", scratch("build/lib.a").string]) == "a.o\nb.o\n")
    #expect(try await build(steps).nothingToDo)
    try scratch.write("src/b.h", "#define B 3\n")
    #expect(try await build(steps).ran.map(\.step.name) == ["b", "lib"])
    // A comment: the object is the same, and the library is not made again.
    try scratch.write("src/a.c", "int a(void) { return 1; } // one\n")
    #expect(try await build(steps).ran.map(\.step.name) == ["a"])
    // An archive keeps what it had: it must have been put aside before.
    let fewer = [
      steps[0],
      step(
        "lib", .words(["ar", "rcD", "build/lib.a", "build/a.o"]), inputs: ["build/a.o"],
        outputs: ["build/lib.a"]),
    ]
    #expect(try await build(fewer).ran.map(\.step.name) == ["lib"])
    #expect(try await Tool.check(["ar", "t", scratch("build/lib.a").string]) == "a.o\n")
  }

  @Test func onlyTheDeclaredEnvironmentReachesACommand() async throws {
    let host = HostEnvironment(path: Array("/usr/bin:/bin".utf8), home: Array("/nowhere".utf8))
    let step = step("env", .words(["env"]), environment: [("B", "x y"), ("A", "é"), ("EMPTY", "")])
    #expect(try await output(of: step, host: host) == "A=é\nB=x y\nEMPTY=\nHOME=/nowhere\nPATH=/usr/bin:/bin\n")
  }

  @Test func aDeclaredPathIsSearched() async throws {
    try scratch.write("tools/hello", "#!/bin/sh\necho hello from $0\n", executable: true)
    let step = step("hello", .words(["hello"]), environment: [("PATH", scratch("tools").string)])
    #expect(try await output(of: step) == "hello from \(scratch("tools/hello"))\n")
  }

  @Test func wordsArriveAsTheyAre() async throws {
    let words = ["printf", "%s|", "a b", "$HOME", "*", "", "\"", "e\u{301}"]
    #expect(try await output(of: step("s", .words(words))) == "a b|$HOME|*||\"|e\u{301}|")
  }

  @Test func directoriesAndShells() async throws {
    try scratch.write("sub/file", "x")
    let step = step("s", .shell("ls && pwd && echo $0 > ../out"), outputs: ["out"], directory: "sub")
    #expect(try await output(of: step) == "file\n\(scratch("sub"))\n")
  }

  /// As a failed command is shown: pasted into a shell that has its variables, it does the same.
  @Test func commandsAsTextForAShell() async throws {
    #expect(CommandAction(.words(["a b", "c'd", "e"]), directory: "sub").text == #"(cd sub && 'a b' 'c'\''d' e)"#)
    #expect(CommandAction(.shell("exit 3\n")).text == "sh -c 'exit 3'")
    let action = CommandAction(.words(["cc"]), directory: "-x", environment: [("A", "1 2"), ("B", "")])
    // Values may be secrets.
    let given = #"A="${A?not set: sha256 f71998fe}" B="${B?not set: sha256 e3b0c442}""#
    #expect(action.text == "(cd ./-x && \(given) cc)")
    #expect(action.text(root: "../p q") == "(cd '../p q/-x' && \(given) cc)")
    #expect(CommandAction(.words(["cc"])).text(root: "p") == "(cd p && cc)")
    #expect(ShellText.line(["A=b", "A=b", "=c"]) == "'A=b' A=b '=c'")
    let words = [
      "a b", "", "'", "'\u{301}", "\\", "$HOME", "`x`", "*", "~", "#", "é", "一", "two\nlines", "tab\t'\\n",
      "\u{1B}[K\u{1}7",
      "\u{202E}", "\u{9B}",
    ]
    for word in words {
      let line = ShellText.line(["printf", "%s", word])
      #expect(printable(line) == line, "\(line)")
      #expect(Array(try await Tool.check(["bash", "-c", line]).utf8) == Array(word.utf8), "\(line)")
    }
    let script = CommandAction(.shell("echo \"it's $A\"\nexit 3\n"), environment: [("A", "b c")]).text
    #expect(script.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("    '") }, "\(script)")
    let done = try await Tool.run(["sh", "-c", "\(script); echo $?; \(script)"], environment: ["A": "b c"])
    #expect(done.out == "it's b c\n3\nit's b c\n")
    #expect(done.status == 3)
  }

  @Test func aProgramThatChangesIsAnInput() async throws {
    try scratch.write("tools/gen", "#!/bin/sh\necho 1 > out\n", executable: true)
    let step = step("gen", .words(["tools/gen"]), outputs: ["out"])
    #expect(try await build([step]).ran.count == 1)
    #expect(try await build([step]).nothingToDo)
    try scratch.write("tools/gen", "#!/bin/sh\necho 2 > out\n", executable: true)
    #expect(try await build([step]).ran.count == 1)
    #expect(try scratch.text("out") == "2\n")
  }

  @Test func aFailureIsShownWholeAndInOrder() async throws {
    let script =
      "i=0; while [ $i -lt 5000 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done; echo half > out; exit 7"
    let result = try await build([step("s", .shell(script), outputs: ["out"])])
    let failure = try #require(result.failed.first?.failure)
    #expect(failure.message == "it ended with status 7")
    let expected = (0..<5000).map { "out \($0)\nerr \($0)\n" }.joined()
    #expect(String(decoding: failure.output, as: UTF8.self) == expected)
    #expect(!scratch.exists("out"))
  }

  @Test func muchOutputIsCutInTheMiddle() async throws {
    let result = try await build([step("s", .shell("head -c 100000 /dev/zero | tr '\\0' x; exit 1"))], limit: 1000)
    let text = String(decoding: try #require(result.failed.first?.failure).output, as: UTF8.self)
    let x = String(repeating: "x", count: 500)
    #expect(text == "\(x)\n… 99000 bytes are left out here …\n\(x)")
  }

  @Test func signalsAreNamed() async throws {
    let result = try await build([step("s", .shell("kill -SEGV $$"))])
    #expect(result.failed.first?.failure?.message == "it was ended by signal 11 (SEGV)")
  }

  @Test(.tools) func standardInputIsEmptyAndTheGroupIsItsOwn() async throws {
    #expect(try await output(of: step("cat", .words(["cat"]))) == "")
    let ids = try await output(of: step("ps", .shell("echo $$; ps -o pgid= -p $$"))).split(
      whereSeparator: \.isWhitespace)
    #expect(ids.count == 2 && ids[0] == ids[1])
  }

  @Test func aProgramThatIsLeftBehindHoldsNothingUp() async throws {
    let text = try await output(of: step("s", .shell("sleep 600 & echo $!")))
    let process = try #require(Int32(text.split(separator: "\n").first ?? ""))
    // It still runs, so the build has not waited for it.
    #expect(kill(process, SIGKILL) == 0)
  }

  /// The leader, its child and its grandchild, of which two do not listen to TERM.
  @Test(.tools) func cancellingEndsTheWholeGroup() async throws {
    let script = """
      sh -c 'trap "" TERM; echo $$ > grandchild.tmp; mv grandchild.tmp grandchild; while :; do sleep 1; done' &
      echo half > out; echo $$ > leader.tmp; mv leader.tmp leader; wait; wait
      """
    try scratch.write("out", "old")
    let step = step("s", .shell(script), outputs: ["out"])
    let task = Task { try await build([step]) }
    while !scratch.exists("grandchild") || !scratch.exists("leader") { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    let result = try await task.value
    #expect(result.wasCancelled)
    for name in ["leader", "grandchild"] {
      let id = try #require(Int32(try scratch.text(name).split(separator: "\n")[0]))
      // Killed, but perhaps not yet waited for by its new parent.
      let state = try await Tool.run(["ps", "-o", "stat=", "-p", "\(id)"]).out
      #expect(state.isEmpty || state.hasPrefix("Z"), "\(name) is still there")
    }
    #expect(try scratch.text("out") == "old")
  }

  @Test func parentFoldersAreMade() async throws {
    let step = step("s", .words(["cp", "in", "a/b/c/out"]), inputs: ["in"], outputs: ["a/b/c/out"])
    try scratch.write("in", "x")
    #expect(try await build([step]).succeeded)
    #expect(try scratch.text("a/b/c/out") == "x")
  }

  @Test func aFolderThatCannotBeWritten() async throws {
    // Root may write anywhere: a file in the way does what a permission would.
    try scratch.write("in", "x")
    try scratch.write("a", "a file")
    let result = try await build([step("s", .words(["cp", "in", "a/out"]), inputs: ["in"], outputs: ["a/out"])])
    let failure = try #require(result.failed.first?.failure)
    #expect(failure.message == "cannot make the folder \(scratch("a")): a file is in its place")
    #expect(failure.hint == "move or remove that file")
  }
}
