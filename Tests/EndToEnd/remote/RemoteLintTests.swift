import Foundation
import Lanes
import SystemPackage
import TestSupport
import Testing

/// Deliverables that one machine has linted, another one does not read.
@Suite struct RemoteLintTests {
  private static let files = ["dist/Story-1.0.0-ios.zip", "dist/Story-1.0.0-android.aar", "dist/more.jar"]

  /// A plugin's project on a machine: a zip, an AAR, a jar, and a library and a configuration, which are read as fast as
  /// they are digested.
  private static func project(_ scratch: Scratch, _ machine: String) async throws {
    let folder = "\(machine)/p"
    try scratch.write("\(folder)/npi.yml", "name: Story\nversion: 1.0.0\nextends: mobilesmith\n")
    try scratch.write("\(folder)/tree/Story.bundle/text.txt", "one")
    try scratch.write("\(folder)/tree/__MACOSX/._text.txt", "two")
    try scratch.write("\(folder)/tree/AndroidManifest.xml", "<manifest package=\"com.example\"/>")
    try scratch.write("\(folder)/own.c", "int own(void) { return 1; }\n")
    try scratch.write("\(folder)/dist/Story-1.0.0.json", "{\"ViewControlerClassName\": \"Story\"}")
    let commands = """
      cd tree && zip -qrX ../dist/Story-1.0.0-ios.zip Story.bundle __MACOSX
      zip -qX ../dist/Story-1.0.0-android.aar AndroidManifest.xml && zip -qX ../dist/more.jar AndroidManifest.xml && cd ..
      clang -c own.c -target arm64-apple-ios13 -o own.o && llvm-ar-19 -rcD dist/libown.a own.o
      """
    try await Tool.check(["sh", "-ec", commands], in: scratch(folder))
  }

  private static func lint(
    _ scratch: Scratch, _ machine: String, _ words: [String], store: String? = nil
  ) async throws -> ToolResult {
    try await Tool.run(
      [Scenario.binary.string, "lint", "dist/Story-1.0.0.json", "dist/libown.a"] + files + words,
      in: scratch("\(machine)/p"), environment: ["NPI_PACK_STORE": scratch("\(machine)/\(store ?? "store")").string])
  }

  @Test(.tools, arguments: ["text", "json", "github"]) func resultsComeFromThere(_ format: String) async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    for machine in ["a", "b"] { try await Self.project(scratch, machine) }
    // zip keeps times, and those of the two machines differ.
    for file in Self.files { try await Tool.check(["cp", "a/p/\(file)", "b/p/\(file)"], in: scratch.path) }
    let words = ["--format", format]
    let local = try await Self.lint(scratch, "a", words, store: "other")
    #expect(local.status == 1 && local.out.contains("resource-forks") && local.out.contains("npi-pack strip"))
    let remote = words + ["--remote-cache", server.url]
    let first = try await Self.lint(scratch, "a", remote + ["--remote-upload", "always"])
    #expect(first.out == local.out && first.status == local.status)
    #expect(first.err.contains("remote: 0 hits, 3 misses, 3 uploads ("), "\(first.err)")
    let second = try await Self.lint(scratch, "b", remote)
    #expect(second.out == local.out && second.status == local.status)
    #expect(second.err.contains("remote: 3 hits ("), "\(second.err)")
    #expect(second.err.contains(", 0 misses, 0 uploads, 0 errors"), "\(second.err)")
    // Results in the own store are not asked for.
    try server.set("silent")
    let third = try await Self.lint(scratch, "b", remote)
    #expect(third.out == local.out && !third.err.contains("remote:"), "\(third.err)")
  }

  /// What a result depends on is in its key.
  @Test(
    .tools,
    arguments: [
      (["--level", "resource-forks=warning"], 0), (["--recipe", "sdk"], 0), (["dist/more.json"], 0),
      ([], 2), (["--suppressions", "known.yml"], 3),
    ])
  func otherOrders(_ words: [String], _ hits: Int) async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    try await Self.project(scratch, "a")
    let remote = ["--remote-cache", server.url, "--remote-upload", "always"]
    _ = try await Self.lint(scratch, "a", remote)
    try scratch.write("a/p/dist/more.json", "{}")
    try scratch.write("a/p/known.yml", "- rule: resource-forks\n  reason: it is meant\n  until: 2999-01-01\n")
    if words.isEmpty { try await Tool.check(["zip", "-qX", Self.files[0], "own.c"], in: scratch("a/p")) }
    let local = try await Self.lint(scratch, "a", words, store: "other")
    let other = try await Self.lint(scratch, "a", words + remote, store: "new")
    #expect(other.out == local.out && other.status == local.status)
    #expect(other.err.contains("remote: \(hits) hit"), "\(other.err)")
  }

  /// A part that cannot be read may be read the next time: that is no result.
  @Test(.tools) func damagedOnesAreNotGiven() async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    try await Self.project(scratch, "a")
    var bytes = try scratch.read("a/p/dist/more.jar")
    bytes.removeLast(30)
    try scratch.write("a/p/dist/more.jar", bytes)
    let remote = ["--remote-cache", server.url, "--remote-upload", "always"]
    for store in ["one", "two"] {
      let local = try await Self.lint(scratch, "a", [], store: "other")
      let run = try await Self.lint(scratch, "a", remote, store: store)
      #expect(run.out == local.out && run.status == local.status && run.status == 2, "\(run.all)")
      #expect(run.err.contains(store == "one" ? "3 misses, 2 uploads" : "1 miss, 0 uploads"), "\(run.err)")
    }
  }

  @Test(.tools, arguments: ["down", "failing", "wrong-bytes", "login", "truncated", "silent"])
  func misbehaves(_ fault: String) async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    try await Self.project(scratch, "a")
    let local = try await Self.lint(scratch, "a", [], store: "other")
    let remote = ["--remote-cache", server.url, "--remote-timeout", "1", "--remote-retries", "0"]
    _ = try await Self.lint(scratch, "a", remote + ["--remote-upload", "always"])
    try server.set(fault)
    let run = try await Self.lint(scratch, "a", remote, store: "b")
    #expect(run.out == local.out && run.status == local.status)
    #expect(run.err.split(separator: "\n").count { $0.contains("goes on without it") } == 1, "\(run.err)")
    let required = try await Self.lint(scratch, "a", remote + ["--remote-cache-required"], store: "c")
    #expect(required.status == 2 && required.err.contains("error: the remote cache"), "\(required.err)")
  }

  /// Paths that only this machine has are given to no other one.
  @Test(.tools) func absolutePaths() async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    try await Self.project(scratch, "a")
    let words = [scratch("a/p/\(Self.files[0])").string, "../\(Self.files[1])"]
    let run = try await Tool.run(
      [Scenario.binary.string, "lint"] + words + ["--remote-cache", server.url, "--remote-upload", "always"],
      in: scratch("a/p/tree"), environment: ["NPI_PACK_STORE": scratch("store").string])
    #expect(run.status == 1 && !run.err.contains("remote:"), "\(run.err)")
    #expect(try server.reply.log.isEmpty)
  }

  /// A file that is replaced between its digest and its lint has no result.
  @Test(.tools) func replacedMeanwhile() async throws {
    let (server, scratch) = (try CacheServer(), Scratch())
    try await Self.project(scratch, "a")
    try await Tool.check(["zip", "-qX", "clean.zip", "own.c"], in: scratch("a/p"))
    try server.rename(scratch("a/p/clean.zip"), to: scratch("a/p/\(Self.files[0])"))
    let lint = try await Self.lint(scratch, "a", ["--remote-cache", server.url, "--remote-upload", "always"])
    #expect(lint.err.contains("3 misses, 2 uploads"), "\(lint.err)")
    #expect(!lint.out.contains("resource-forks"))
  }
}
