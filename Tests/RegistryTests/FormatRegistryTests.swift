import ArgumentParser
import Findings
import SystemPackage
import TestSupport
import Testing

@testable import npi_pack

/// A report format is one file and its place in the list: the commands, their help and what they write over follow.
@Suite struct FormatRegistryTests {
  private let scratch = Scratch()

  private func withToy<T>(_ body: () async throws -> T) async rethrows -> T {
    try await Renderers.$all.withValue(Renderers.all + [ToyFormat.self], operation: body)
  }

  private func lint(_ words: [String]) async throws {
    let command = try LintCommand.parse([scratch("config.json").string, "--recipe", "mobilesmith"] + words)
    do { try await command.run() } catch let code as ExitCode { #expect(code == ExitCode(1)) }
  }

  @Test func itIsUnknownWithoutItsPlaceInTheList() {
    #expect(throws: (any Error).self) { try LintCommand.parse(["config.json", "--format", "toy"]) }
    #expect(!LintCommand.helpMessage().contains("toy"))
  }

  @Test func helpOffersIt() async throws {
    await withToy {
      #expect(LintCommand.helpMessage().contains("toy"))
      #expect(ReportFormat.allValueStrings.last == "toy")
    }
  }

  @Test func commandsRenderWithIt() async throws {
    try scratch.write("config.json", "{\"server\": 1}\n")
    try await withToy {
      try await lint(["--format", "toy", "-o", scratch("report").string])
      let text = try scratch.text("report")
      #expect(text.hasPrefix("toy report\nerror config-keys: "), "\(text)")
      // A report takes the place of one of its kind.
      try await lint(["--format", "json", "-o", scratch("report").string])
      #expect(try scratch.text("report").hasPrefix("{"))
      try await lint(["--format", "toy", "-o", scratch("report").string])
    }
    // Whoever does not know the format does not write over its reports.
    await #expect(throws: Mistakes.self) { try await lint(["-o", scratch("report").string]) }
    try await withToy {
      let command = try CheckCommand.parse(
        [scratch("config.json").string, "--format", "toy", "-o", scratch("checked").string])
      try? await command.run()
      #expect(try scratch.text("checked").hasPrefix("toy report\n"))
    }
  }
}
