import Foundation
import SystemPackage
import TestSupport
import Testing

/// The example plugins pass every rule of their host; their broken twins are told what is wrong with them, word for word.
@Suite struct ExamplesTests {
  static let examples = hosts.map(\.name)
  private static let hosts = [
    (name: "RallyConnector", rules: "36 rules of mobilesmith"), (name: "Scanner", rules: "36 rules of mobilesmith"),
    (name: "ShareNote", rules: "19 rules of app-extension"),
    (name: "TodayNews", rules: "20 rules of mobilefirst-today"),
    (name: "Showtime", rules: "13 rules of web-templates"), (name: "Beacon", rules: "25 rules of sdk"),
  ]
  private static let folder = ExamplePlugin.folder.removingLastComponent()

  private func copy(_ example: String, to scratch: Scratch) async throws -> FilePath {
    let target = scratch(example)
    try await Tool.check(["cp", "-R", Self.folder.appending(example).string, target.string])
    // What a build in place has left there.
    try await Tool.check(["rm", "-rf", "build", "dist", ".npi"], in: target)
    return target
  }

  @Test(arguments: hosts) func passes(_ example: String, rules: String) async throws {
    let scratch = Scratch()
    let folder = try await copy(example, to: scratch)
    let result = try await Tool.run([Scenario.binary.string, "--strict"], in: folder)
    #expect(result.status == 0)
    #expect(result.out.split(separator: "\n").allSatisfy { $0.hasPrefix("made ") }, "\(result.out)")
    #expect(result.err.hasSuffix("npi-pack: \(rules) checked\n"), "\(result.err)")
    let record = try Self.record(result.out)
    let lint = try await Tool.run([Scenario.binary.string, "lint", "--strict", record], in: folder)
    #expect(lint.out.hasSuffix("\nno findings\n"))
    #expect(lint.status == 0)
  }

  @Test(arguments: examples) func brokenTwin(_ example: String) async throws {
    let scratch = Scratch()
    let folder = try await copy(example, to: scratch)
    let result = try await Tool.run([Scenario.binary.string, "-k", "-f", "broken.yml"], in: folder)
    #expect(result.status == 1)
    try Self.expect(result.out, example)
  }

  /// The release record that a build has made.
  private static func record(_ out: String) throws -> String {
    let line = try #require(out.split(separator: "\n").last { $0.hasPrefix("made ") })
    return String(try #require(line.split(separator: " ").dropFirst().first))
  }

  /// The words for it.
  private static func expect(_ out: String, _ example: String) throws {
    let out = Scenario.masked(out)
    let file = FilePath(#filePath).removingLastComponent().pushing(FilePath("Broken/\(example).txt"))
    let expected = try? String(contentsOfFile: file.string, encoding: .utf8)
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
      try out.write(toFile: file.string, atomically: true, encoding: .utf8)
    }
    #expect(out == expected)
  }

  // MARK: Plugins that talk

  static let talking = ["Accounts", "HubApp"]

  /// Builds both; gives their release records.
  private func build(_ scratch: Scratch, _ options: [String]) async throws -> [String] {
    var records: [String] = []
    for (example, rules) in zip(Self.talking, [20, 12]) {
      let folder = try await copy(example, to: scratch)
      let result = try await Tool.run([Scenario.binary.string] + options, in: folder)
      #expect(result.status == 0, "\(result.err)")
      if options == ["--strict"] {
        #expect(result.err.hasSuffix("npi-pack: \(rules) rules of platformhub checked\n"), "\(result.err)")
      }
      records.append("\(example)/\(try Self.record(result.out))")
    }
    return records
  }

  @Test func talk() async throws {
    let scratch = Scratch()
    let records = try await build(scratch, ["--strict"])
    for command in ["check", "lint"] {
      let result = try await Tool.run([Scenario.binary.string, command, "--strict"] + records, in: scratch.path)
      #expect(result.status == 0)
      #expect(result.out.hasSuffix("\nno findings\n"))
    }
  }

  /// What one of them is refused for, and what both together are told.
  @Test func brokenTalk() async throws {
    let scratch = Scratch()
    let folder = try await copy("HubApp", to: scratch)
    let refused = try await Tool.run([Scenario.binary.string, "-k", "-f", "broken.yml"], in: folder)
    #expect(refused.status == 1)
    try Self.expect(refused.out, "HubApp")
    let other = Scratch()
    let records = try await build(other, ["-f", "broken.yml", "--level", "app-plugin-released=note"])
    let result = try await Tool.run([Scenario.binary.string, "check", "-v"] + records, in: other.path)
    #expect(result.status == 1)
    try Self.expect(result.out, "Accounts")
  }
}
