import Foundation
import SystemPackage
import TestSupport
import Testing

/// The example plugins pass every rule of their host; their broken twins are told what is wrong with them, word for word.
@Suite struct ExamplesTests {
  static let examples = ["RallyConnector", "Scanner", "Showtime"]
  private static let folder = ExamplePlugin.folder.removingLastComponent()

  private func copy(_ example: String, to scratch: Scratch) async throws -> FilePath {
    let target = scratch(example)
    try FileManager.default.createDirectory(atPath: target.string, withIntermediateDirectories: true)
    // Not what a build in place has left there.
    for part in ["npi.yml", "broken.yml", "ios", "android", "web", "last", "broken"] {
      let source = Self.folder.appending(example).appending(part)
      guard FileManager.default.fileExists(atPath: source.string) else { continue }
      try await Tool.check(["cp", "-R", source.string, target.string])
    }
    return target
  }

  @Test(arguments: examples) func passes(_ example: String) async throws {
    let scratch = Scratch()
    let folder = try await copy(example, to: scratch)
    let result = try await Tool.run([Scenario.binary.string, "--strict"], in: folder)
    #expect(result.status == 0)
    #expect(result.out.split(separator: "\n").allSatisfy { $0.hasPrefix("made ") }, "\(result.out)")
    let host = example == "Showtime" ? "11 rules of web-templates" : "30 rules of mobilesmith"
    #expect(result.err.hasSuffix("npi-pack: \(host) checked\n"), "\(result.err)")
    let record = try #require(result.out.split(separator: "\n").last).dropFirst("made ".count)
    let lint = try await Tool.run([Scenario.binary.string, "lint", "--strict", String(record)], in: folder)
    #expect(lint.out == "no findings\n")
    #expect(lint.status == 0)
  }

  @Test(arguments: examples) func brokenTwin(_ example: String) async throws {
    let scratch = Scratch()
    let folder = try await copy(example, to: scratch)
    let result = try await Tool.run([Scenario.binary.string, "-k", "-f", "broken.yml"], in: folder)
    #expect(result.status == 1)
    let file = FilePath(#filePath).removingLastComponent().pushing(FilePath("Broken/\(example).txt"))
    let expected = try? String(contentsOfFile: file.string, encoding: .utf8)
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
      try result.out.write(toFile: file.string, atomically: true, encoding: .utf8)
    }
    #expect(result.out == expected)
  }
}
