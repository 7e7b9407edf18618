import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import npi_pack

/// The man page that `make install` installs, read by groff.
@Suite struct ManPageTests {
  /// The text of the page as a terminal shows it, without overstriking.
  private func page(_ scratch: Scratch, columns: Int = 100) async throws -> String {
    try scratch.write("npi-pack.1", try await Tool.check([Scenario.binary.string, ManPage.option]))
    let result = try await Tool.run(
      ["groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=\(columns)n", "npi-pack.1"], in: scratch.path)
    #expect(result.status == 0)
    // What is wrong with it, in groff's own words.
    #expect(result.err == "")
    return result.out
  }

  @Test func hasEveryCommandAndOption() async throws {
    let text = try await page(Scratch())
    for command in CommandWords.commands { #expect(text.contains("\n   \(command)\n"), "\(command)") }
    for command in CommandWords.commands where command != "help" {
      let help = try await Tool.check([Scenario.binary.string, command, "--help"])
      let start = try #require(text.firstRange(of: "\n   \(command)\n")).upperBound
      let section = text[start...].prefix(upTo: text[start...].firstRange(of: "--help")?.upperBound ?? text.endIndex)
      let names = help.matches(of: #/(?m)^  (-[-a-zA-Z]+)(?:, (--[a-z-]+))?/#).flatMap { [$0.1, $0.2 ?? $0.1] }
      #expect(!names.isEmpty)
      for name in names { #expect(section.contains(name), "\(command) \(name)") }
    }
  }

  @Test(arguments: [
    "EXIT STATUS", "129, 130, 143", "ENVIRONMENT", "NO_COLOR", "SOURCE_DATE_EPOCH", "NPI_PACK_STORE", "FILES",
    "npi.yml",
  ])
  func says(_ what: String) async throws {
    #expect(try await page(Scratch()).contains(what))
  }

  @Test func isTheSameEverywhere() async throws {
    let first = try await Tool.check([Scenario.binary.string, ManPage.option])
    let second = try await Tool.check(
      [Scenario.binary.string, ManPage.option], in: "/",
      environment: ["TZ": "Asia/Tokyo", "LC_ALL": "C", "COLUMNS": "40", "SOURCE_DATE_EPOCH": "1", "HOME": nil])
    #expect(first == second)
    #expect(first.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
  }

  @Test(arguments: [
    ("a-b", "a\\-b"), (".x", "\\&.x"), ("'x'", "\\&\\(aqx\\(aq"), ("a\\b", "a\\eb"), ("…", "\\[u2026]"),
  ])
  func escaped(_ text: String, _ expected: String) {
    #expect(ManPage.escaped(text) == expected)
  }

  /// `make install` puts it where `man` looks.
  @Test func isInstalled() throws {
    let makefile = FilePath(#filePath).removingLastComponent().pushing("../../Makefile").lexicallyNormalized()
    let text = try String(contentsOfFile: makefile.string, encoding: .utf8)
    #expect(text.contains("\(ManPage.option) > \"$$share/man/man1/npi-pack.1\""))
  }
}
