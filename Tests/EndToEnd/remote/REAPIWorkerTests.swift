#if REAPI
  import Lanes
  import SystemPackage
  import TestSupport
  import Testing

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #endif

  /// Steps and facts that workers on other machines make (`make test-remote`).
  @Suite struct REAPIWorkerTests {
    /// A command, a recipe in a file of its own, and a file that is a stream.
    private static let tree: @Sendable (Scratch, String) throws -> Void = { scratch, tree in
      try scratch.write(
        "\(tree)/npi.yml",
        """
        name: Away
        version: 1.0
        extends: host/recipe.yml
        steps:
          half: { shell: "cat src/a src/a > build/half", inputs: [src/a], outputs: [build/half], declares-all: true }
        deliverables:
          ios: { kind: ios-zip, items: [build/half, src] }
          config: { kind: config }
        """)
      try scratch.write("\(tree)/host/recipe.yml", "rules: { missing-library: off, empty-deliverable: off }\n")
      var random = Seeded(seed: 5)
      for (name, size) in [("a", 40_000), ("large", 3_000_000)] {
        try scratch.write("\(tree)/src/\(name)", (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
    }

    private func build(
      _ machines: Machines, _ machine: String, _ url: String, _ words: [String] = [],
      environment: [String: String?] = [:], isNew: Bool = true
    ) async throws -> ToolResult {
      try await machines.build(
        machine, url, ["--remote-executor", url, "--remote-timeout", "60", "--explain"] + words,
        environment: environment, isNew: isNew)
    }

    /// Workers have nothing but what is sent to them.
    @Test(.tools) func emptySandbox() async throws {
      let scratch = Scratch()
      let server = try await REAPIServer.casd(scratch, workers: [])
      let url = "grpc://\(server.address)"
      let machines = try await Machines(Self.tree)
      let first = try await build(machines, "a", url)
      #expect(first.status == 0 && first.err.contains(", 2 runs on workers"), "\(first.err)")
      #expect(first.err.contains("explain: half: it is not made by a worker: no program '/bin/sh' is declared"))
      #expect(first.err.contains("ios-zip Away-1.0-ios.zip (from a worker)"), "\(first.err)")
      #expect(try machines.isRight("a"))
      let why = try await Tool.run(
        [Scenario.binary.string, "why", "ios"], in: machines.scratch("a/p"), environment: machines.environment("a"))
      #expect(why.out.contains("it was restored from a worker of \(server.address)"), "\(why.all)")
      // A program that is declared and not there: the worker fails, and the step runs here.
      let second = try await build(machines, "b", url, ["--remote-program", "/bin/sh"])
      #expect(
        second.status == 0 && second.err.contains("it ended there with status 1: the program '/bin/sh' is not there"),
        "\(second.err)"
      )
      #expect(try machines.isRight("b"))
    }

    /// Commands go where their program is declared and is the same file.
    @Test(.tools) func commands() async throws {
      let scratch = Scratch()
      let server = try await REAPIServer.casd(
        scratch, workers: ["/usr:/usr", "/usr/bin:/bin", "/usr/lib:/lib", "/usr/lib64:/lib64"])
      let machines = try await Machines(Self.tree)
      let url = "grpc://\(server.address)"
      let first = try await build(
        machines, "a", url, ["--remote-program", "/bin/sh", "--remote-upload", "always"])
      #expect(first.status == 0 && first.err.contains(", 3 runs on workers"), "\(first.err)")
      #expect(try machines.isRight("a"))
      // What workers made is given to other machines, too.
      let second = try await machines.build("b", url, ["--remote-timeout", "60"])
      #expect(second.err.contains("remote: 4 hits") && !second.err.contains("workers"), "\(second.err)")
      #expect(try machines.isRight("b"))
    }

    /// The example plugin: what a compiler makes is made here, and packed there.
    @Test(.tools) func example() async throws {
      let scratch = Scratch()
      let server = try await REAPIServer.casd(scratch, workers: [])
      let example = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        .removingLastComponent().appending("Recipes/Examples/RallyConnector")
      var outputs: [[String: [UInt8]]] = []
      for (machine, words) in [("here", []), ("there", ["--remote-executor", "grpc://\(server.address)"])] {
        try await Tool.check(["mkdir", scratch(machine).string])
        try await Tool.check(["cp", "-R", example.string, scratch("\(machine)/p").string])
        for made in ["build", "dist", ".npi"] where scratch.exists("\(machine)/p/\(made)") {
          try scratch.remove("\(machine)/p/\(made)")
        }
        let build = try await Tool.run(
          [Scenario.binary.string, "build", "--remote-timeout", "60"] + words, in: scratch("\(machine)/p"),
          environment: ["NPI_PACK_STORE": scratch("\(machine)/store").string])
        #expect(build.status == 0, "\(build.all)")
        #expect(build.err.contains("4 runs on workers") == (machine == "there"), "\(build.err)")
        outputs.append(try Machines.outputs(scratch, machine))
      }
      #expect(outputs[0] == outputs[1] && outputs[0].count == 4)
    }

    /// Facts about plugins that the server has are read there, and the report is the same.
    @Test(.tools) func facts() async throws {
      let scratch = Scratch()
      let server = try await REAPIServer.casd(scratch, workers: [])
      let machines = try await Machines(Self.tree)
      let url = "grpc://\(server.address)"
      _ = try await machines.build("a", url, ["--remote-upload", "always", "--remote-timeout", "60"])
      try scratch.write("app/Away.zip", try machines.scratch.read("a/p/dist/Away-1.0-ios.zip"))
      // One that the server does not have is read here.
      try scratch.write("app/src/x", "x")
      try await Tool.check(["zip", "-qr", "Own.zip", "src"], in: scratch("app"))
      func check(_ store: String, _ words: [String]) async throws -> ToolResult {
        try await Tool.run(
          [Scenario.binary.string, "check", "Away.zip", "Own.zip"] + words, in: scratch("app"),
          environment: ["NPI_PACK_STORE": scratch(store).string])
      }
      let here = try await check("one", [])
      let there = try await check("two", ["--remote-executor", url, "--remote-timeout", "60"])
      #expect(there.status == here.status && there.out == here.out, "\(there.all)")
      #expect(there.err.contains("1 run on workers"), "\(there.err)")
    }

    /// Artifacts that the server has are linted there, with the user's rules.
    @Test(.tools) func lint() async throws {
      let scratch = Scratch()
      let server = try await REAPIServer.casd(scratch, workers: [])
      let machines = try await Machines(Self.tree)
      let url = "grpc://\(server.address)"
      _ = try await machines.build("a", url, ["--remote-upload", "always", "--remote-timeout", "60"])
      try scratch.write("app/Away.zip", try machines.scratch.read("a/p/dist/Away-1.0-ios.zip"))
      try scratch.write("app/src/x", "x")
      try await Tool.check(["zip", "-qr", "Own.zip", "src"], in: scratch("app"))
      func lint(_ store: String, _ words: [String]) async throws -> ToolResult {
        try await Tool.run(
          [Scenario.binary.string, "lint", "Away.zip", "Own.zip", "--recipe", "mobilesmith", "--format", "json"]
            + words,
          in: scratch("app"), environment: ["NPI_PACK_STORE": scratch(store).string])
      }
      let words = ["--level", "missing-library=note"]
      let here = try await lint("one", words)
      #expect(here.out.contains("missing-library") && here.out.contains("Away.zip"))
      let there = try await lint("two", words + ["--remote-executor", url, "--remote-timeout", "60"])
      #expect(there.status == here.status && there.out == here.out, "\(there.all)")
      #expect(there.err.contains("1 run on workers"), "\(there.err)")
    }

    /// What the command line lays over a manifest reaches the worker, and so do names of all kinds.
    @Test(
      .tools,
      arguments: [
        ["--set", "k=v", "--config", "more.json"], ["-f", "sub/other.yml", "--out", "sub/dist"], ["--strict"],
        ["--level", "empty-deliverable=off"], ["--version-from", "version.txt"],
      ])
    func commandLine(_ words: [String]) async throws {
      let (server, url) = try REAPIServer.misbehaving()
      try server.set()
      let scratch = Scratch()
      var outputs: [String] = []
      for (machine, more) in [("here", []), ("there", ["--remote-executor", url, "--remote-timeout", "60"])] {
        let manifest = """
          name: Odd
          version: 1.0
          config: { a: b }
          rules: { missing-library: off, empty-deliverable: note }
          deliverables:
            "ö d": { kind: ios-zip, items: ["src/*"] }
            config: { kind: config }
          """
        for path in ["npi.yml", "sub/other.yml"] { try scratch.write("\(machine)/\(path)", manifest) }
        try scratch.write("\(machine)/more.json", "{\"l\": \"w\"}")
        try scratch.write("\(machine)/version.txt", "3.4.5\n")
        for name in ["a", "ünï cödé/ f"] { try scratch.write("\(machine)/src/\(name)", name) }
        try await Tool.check(["chmod", "+x", scratch("\(machine)/src/a").string])
        let build = try await Tool.run(
          [Scenario.binary.string, "build"] + words + more, in: scratch(machine),
          environment: ["NPI_PACK_STORE": scratch("\(machine)-store").string])
        #expect(build.status == 0 && build.err.contains("2 runs on workers") == !more.isEmpty, "\(build.err)")
        outputs.append(
          try await Tool.check(
            ["sh", "-c", "find dist sub/dist -type f | sort | xargs sha256sum"], in: scratch(machine)))
      }
      #expect(outputs[0] == outputs[1] && outputs[0].contains(".zip"), "\(outputs)")
    }

    /// A worker, or the way to it, that misbehaves changes no result.
    @Test(
      .tools,
      arguments: [
        ("hangs-up", 2, 2...2, 1, ""), ("forgets", 2, 3...3, 1, ""),
        ("fails", 0, 2...2, 0, "it ended there with status 3: no room"),
        // The second step may have been sent by then.
        ("wrong-record", 0, 1...2, 0, "sends a damaged result"),
        ("no-workers", 0, 0...0, 0, "has no workers for this user"),
      ])
    func misbehaves(_ fault: String, _ runs: Int, _ executes: ClosedRange<Int>, _ waits: Int, _ text: String)
      async throws
    {
      let (server, url) = try REAPIServer.misbehaving()
      try server.set(fault)
      let machines = try await Machines(Self.tree)
      let build = try await build(machines, "a", url)
      #expect(build.status == 0 && build.err.contains(text), "\(build.err)")
      #expect(build.err.contains("\(runs) runs on workers") == (runs > 0), "\(build.err)")
      let log = try server.reply.log
      #expect(executes.contains(log.count { $0 == "execute" }) && log.count { $0 == "wait" } == waits, "\(log)")
      #expect(try machines.isRight("a"))
    }

    /// A server that sends a credential back among the words of a failure does not bring it into a log.
    @Test(.tools, arguments: ["tells", "complains"]) func echoes(_ fault: String) async throws {
      let (server, url) = try REAPIServer.misbehaving()
      try server.set(fault)
      let machines = try await Machines(Self.tree)
      let build = try await build(machines, "a", url, environment: ["NPI_PACK_REMOTE_TOKEN": "hush-hush-hush"])
      #expect(build.status == 0 && build.err.contains(fault == "tells" ? "invalidArgument" : "with status 1"))
      #expect(!build.all.contains("hush"), "\(build.err)")
      #expect(try machines.isRight("a"))
    }

    /// A build whose steps are away ends at once, and leaves nothing half-made.
    @Test(.tools, arguments: [SIGINT, SIGKILL]) func isEnded(_ signal: Int32) async throws {
      let (server, url) = try REAPIServer.misbehaving()
      try server.set("stuck")
      let machines = try await Machines(Self.tree)
      try Self.tree(machines.scratch, "a/p")
      let away = try RunningBuild(["build", "--remote-executor", url], in: machines.scratch("a/p"))
      while away.isRunning, try server.reply.log.count(where: { $0 == "execute" }) < 2 {
        try await Task.sleep(for: .milliseconds(20))
      }
      away.signal(signal)
      #expect(try await blocking { away.end() } == -signal)
      #expect(try Machines.outputs(machines.scratch, "a").isEmpty)
      try server.set()
      let next = try await build(machines, "a", url, isNew: false)
      #expect(next.status == 0 && next.err.contains("2 runs on workers"), "\(next.err)")
      #expect(try machines.isRight("a"))
    }

    /// Wrong settings are told before anything is built.
    @Test(
      .tools,
      arguments: [
        (
          ["--remote-executor", "http://127.0.0.1:1"],
          "--remote-executor: 'http://127.0.0.1:1' is no server that has workers"
        ),
        (
          ["--remote-executor", "grpc://127.0.0.1:1", "--remote-cache", "grpc://127.0.0.1:2"],
          "--remote-executor: it is another server than --remote-cache"
        ),
        (
          ["--remote-executor", "grpc://127.0.0.1:1", "--remote-property", "x"],
          "--remote-property: 'x' is not NAME=VALUE"
        ),
      ])
    func wrongSettings(_ words: [String], _ text: String) async throws {
      let scratch = Scratch()
      try Machines.small(scratch, "p")
      let build = try await Tool.run(
        [Scenario.binary.string, "build"] + words, in: scratch("p"),
        environment: ["NPI_PACK_STORE": scratch("store").string])
      #expect(build.status == 2 && build.err.contains(text) && !scratch.exists("p/dist"), "\(build.all)")
    }
  }
#endif
