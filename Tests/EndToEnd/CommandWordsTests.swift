import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import npi_pack

/// Which word of a command line is the command.
@Suite struct CommandWordsTests {
  /// As the parser itself lists them.
  @Test func optionsWithAValueAreThoseOfBuild() async throws {
    struct Help: Decodable {
      struct Command: Decodable {
        struct Argument: Decodable {
          struct Name: Decodable { let kind, name: String }
          let kind: String
          let names: [Name]?
        }
        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?
      }
      let command: Command
    }
    let text = try await Tool.check([Scenario.binary.string, "--experimental-dump-help"])
    let help = try JSONDecoder().decode(Help.self, from: Data(text.utf8))
    let build = try #require(help.command.subcommands?.first { $0.commandName == "build" })
    let options = (build.arguments ?? []).filter { $0.kind == "option" }.flatMap { $0.names ?? [] }
    #expect(Set(options.map { ($0.kind == "short" ? "-" : "--") + $0.name }) == CommandWords.withValue)
  }

  @Test(arguments: [
    ("-C d build x", "build -C d x"), ("-n build x", "build -n x"), ("build -C d x", "build -C d x"),
    ("-C build x", "-C build x"), ("-C build build", "build -C build"),
    ("-f lint -C d clean -n", "clean -f lint -C d -n"),
    ("--set a=b config", "config --set a=b"), ("--set=clean why x", "why --set=clean x"), ("-j 4 graph", "graph -j 4"),
    ("-j4 graph", "graph -j4"), ("-nC clean config", "config -nC clean"), ("-n -- build", "-n -- build"),
    ("x build", "x build"), ("-n x build", "-n x build"), ("-C", "-C"), ("", ""), ("--version", "--version"),
    ("-n help build", "help -n build"),
  ])
  func commandFirst(_ words: String, _ expected: String) {
    func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    #expect(CommandWords.commandFirst(split(words)) == split(expected))
  }

  @Test("of long lists all but the first of each row are one word, and the words stay the same")
  func packed() {
    let plugins = (1...40).map { "p\($0).a" }
    #expect(PackedWords.pack(["check"] + plugins).count == 3)
    #expect(PackedWords.pack(["build"] + plugins) == ["build"] + plugins)
    let words = ["check", "a", "--app", "b"] + plugins + ["-v", "c", "--", "-ObjC"] + plugins
    #expect(PackedWords.pack(words).count == 9)
    #expect(Array(PackedWords.pack(words).prefix(4)) == ["check", "a", "--app", "b"])
    for words in [words, ["lint"] + plugins + ["--"], ["symbols", "-g", "a"] + plugins] {
      #expect(PackedWords.unpack(PackedWords.pack(words)) == words)
    }
  }

  @Test("however many settings there are, they are one word, as they were given")
  func packedSettings() {
    let settings = (1...40).map { "k\($0)=" + ($0 == 7 ? "" : "v -- --set=x") }
    let words = ["build"] + settings.enumerated().flatMap { $0 % 2 == 0 ? ["--set", $1] : ["-n", "--set=\($1)"] }
    let packed = PackedWords.pack(words + ["ios", "--set", "--", "--set", "a=b"])
    #expect(packed.first == "build" && packed.count == 27)
    let others = Array(repeating: "-n", count: 20) + ["ios", "--set", "--", "--set", "a=b"]
    #expect(Array(packed.dropFirst(2)) == others)
    #expect(PackedWords.unpack([String(packed[1].dropFirst("--set=".count))]) == settings)
  }

  /// The parser by itself takes more than a minute of the processor for so many.
  @Test(.timeLimit(.minutes(20))) func manySettings() async throws {
    let scratch = Scratch()
    try scratch.write(
      "npi.yml", "name: Demo\nversion: 1.0\nconfig: { k1: old }\ndeliverables: { c: { kind: config } }\n")
    let settings = (1...20_000).flatMap { ["--set", "k\($0)=v"] }
    let text = try await Tool.check(
      ["sh", "-c", "ulimit -t 20; exec \"$0\" \"$@\"", Scenario.binary.string, "config"] + settings + [
        "--set", "k2=last",
      ], in: scratch.path)
    #expect(
      text.split(separator: "\n").count == 20_002 && text.contains("\"k1\": \"v\"") && text.contains("\"k2\": \"last\"")
    )
  }
}
