import Foundation
import Testing

/// Every text file of `Scenarios`, through the built executable.
@Suite struct EndToEndTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Scenarios")
  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".txt") }.sorted()

  @Test func thereAreScenarios() {
    #expect(Self.names.count >= 30)
  }

  @Test(arguments: names) func scenario(_ name: String) async throws {
    let file = Self.folder.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let done = try await Scenario(text).performed().text
    if done != text, ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try done.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(done == text, "\(name): the file holds what is expected; UPDATE_SNAPSHOTS=1 make test rewrites it")
  }
}
