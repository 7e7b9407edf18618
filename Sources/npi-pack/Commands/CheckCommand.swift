import ArgumentParser
import Collisions
import Findings
import Packaging
import SystemPackage

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say what will collide when these plugins go into one app.",
    discussion: """
      Example: npi-pack check RallyConnector-1.4.0-ios.zip Scanner-2.0.1-ios.zip
      A whole link: npi-pack check --closed-world --linker lld -- -ObjC main.o -force_load liba.a libb.a
      """)

  @Argument(
    help: ArgumentHelp(
      "Plugins in the order of the link: files, folders, release records; after -- a link line, or flags of it.",
      valueName: "plugin"))
  var arguments: [String] = []

  @Option(help: "Whose verdict.") var linker = LinkerName.ldPrime
  @Flag(help: "The files and flags given are the whole link.") var closedWorld = false
  @Option(help: "What is linked; it decides what is live.") var outputKind = OutputKind.executable
  @Option(help: ArgumentHelp("Libraries of the app itself; they come first.", valueName: "plugin")) var app: [String] =
    []

  @OptionGroup var findings: FindingOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    var check = Check()
    // The parser makes no difference between what stands before and after `--`.
    let words = CommandLine.arguments.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
    check.words = words.first.map(Array.init)
    check.plugins = PackedWords.unpack(arguments).dropLast(words.first?.count ?? 0).map { FilePath($0) }
    check.apps = app.map { FilePath($0) }
    check.linker = linker.profile
    check.isClosed = closedWorld
    check.isDylib = outputKind == .dylib
    let outcome = try await check.run(try findings.policy())
    for note in outcome.notes { options.console.note(note) }
    options.console.show(Mistakes(outcome.mistakes))
    let report = outcome.report.grouped
    try findings.show(
      report, each: { outcome.report.each }, json: { outcome.report.json }, onlyIfAny: !outcome.mistakes.isEmpty,
      options.console)
    if !outcome.mistakes.isEmpty { throw ExitCode(2) }
    if report.hasErrors, findings.writeBaseline == nil { throw ExitCode(1) }
  }
}
