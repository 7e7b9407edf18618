import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import npi_pack

/// The man page that `make install` installs, read by groff.
@Suite struct ManPageTests {
  private static let root = FilePath(#filePath).removingLastComponent().pushing("../../..").lexicallyNormalized()
  private static let command = ["sh", root.appending(".ci/manual.sh").string, Scenario.binary.string]

  /// The text of the page as a terminal shows it, without overstriking.
  private func page(_ scratch: Scratch, columns: Int = 100, device: String = "utf8") async throws -> String {
    let source = try await Tool.run(Self.command)
    #expect(source.status == 0 && source.err == "")
    try scratch.write("npi-pack.1", source.out)
    let result = try await Tool.run(
      ["groff", "-man", "-ww", "-T\(device)", "-P-cbou", "-rLL=\(columns)n", "npi-pack.1"], in: scratch.path)
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

  /// A terminal of a locale that has no more than ASCII.
  @Test func isReadInASCIIToo() async throws {
    let text = try await page(Scratch(), device: "ascii")
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("{plugins: [...], app, linker,"))
  }

  /// Of a flag that has an opposite both are said to do what they do.
  @Test func aFlagAndItsOppositeAreOneEntry() async throws {
    let text = try await page(Scratch())
    #expect(text.contains(" --sandbox/--no-sandbox\n"))
    #expect(text.components(separatedBy: "On Linux show a command only what its step declares").count == 3)
  }

  @Test func isTheSameEverywhere() async throws {
    let first = try await Tool.check(Self.command)
    let second = try await Tool.check(
      Self.command, in: "/",
      environment: ["TZ": "Asia/Tokyo", "LC_ALL": "C", "COLUMNS": "40", "SOURCE_DATE_EPOCH": "1", "HOME": nil])
    #expect(first == second)
    #expect(first.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
  }

  /// A name or text that a formatter would take for a request, from a command that stands in for npi-pack.
  @Test func takesTextForText() async throws {
    let scratch = Scratch()
    try scratch.write(
      "npi",
      """
      #!/bin/sh
      case $* in
        --version) echo 1.0 ;;
        --help) echo "OVERVIEW: make" ;;
        help) printf 'SUBCOMMANDS:\\n  x  A command.\\n' ;;
        *) cat text ;;
      esac

      """)
    try scratch.write(
      "text",
      """
      OVERVIEW: .so /etc/passwd

      'Example': a\\b…

      OPTIONS:
        --wide-as-column <file> It's `x` ^ ~.

      """)
    let page = try await Tool.check(
      ["sh", "-c", "chmod +x npi && sh \(Self.command[1]) ./npi > page && groff -man -ww -Tascii -P-cbou page"],
      in: scratch.path)
    for line in [".so /etc/passwd", "'Example': a\\b...", "--wide-as-column <file>\n", " It's `x` ^ ~.\n"] {
      #expect(page.contains(line), "\(line)")
    }
  }

  /// `make install` puts it where `man` looks.
  @Test func isInstalled() throws {
    let text = try String(contentsOfFile: Self.root.appending("Makefile").string, encoding: .utf8)
    #expect(text.contains(".ci/manual.sh \"$$binary\" > \"$$share/man/man1/npi-pack.1\""))
  }
}
