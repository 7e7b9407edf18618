import SystemPackage
import Testing
import TestSupport

@testable import npi_pack

/// Which word of a command line is the command.
@Suite struct CommandWordsTests {
  @Test func optionsThatTakeTheNextWordAreThoseOfTheParser() {
    let options = CommandWords.Options(of: BuildCommand.self)
    for option in ["-j", "-C", "-f", "--set", "--trace", "--color", "-nC"] { #expect(options.takesNext(option)) }
    for option in ["-n", "-j4", "--set=a", "--watch", "--sandbox", "-q"] { #expect(!options.takesNext(option)) }
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

  @Test("a long list does not go through the parser, and the words stay the same")
  func longLists() throws {
    let plugins = (1...140).map { "p\($0).a" }
    #expect(LongLists(["a", "b"], of: CheckCommand.self) == nil)
    #expect(LongLists(plugins, of: BuildCommand.self)?.words == plugins)
    let words = ["a", "--app", "b"] + plugins + ["-v", "c", "--", "-ObjC"] + plugins
    #expect(LongLists(words, of: CheckCommand.self)?.words == ["--app", "b", "-v", "--", "a"])
    let check = try #require(NPIPack.parsed(["check"] + words) as? CheckCommand)
    #expect(check.paths == ["a"] + plugins + ["c", "-ObjC"] + plugins)
    #expect(check.verbose && check.check.app == ["b"])
    let symbols = try #require(NPIPack.parsed(["symbols", "-g", "a", "--arch", "arm64"] + plugins) as? SymbolsCommand)
    #expect(symbols.paths == ["a"] + plugins && symbols.externalOnly && symbols.arch == ["arm64"])
    let lint = try #require(NPIPack.parsed(["lint"] + plugins + ["--", "-x"]) as? LintCommand)
    #expect(lint.paths == plugins + ["-x"])
    #expect(throws: (any Error).self) { try NPIPack.parsed(["lint"] + Array(repeating: "--strict", count: 140)) }
    #expect(throws: (any Error).self) { try NPIPack.parsed(["check"] + plugins + ["--frob"]) }
  }

  @Test("however many settings there are, they are as they were given")
  func manySettingsStay() throws {
    let settings = (1...140).map { "k\($0)=" + ($0 == 7 ? "" : "v -- --set=x") }
    let words = settings.enumerated().flatMap { $0 % 2 == 0 ? ["--set", $1] : ["-k", "--set=\($1)"] }
    let build = try #require(
      NPIPack.parsed(["build", "-C", "d"] + words + ["ios", "--", "--set", "--set"]) as? BuildCommand)
    #expect(build.manifest.set == settings && build.manifest.directory == "d")
    #expect(build.targets == ["ios", "--set", "--set"] && build.engine.keepGoing)
    #expect(throws: (any Error).self) { try NPIPack.parsed(["build"] + words + ["--set"]) }
    #expect(throws: (any Error).self) { try NPIPack.parsed(["build"] + words + ["--set", "--quiet"]) }
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
