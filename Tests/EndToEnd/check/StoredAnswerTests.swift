#if os(Linux)
  import SystemPackage
  import Testing
  import TestSupport

  /// A check in which nothing has changed gives the answer of the one before, and opens neither a plugin nor what is
  /// known of plugins. A check in which something has changed says what one without a store says.
  @Suite("stored answers of checks") struct StoredAnswerTests {
    /// Two plugins that collide, a framework as a folder, a link, an apps file and a baseline; a library that is
    /// looked for beside the plugins.
    private static func plugins() async throws -> Scratch {
      let scratch = Scratch()
      let sources = [
        "a": ".globl _f, _a\n_f:\n_a: .quad 0\n.linker_option \"-lextra\"\n",
        "b": ".globl _f\n_f: .quad _wanted\n", "c": ".globl _f, _a\n_f:\n_a: .quad 1\n",
      ]
      for (name, text) in sources { try await makeLibrary(name, text, in: scratch) }
      try scratch.write("apps.yml", "One: {plugins: [a.a, F.framework], args: [-all_load]}\n")
      try scratch.write("Podfile.lock", "PODS:\n  - B (1.0.0)\n")
      let files =
        "mkdir F.framework inner && cp b.a F.framework/F && cp c.a inner/p.a && ln -s a.a p.a && ln -s inner way"
      try await Tool.check(["sh", "-c", files], in: scratch.path)
      let baseline = ["--write-baseline", "known.json"] + usual
      try await Tool.check([Scenario.binary.string, "check"] + baseline, in: scratch.path)
      return scratch
    }

    private static func makeLibrary(_ name: String, _ text: String, in scratch: Scratch) async throws {
      try scratch.write("\(name).s", ".data\n" + text)
      let object = ["-filetype=obj", "-triple", "arm64-apple-ios13.0", "\(name).s", "-o", "\(name).o"]
      try await Tool.check(["llvm-mc-19"] + object, in: scratch.path)
      let library = ["-static", "-D", "-o", "\(name).a", "\(name).o"]
      try await Tool.check(["llvm-libtool-darwin-19"] + library, in: scratch.path)
    }

    /// Runs it with the store `store` beside the plugins, and counts how often the small facts in that are opened.
    private static func known(
      _ words: [String], in scratch: Scratch, _ variables: [String: String?] = [:]
    ) async throws -> (run: ToolResult, opens: Int) {
      let store = scratch("store")
      let (result, counts) = try await OpenCounter.run(
        [Scenario.binary.string] + (words.contains("check") ? [] : ["check"]) + words,
        counting: [store.appending("small")], in: scratch.path,
        environment: variables.merging(["NPI_PACK_STORE": store.string]) { $1 })
      return (result, counts[0])
    }

    private static func new(
      _ words: [String], in scratch: Scratch, _ variables: [String: String?] = [:]
    ) async throws -> ToolResult {
      try await Tool.run(
        [Scenario.binary.string] + (words.contains("check") ? [] : ["check"]) + words, in: scratch.path,
        environment: variables)
    }

    /// Its answer is stored, and was given once.
    private static func settle(_ words: [String], in scratch: Scratch) async throws -> ToolResult {
      // A stamp is believed once it can no longer stay the same under a change.
      try await Task.sleep(for: .milliseconds(2500))
      try await Tool.check(
        [Scenario.binary.string, "check", "c.a"], in: scratch.path,
        environment: ["NPI_PACK_STORE": scratch("store").string])
      let first = try await known(words, in: scratch)
      let second = try await known(words, in: scratch)
      #expect(first.opens > 0)
      #expect(second.opens == 0, "\(words)")
      #expect(first.run == second.run)
      let new = try await new(words, in: scratch)
      #expect(second.run == new)
      return new
    }

    private static let usual = ["p.a", "F.framework", "--", "-all_load", "-L."]

    @Test(
      "as they were printed", .timeLimit(.minutes(20)),
      arguments: [
        usual, ["--format", "json"] + usual, ["a.a"], ["--apps", "apps.yml"], ["--color", "always", "check"] + usual,
        ["--level", "duplicate-symbol=off"] + usual, ["-v", "Podfile.lock"] + usual,
      ])
    func answers(_ words: [String]) async throws {
      _ = try await Self.settle(words, in: Self.plugins())
    }

    /// The words of a check, and a command that changes what it says.
    private static let changes: [(words: [String], change: String)] = [
      (usual, "touch -r a.a then && cp c.a new && cat new > a.a && touch -r then a.a"),
      (usual, "ln -sfn c.a p.a"), (usual, "cp a.a F.framework/F"), (usual, "rm -r F.framework"),
      (usual, "cp c.a libextra.a"),
      (["way/p.a", "F.framework"], "mkdir other && cp a.a other/p.a && ln -sfn other way"),
      (["--apps", "apps.yml"], "echo 'Two: {plugins: [c.a, a.a], args: [-all_load]}' >> apps.yml"),
      (["Podfile.lock"] + usual, "rm Podfile.lock"),
      (["--baseline", "known.json"] + usual, "rm known.json"),
      (["inner", "b.a"], "cp a.a inner/d.a"),
    ]

    @Test("after a change", .timeLimit(.minutes(20)), arguments: changes)
    func change(_ words: [String], _ change: String) async throws {
      let scratch = try await Self.plugins()
      let before = try await Self.settle(words, in: scratch)
      try await Tool.check(["sh", "-c", change], in: scratch.path)
      let new = try await Self.new(words, in: scratch)
      #expect(new != before)
      #expect(try await Self.known(words, in: scratch).run == new)
    }

    @Test("a variable that was not set", .timeLimit(.minutes(20)))
    func variables() async throws {
      let scratch = try await Self.plugins()
      _ = try await Self.settle(Self.usual, in: scratch)
      let remote = ["NPI_PACK_REMOTE_CACHE": "ftp://127.0.0.1/"]
      let run = try await Self.known(Self.usual, in: scratch, remote).run
      #expect(run.status == 2)
      #expect(run.err.contains("ftp"))
    }

    @Test("a plugin in the folder of the store", .timeLimit(.minutes(20)))
    func inTheStore() async throws {
      let scratch = try await Self.plugins()
      try await Tool.check(["sh", "-c", "mkdir -p store/mine && cp c.a store/mine/c.a"], in: scratch.path)
      let words = ["a.a", scratch("store/mine/c.a").string, "--", "-all_load"]
      let before = try await Self.settle(words, in: scratch)
      try await Tool.check(["cp", "b.a", "store/mine/c.a"], in: scratch.path)
      let new = try await Self.new(words, in: scratch)
      #expect(new != before)
      #expect(try await Self.known(words, in: scratch).run == new)
    }

    /// The store's own files are left out of the record, and so would be a plugin among them.
    @Test("a plugin among the files of the store", .timeLimit(.minutes(20)), arguments: ["check", "lint"])
    func amongThem(_ command: String) async throws {
      let scratch = try await Self.plugins()
      try await Tool.check(["sh", "-c", "mkdir -p store/tmp elsewhere && cp c.a store/tmp/c.a"], in: scratch.path)
      try await Task.sleep(for: .milliseconds(2500))
      func run() async throws -> String {
        let words = [command, scratch("a.a").string, scratch("store/tmp/c.a").string]
        let result = try await Tool.run(
          [Scenario.binary.string] + words, in: scratch("elsewhere"),
          environment: ["NPI_PACK_STORE": scratch("store").string])
        return "\(result.status) \(result.all)"
      }
      let before = try await run()
      #expect(try await run() == before)
      try await Tool.check(["sh", "-c", "echo damaged > store/tmp/c.a"], in: scratch.path)
      #expect(try await run() != before)
    }

    @Test("a program of somebody else that writes names", .timeLimit(.minutes(20)))
    func demangler() async throws {
      let scratch = try await Self.plugins()
      try scratch.write("bin/swift-demangle", "#!/bin/sh\nsed \"s/.*/$(cat \"$0\".txt)/\"\n", executable: true)
      let text = ".globl _$s4Plug3FooV3baryyF\n_$s4Plug3FooV3baryyF: .quad 1\n"
      for name in ["x", "y"] { try await Self.makeLibrary(name, text, in: scratch) }
      let path = ["PATH": "\(scratch("bin").string):/usr/bin:/bin"]
      var said: [String] = []
      for text in ["first", "first", "second"] {
        try scratch.write("bin/swift-demangle.txt", text)
        try await Task.sleep(for: .milliseconds(2500))
        let words = ["x.a", "y.a", "--", "-all_load"]
        let known = try await Tool.run(
          [Scenario.binary.string, "check", "-v"] + words, in: scratch.path,
          environment: path.merging(["NPI_PACK_STORE": scratch("store").string]) { $1 })
        said.append(known.out)
      }
      #expect(said[0] == said[1] && said[0].contains("first"))
      #expect(said[2].contains("second"))
    }

    @Test("a reader that goes", .timeLimit(.minutes(20)))
    func closedPipe() async throws {
      let scratch = try await Self.plugins()
      _ = try await Self.settle(Self.usual, in: scratch)
      let line = "'\(Scenario.binary)' check \(Self.usual.joined(separator: " ")) | true; echo ${PIPESTATUS[0]}"
      // Python gives its children the usual signals, which this process need not have.
      let command = ["python3", "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])", "bash", "-c", line]
      for store in [["NPI_PACK_STORE": scratch("store").string], [:]] {
        let result = try await Tool.run(command, in: scratch.path, environment: store)
        // The signal ends it, or all is written before the reader goes.
        #expect(["141\n", "1\n"].contains(result.out))
        #expect(!result.err.contains("cannot write"))
      }
    }

    @Test("what is written is written each time, and a date is today's", .timeLimit(.minutes(20)))
    func written() async throws {
      let scratch = try await Self.plugins()
      _ = try await Self.settle(Self.usual, in: scratch)
      for words in [["-o", "report.json", "--format", "json"] + Self.usual, ["--format", "html"] + Self.usual] {
        for _ in 0..<2 { #expect(try await Self.known(words, in: scratch).opens > 0) }
      }
      #expect(scratch.exists("report.json"))
    }
  }
#endif
