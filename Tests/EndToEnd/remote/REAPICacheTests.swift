#if REAPI
  import Lanes
  import SystemPackage
  import TestSupport
  import Testing

  /// Caches that speak the Remote Execution API: real servers (`make test-remote`).
  @Suite struct REAPICacheTests {
    /// Blobs of all sizes: the records, small files, and one that is a stream.
    private static let sizes: @Sendable (Scratch, String) throws -> Void = { scratch, tree in
      try scratch.write(
        "\(tree)/npi.yml",
        """
        name: Sizes
        version: 1.0
        rules: { missing-library: off, empty-deliverable: off }
        deliverables:
          ios: { kind: ios-zip, items: ["src/*"] }
          small: { kind: ios-zip, items: [src/f1], name: Small.zip }
          config: { kind: config }
        """)
      var random = Seeded(seed: 11)
      for (number, size) in [0, 1, 40_000, 300_000, 9_000_000].enumerated() {
        try scratch.write("\(tree)/src/f\(number)", (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
    }

    private func shared(_ url: String, _ words: [String], _ environment: [String: String?] = [:]) async throws {
      let machines = try await Machines(Self.sizes)
      let first = try await machines.build(
        "a", url, words + ["--remote-upload", "always", "--remote-timeout", "60"], environment: environment)
      #expect(first.status == 0 && first.err.contains(", 4 misses, 4 uploads ("), "\(first.err)")
      #expect(first.err.contains(", 0 errors"), "\(first.err)")
      let second = try await machines.build(
        "b", url, words + ["--remote-timeout", "60"], environment: environment)
      #expect(second.err.contains("remote: 4 hits (") && second.err.contains(", 0 misses, 0 uploads, 0 errors"))
      let steps = second.err.split(separator: "\n").filter { $0.hasPrefix("[") }
      #expect(!steps.isEmpty && steps.allSatisfy { $0.hasSuffix("(from the remote cache)") }, "\(second.err)")
      #expect(try machines.isRight("a") && machines.isRight("b"))
      let verified = try await Tool.run(
        [Scenario.binary.string, "cache", "verify", "--remote-cache", url] + words,
        environment: environment.merging(["NPI_PACK_STORE": machines.scratch("v").string]) { $1 })
      #expect(verified.status == 0 && verified.out.contains("under a wrong digest: refused"), "\(verified.all)")
    }

    @Test(.tools) func casd() async throws {
      let scratch = Scratch()
      let server = try await REAPIServer.casd(scratch)
      try await shared("grpc://\(server.address)", [])
    }

    @Test(.tools) func buildGrid() async throws {
      let scratch = Scratch()
      let (server, authority, token) = try await REAPIServer.buildGrid(scratch)
      let url = "grpcs://\(server.address.replacing("127.0.0.1", with: "localhost"))/main"
      try await shared(url, ["--remote-ca", authority], ["NPI_PACK_REMOTE_TOKEN": token])
      let machines = try await Machines()
      // Without the credential, without the authority, and for an instance that is not there.
      let stranger = try await machines.build("c", url, ["--remote-ca", authority])
      #expect(stranger.status == 0 && stranger.err.contains("check the credential"), "\(stranger.err)")
      #expect(!stranger.err.contains(token))
      let unknown = try await machines.build("d", url, [], environment: ["NPI_PACK_REMOTE_TOKEN": token])
      #expect(unknown.status == 0 && unknown.err.contains("goes on without it"), "\(unknown.err)")
      let nowhere = try await machines.build(
        "e", url + "/other", ["--remote-ca", authority], environment: ["NPI_PACK_REMOTE_TOKEN": token])
      #expect(nowhere.status == 0 && nowhere.err.contains("goes on without it"), "\(nowhere.err)")
      for machine in ["c", "d", "e"] { #expect(try machines.isRight(machine)) }
    }

    /// Streams go on where they broke.
    @Test(.tools) func streamsGoOn() async throws {
      let (server, url) = try REAPIServer.misbehaving()
      let machines = try await Machines(Self.sizes)
      try server.set("breaks")
      let first = try await machines.build("a", url, ["--remote-upload", "always", "--remote-timeout", "60"])
      #expect(first.err.contains(", 4 uploads (") && first.err.contains(", 0 errors"), "\(first.err)")
      let writes = try server.reply.log
      #expect(writes.first == "write 0" && writes.contains { $0 != "write 0" }, "\(writes)")
      try server.set("breaks")
      let second = try await machines.build("b", url, ["--remote-timeout", "60"])
      #expect(second.err.contains("remote: 4 hits (") && second.err.contains(", 0 errors"), "\(second.err)")
      let reads = try server.reply.log
      #expect(reads.first == "read 0" && reads.contains { $0 != "read 0" }, "\(reads)")
      #expect(try machines.isRight("a") && machines.isRight("b"))
    }

    /// Whatever it does, results are the same, and one line tells.
    @Test(
      .tools,
      arguments: [
        ("unavailable", "not today"), ("silent", "timed out"), ("refuses", "check the credential"),
        ("wrong-bytes", "sends other bytes than those of"), ("endless", "more than was asked for"), ("lost", ""),
        ("no-sha256", "SHA-256"),
      ])
    func misbehaves(_ fault: String, _ text: String) async throws {
      let (server, url) = try REAPIServer.misbehaving()
      let machines = try await Machines(Self.sizes)
      _ = try await machines.build("a", url, ["--remote-upload", "always", "--remote-timeout", "60"])
      try server.set(fault)
      // The server is slow, and is waited for unless it says nothing.
      let patience = fault == "silent" ? "1" : "60"
      let build = try await machines.build("b", url, ["--remote-upload", "always", "--remote-timeout", patience])
      #expect(build.status == 0, "\(build.err)")
      #expect(try machines.isRight("b"))
      #expect(build.err.contains(text), "\(build.err)")
      let lines = build.err.split(separator: "\n")
      #expect(lines.count { $0.contains("goes on without it") } == (text.isEmpty ? 0 : 1), "\(build.err)")
      try server.set()
      let next = try await machines.build("b", url, isNew: false)
      #expect(next.status == 0 && next.out == "npi-pack: nothing to do\n")
    }

    /// A server that sends a credential back does not bring it into a log.
    @Test(.tools) func echoes() async throws {
      let (server, url) = try REAPIServer.misbehaving()
      let machines = try await Machines()
      try server.set("echoes")
      let secret: [String: String?] = ["NPI_PACK_REMOTE_TOKEN": "hush-hush-hush"]
      let build = try await machines.build("b", url, ["--explain"], environment: secret)
      #expect(build.status == 0 && build.err.contains("answers invalidArgument; this run"), "\(build.err)")
      #expect(!build.all.contains("hush"))
    }

    /// A cache for readers is given nothing: neither results nor the blobs for them.
    @Test(.tools) func takesNothing() async throws {
      let (server, url) = try REAPIServer.misbehaving()
      let machines = try await Machines(Self.sizes)
      try server.set("reads-only")
      let build = try await machines.build("b", url, ["--remote-upload", "always"])
      #expect(build.status == 0 && build.err.contains("takes no results"), "\(build.err)")
      #expect(build.err.contains(", 0 uploads, "), "\(build.err)")
      #expect(try server.reply.log.isEmpty)
      #expect(try machines.isRight("b"))
    }

    /// A cache that is not there.
    @Test(.tools) func isNotThere() async throws {
      let machines = try await Machines()
      let build = try await machines.build("b", "grpc://127.0.0.1:1")
      #expect(build.status == 0 && build.err.contains("the remote cache 127.0.0.1:1 cannot be used"), "\(build.err)")
      #expect(build.err.contains("goes on without it"))
      #expect(try machines.isRight("b"))
    }

    /// A server over HTTP where gRPC was said.
    @Test(.tools) func anotherProtocol() async throws {
      let (server, machines) = (try CacheServer(), try await Machines())
      let build = try await machines.build("b", server.url.replacing("http:", with: "grpc:"))
      #expect(build.status == 2 && !machines.scratch.exists("b/p/dist/Other.zip"), "\(build.err)")
      #expect(build.err.contains("--remote-cache: 127.0.0.1:\(server.port) speaks HTTP and not gRPC"), "\(build.err)")
    }

    /// And a server with gRPC where HTTP was said.
    @Test(.tools) func httpWasSaid() async throws {
      let scratch = Scratch()
      let (server, machines) = (try await REAPIServer.casd(scratch), try await Machines())
      let build = try await machines.build("b", "http://\(server.address)")
      #expect(build.status == 2)
      #expect(build.err.contains("does not speak HTTP: is it a server with gRPC?"), "\(build.err)")
    }
  }
#endif
