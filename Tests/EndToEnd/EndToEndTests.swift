import Foundation
import Testing

/// Every text file of `Scenarios`, through the built executable.
@Suite struct EndToEndTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Scenarios")
  static let allNames: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".txt") }.sorted()
  /// `SCENARIOS=app-` runs those whose names begin so.
  static let names = allNames.filter { $0.hasPrefix(ProcessInfo.processInfo.environment["SCENARIOS"] ?? "") }

  @Test func thereAreScenarios() {
    #expect(Self.allNames.count >= 200)
  }

  @Test(arguments: names) func scenario(_ name: String) async throws {
    let file = Self.folder.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let done = try await Scenario(text).performed().text
    if done != text, ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try done.write(to: file, atomically: true, encoding: .utf8)
    }
    guard done != text else { return }
    // The lines that differ come first: the whole of both is long, and logs are cut.
    let changes = done.split(separator: "\n", omittingEmptySubsequences: false)
      .difference(from: text.split(separator: "\n", omittingEmptySubsequences: false))
    let lines = (changes.removals + changes.insertions).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    Issue.record("\(name) differs (UPDATE_SNAPSHOTS=1 make test rewrites it):\n\(lines.joined(separator: "\n"))")
  }
}
