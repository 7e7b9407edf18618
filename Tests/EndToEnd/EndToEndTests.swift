import Foundation
import Testing

/// Every text file in a folder `Scenarios`, of whichever command, through the built executable.
@Suite struct EndToEndTests {
  /// By name, so that each name is there once: `check-app`.
  static let files = Dictionary(
    all.map { ($0.deletingPathExtension().lastPathComponent, $0) }, uniquingKeysWith: { $1 })

  private static let all: [URL] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter {
      $0.pathExtension == "txt" && $0.deletingLastPathComponent().lastPathComponent == "Scenarios"
    }
  }()
  /// `SCENARIOS=aar-` runs those whose names begin so, `SCENARIOS=check/` those of a command.
  static let names = files.filter { name, file in
    let wanted = ProcessInfo.processInfo.environment["SCENARIOS"] ?? ""
    return name.hasPrefix(wanted) || file.path.contains("/EndToEnd/\(wanted)Scenarios/")
  }.keys.sorted()

  @Test func thereAreScenarios() {
    #expect(Self.files.count >= 200)
    #expect(Self.files.count == Self.all.count, "two have one name")
  }

  @Test(arguments: names) func scenario(_ name: String) async throws {
    let file = try #require(Self.files[name])
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
