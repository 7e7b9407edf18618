import Foundation
import Lanes
import SystemPackage
import TestSupport
import Testing

/// A remote cache that misbehaves changes no result, is told once, and is asked a few times at most.
@Suite(.serialized) struct RemoteFaultTests {
  static let faults = [
    "down", "silent", "slow", "unauthorized", "forbidden", "lost", "too-large", "failing", "busy", "truncated",
    "wrong-bytes", "endless", "wrong-length", "redirect", "login",
  ]

  /// Of a full cache, results and blobs are asked at three moments; results are given to an empty one.
  @Test(.tools, .timeLimit(.minutes(20)), arguments: faults) func misbehaves(_ fault: String) async throws {
    let (server, machines) = (try CacheServer(), try await Machines.shared.value)
    let (full, own) = ("full-\(fault)", "b-\(fault)")
    let first = try await machines.build(full, server.url, ["--remote-upload", "always"])
    #expect(first.err.contains("remote: 0 hits, 5 misses, 5 uploads ("), "\(first.err)")
    try server.set(content: "save")
    for (moment, gives) in [("before", false), ("within", false), ("after", false), ("before", true)] {
      let what: Comment = "\(fault), \(moment), \(gives)"
      try server.set(fault, moment, content: gives ? "clear" : "load")
      let build = try await machines.build(
        own, server.url, ["--remote-timeout", "1"] + (gives ? ["--remote-upload", "always"] : []))
      #expect(build.status == 0, what)
      #expect(try machines.isRight(own), what)
      // The five steps ask for their results, some once more, and then no step asks; 18 requests were the most.
      #expect(try server.reply.log.count <= 25, what)
      let lines = build.err.split(separator: "\n")
      let tally = try #require(lines.last { $0.contains("remote: ") }, what)
      let numbers = try #require(
        tally.firstMatch(of: #/remote: (\d+) hits?.*, (\d+) miss.*, (\d+) uploads?.*, (\d+) errors?/#), "\(tally)")
      let (hits, misses) = (Int(numbers.1) ?? -1, Int(numbers.2) ?? -1)
      let (uploads, errors) = (Int(numbers.3) ?? -1, Int(numbers.4) ?? -1)
      #expect(lines.count { $0.contains("goes on without it") } == min(errors, 1), "\(what): \(build.err)")
      #expect(hits + misses <= 5 && (uploads == 0 || gives), "\(what): \(tally)")
      // Each hit is a step whose outputs were restored.
      #expect(lines.count { $0.hasSuffix("(from the remote cache)") } == hits, "\(what): \(build.err)")
      // With the cache as it should be, everything is as if nothing had happened.
      try server.set()
      let next = try await machines.build(own, server.url, isNew: false)
      #expect(next.status == 0 && next.out == "npi-pack: nothing to do\n", what)
    }
  }

  /// Of these nothing can be had, so a run that is worth nothing without the cache ends with what is wrong.
  @Test(
    .tools,
    arguments: [
      ("down", "empty reply from server"), ("silent", "timed out"), ("unauthorized", "refuses this user (401)"),
      ("failing", "answers 500"), ("wrong-bytes", "is no result of an action"),
      ("redirect", "redirects to elsewhere.example"),
      ("login", "is it a cache?"), ("endless", "more than was asked for"),
    ])
  func required(_ fault: String, _ text: String) async throws {
    let (server, machines) = (try CacheServer(), try await Machines.shared.value)
    _ = try await machines.build("full", server.url, ["--remote-upload", "always"])
    try server.set(fault)
    let patience = fault == "silent" ? "1" : "60"
    let build = try await machines.build(
      "b", server.url, ["--remote-cache-required", "--remote-retries", "0", "--remote-timeout", patience])
    #expect(build.status == 2)
    #expect(build.err.contains("error: the remote cache 127.0.0.1:\(server.port) "), "\(build.err)")
    #expect(build.err.contains(text), "\(build.err)")
    #expect(build.err.contains("hint: without --remote-cache-required"), "\(build.err)")
  }

  /// Results that cannot be given fail a run that requires the cache, at its end.
  @Test(.tools) func requiredToTake() async throws {
    let (server, machines) = (try CacheServer(), try await Machines())
    try server.set("too-large")
    let build = try await machines.build("b", server.url, ["--remote-cache-required", "--remote-upload", "always"])
    #expect(build.status == 2)
    #expect(build.err.contains("takes no blobs of this size (413)"), "\(build.err)")
    #expect(try machines.isRight("b"))
  }

  /// After the third failure in a row nothing more is asked; a failure between good answers changes nothing.
  @Test(.tools) func isOffAfterTheThird() async throws {
    let server = try CacheServer()
    // One step after the other, so that the answers come one by one.
    let machines = try await Machines { scratch, tree in
      try scratch.write(
        "\(tree)/npi.yml",
        """
        name: Chain
        version: 1.0
        steps:
        \((1...6).map { "  s\($0): { shell: 'cat s\($0 - 1) > s\($0)', inputs: [s\($0 - 1)], outputs: [s\($0)] }" }.joined(separator: "\n"))
        deliverables:
          config: { kind: config }
        """)
      try scratch.write("\(tree)/s0", "0\n")
    }
    try server.set("failing")
    let build = try await machines.build("b", server.url, ["s6", "--remote-retries", "0"])
    #expect(build.status == 0)
    #expect(try server.reply.log.count == 3)
    #expect(build.err.hasSuffix("npi-pack: remote: 0 hits, 3 misses, 0 uploads, 3 errors; it was not asked any more\n"))
  }

  @Test(.tools) func notThere() async throws {
    let machines = try await Machines()
    for url in ["http://127.0.0.1:1/x", "http://no-such-host.invalid/x", "http://[::1]:1"] {
      let build = try await machines.build("b", url, ["--remote-timeout", "1"])
      #expect(build.status == 0 && build.err.contains("goes on without it"), "\(build.err)")
      #expect(try machines.isRight("b"))
    }
  }
}
