import Foundation
import Lanes
import SystemPackage
import TestSupport
import Testing

/// Facts about plugins that one machine has read, another one gets.
@Suite struct RemoteCheckTests {
  /// Jars with one class each, and one class in two of them.
  private func write(_ scratch: Scratch, _ count: Int) async throws -> [String] {
    for number in 0..<count where !scratch.exists("p\(number).jar") {
      try scratch.write("src/\(number)/com/p\(number)/A.class", "class \(number)")
      try scratch.write("src/\(number)/com/p\(number % 5)/Shared.class", "shared \(number)")
      try await Tool.check(["zip", "-qr", "../../p\(number).jar", "."], in: scratch("src/\(number)"))
    }
    return (0..<count).map { "p\($0).jar" }
  }

  private func check(
    _ plugins: [String], _ scratch: Scratch, _ machine: String, _ words: [String]
  ) async throws -> ToolResult {
    try await Tool.run(
      [Scenario.binary.string, "check", "--format", "json"] + words + plugins, in: scratch.path,
      environment: ["NPI_PACK_STORE": scratch(machine).string])
  }

  @Test(.tools) func factsComeFromThere() async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    let plugins = try await write(scratch, 40)
    let local = try await check(plugins, scratch, "local", [])
    #expect(local.status == 1 && local.out.contains("duplicate-java-class"))
    let remote = ["--remote-cache", server.url]
    let first = try await check(plugins, scratch, "a", remote + ["--remote-upload", "always"])
    #expect(first.out == local.out)
    #expect(first.err.contains("remote: 0 hits, 40 misses, 40 uploads ("), "\(first.err)")
    // Two more plugins, and one of the known ones in another place.
    _ = try await write(scratch, 42)
    try await Tool.check(["mv", "p3.jar", "moved.jar"], in: scratch.path)
    let more = (0..<42).map { $0 == 3 ? "moved.jar" : "p\($0).jar" }
    let second = try await check(more, scratch, "b", remote)
    #expect(second.out == (try await check(more, scratch, "local", [])).out)
    #expect(
      second.err.contains("remote: 40 hits (") && second.err.contains(", 2 misses, 0 uploads, 0 errors"),
      "\(second.err)"
    )
    // Facts in the own store are not asked for.
    try server.set("silent")
    let third = try await check(more, scratch, "b", remote)
    #expect(third.out == second.out && !third.err.contains("remote:"), "\(third.err)")
  }

  @Test(.tools, arguments: ["down", "failing", "wrong-bytes", "login", "truncated", "silent"])
  func misbehaves(_ fault: String) async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    let plugins = try await write(scratch, 8)
    let local = try await check(plugins, scratch, "local", [])
    let remote = ["--remote-cache", server.url, "--remote-timeout", "1", "--remote-retries", "0"]
    _ = try await check(plugins, scratch, "a", remote + ["--remote-upload", "always"])
    try server.set(fault)
    let build = try await check(plugins, scratch, "b", remote)
    #expect(build.out == local.out && build.status == local.status)
    #expect(build.err.split(separator: "\n").count { $0.contains("goes on without it") } == 1, "\(build.err)")
    let required = try await check(plugins, scratch, "c", remote + ["--remote-cache-required"])
    #expect(required.status == 2 && required.err.contains("error: the remote cache"), "\(required.err)")
  }

  /// The apps of one run share what they have fetched.
  @Test(.tools) func fleet() async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    let plugins = try await write(scratch, 8)
    _ = try await check(plugins, scratch, "a", ["--remote-cache", server.url, "--remote-upload", "always"])
    try scratch.write(
      "apps.yml",
      (0..<6).map { app in
        "app\(app): { plugins: [\((0..<4).map { "p\((app + $0) % 8).jar" }.joined(separator: ", "))] }\n"
      }.joined())
    try server.set(delay: 0.2)
    let local = try await check([], scratch, "local", ["--apps", "apps.yml"])
    let shared = try await check([], scratch, "b", ["--apps", "apps.yml", "--remote-cache", server.url])
    #expect(shared.out == local.out && shared.status == local.status)
    #expect(shared.err.contains("remote: 8 hits (") && shared.err.contains(", 0 misses"), "\(shared.err)")
    let reply = try server.reply
    // No app waits for the questions of the one before: the chain would have a link for five of them.
    #expect(reply.log.count == 8 && reply.depth <= 4, "\(reply)")
    // On a terminal a line says how far it is, and is gone at the end.
    let words = ["check", "--apps", "apps.yml", "--format", "json", "-o", "report.json", "--remote-cache", server.url]
    let terminal = try await PseudoTerminal.run(
      program: ["env", "NPI_PACK_STORE=\(scratch("t"))", Scenario.binary.string] + words, in: scratch.path, columns: 100
    )
    #expect(terminal.statuses.first == "[0/6] app0")
    // Any app may be the last one that is done.
    let last = terminal.statuses.last ?? ""
    #expect(last.hasPrefix("[5/6] app") && last.hasSuffix(" (facts of 8 plugins from the remote cache)"), "\(last)")
    #expect(terminal.faults.isEmpty && !terminal.screen.contains { $0.contains("/6]") }, "\(terminal.screen)")
  }
}
