#if REAPI
  import Lanes
  import SystemPackage
  import TestSupport
  import Testing

  /// Streams that are compressed by zstd, against a server that compresses and decompresses with the program `zstd`.
  @Suite struct REAPICompressionTests {
    /// An output of 6 MB that becomes smaller, and a zip that does not.
    private static let text: @Sendable (Scratch, String) throws -> Void = { scratch, tree in
      try scratch.write(
        "\(tree)/npi.yml",
        """
        name: Text
        version: 1.0
        rules: { missing-library: off, empty-deliverable: off }
        steps:
          text:
            shell: cat src/words src/words > build/words
            inputs: [src/words]
            outputs: [build/words]
            declares-all: true
        deliverables:
          ios: { kind: ios-zip, items: [build/words] }
        """)
      var random = Seeded(seed: 3)
      // Digits carry less than half of the bits of a byte.
      try scratch.write("\(tree)/src/words", (0..<3_000_000).map { _ in UInt8.random(in: 0x30...0x39, using: &random) })
    }

    private static let always = ["--remote-upload", "always", "--remote-timeout", "60"]

    @Test(.tools) func streams() async throws {
      let (server, url) = try REAPIServer.misbehaving(["zstd"])
      let machines = try await Machines(Self.text)
      try server.set()
      let first = try await machines.build("a", url, Self.always)
      #expect(first.err.contains(", 3 misses, 3 uploads (") && first.err.contains(", 0 errors"), "\(first.err)")
      #expect(try server.reply.log.sorted() == ["write 0", "write-zstd 0"])
      try server.set()
      let second = try await machines.build("b", url, ["--remote-timeout", "60"])
      #expect(second.err.contains("remote: 3 hits (") && second.err.contains(", 0 errors"), "\(second.err)")
      #expect(try server.reply.log == ["read-zstd 0", "read-zstd 0"])
      #expect(try machines.isRight("a") && machines.isRight("b"))
      let status = try await Tool.check(
        [Scenario.binary.string, "cache", "status", "--remote-cache", url],
        environment: ["NPI_PACK_STORE": machines.scratch("v").string])
      #expect(status.contains("compressed by zstd"), "\(status)")
    }

    /// What has arrived is not asked for again. What is sent compressed begins anew.
    @Test(.tools) func breaks() async throws {
      let (server, url) = try REAPIServer.misbehaving(["zstd"])
      let machines = try await Machines(Self.text)
      try server.set("breaks")
      let first = try await machines.build("a", url, Self.always)
      #expect(first.err.contains(", 3 uploads (") && first.err.contains(", 0 errors"), "\(first.err)")
      #expect(try server.reply.log.filter { $0.hasPrefix("write-zstd") } == ["write-zstd 0", "write-zstd 0"])
      try server.set("breaks")
      let second = try await machines.build("b", url, ["--remote-timeout", "60"])
      #expect(second.err.contains("remote: 3 hits (") && second.err.contains(", 0 errors"), "\(second.err)")
      let reads = try server.reply.log
      #expect(reads.count == 4 && reads.count { $0 == "read-zstd 0" } == 2, "\(reads)")
      #expect(try machines.isRight("a") && machines.isRight("b"))
    }

    @Test(
      .tools,
      arguments: [
        ("wrong-bytes", "sends other bytes than those of"), ("endless", "more than was asked for"),
      ])
    func misbehaves(_ fault: String, _ text: String) async throws {
      let (server, url) = try REAPIServer.misbehaving(["zstd"])
      let machines = try await Machines(Self.text)
      _ = try await machines.build("a", url, Self.always)
      try server.set(fault)
      let build = try await machines.build("b", url, ["--remote-timeout", "60"])
      #expect(build.status == 0 && build.err.contains(text), "\(build.err)")
      #expect(build.err.split(separator: "\n").count { $0.contains("goes on without it") } == 1, "\(build.err)")
      #expect(try machines.isRight("b"))
    }

    /// A server that says that it takes compressed streams, and does not: not at all, or not as we can read them. The rest of
    /// the run does without.
    @Test(.tools, arguments: ["unspoken", "no-zstd", "wide"]) func doesNotHoldIt(_ fault: String) async throws {
      let (server, url) = try REAPIServer.misbehaving(["zstd"])
      let machines = try await Machines(Self.text)
      try server.set(fault)
      let first = try await machines.build("a", url, Self.always)
      #expect(first.err.contains(", 3 uploads (") && first.err.contains(", 0 errors"), "\(first.err)")
      let second = try await machines.build("b", url, ["--remote-timeout", "60"])
      #expect(second.err.contains("remote: 3 hits (") && second.err.contains(", 0 errors"), "\(second.err)")
      let log = try server.reply.log
      #expect(log.contains { $0.hasPrefix("read-zstd") } && log.contains { $0.hasPrefix("read ") }, "\(log)")
      #expect(try machines.isRight("a") && machines.isRight("b"))
    }

    /// A connection that breaks when all has been sent.
    @Test(.tools, arguments: [[], ["zstd"]]) func breaksAtTheEnd(_ words: [String]) async throws {
      let (server, url) = try REAPIServer.misbehaving(words)
      let machines = try await Machines(Self.text)
      try server.set("ends")
      let first = try await machines.build("a", url, Self.always)
      #expect(first.err.contains(", 3 uploads (") && first.err.contains(", 0 errors"), "\(first.err)")
      let second = try await machines.build("b", url, ["--remote-timeout", "60"])
      #expect(second.err.contains("remote: 3 hits (") && second.err.contains(", 0 errors"), "\(second.err)")
    }

    /// Another machine has sent the blob meanwhile.
    @Test(.tools) func isThereAlready() async throws {
      let (server, url) = try REAPIServer.misbehaving(["zstd"])
      let machines = try await Machines(Self.text)
      _ = try await machines.build("a", url, Self.always)
      try server.set("late")
      let build = try await machines.build("b", url, Self.always)
      #expect(
        build.status == 0 && build.err.contains(", 3 uploads (") && build.err.contains(", 0 errors"), "\(build.err)")
      #expect(try server.reply.log.contains("write-zstd 0"))
    }

    /// Without the library blobs travel as they are. libarchive may need it, too, so only the step is run.
    @Test(.tools) func withoutTheLibrary() async throws {
      let (server, url) = try REAPIServer.misbehaving(["zstd"])
      let machines = try await Machines(Self.text)
      try server.set()
      let libraries = try await Tool.check([
        "sh", "-c", "PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*libzstd.so.1 .*=> //p' | xargs -n 1 readlink -f",
      ])
      let hidden = libraries.split(separator: "\n").flatMap { ["--ro-bind", "/dev/null", String($0)] }
      #expect(!hidden.isEmpty)
      let first = try await machines.build(
        "a", url, Self.always + ["text"], below: ["bwrap", "--dev-bind", "/", "/"] + hidden)
      #expect(first.status == 0 && first.err.contains(", 1 upload (6.0 MB), 0 errors"), "\(first.err)")
      #expect(try server.reply.log == ["write 0"])
    }
  }
#endif
