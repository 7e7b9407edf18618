import ArgumentParser
import Findings
import Packaging
import SystemPackage

struct LintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", _superCommandName: NPIPack.name,
    abstract: "Check finished deliverables, or a tree, against their host's rules.",
    discussion: "Example: npi-pack lint dist/RallyConnector-1.4.0-ios.zip --recipe mobilesmith")

  @Argument(help: ArgumentHelp("Deliverables, folders or release records.", valueName: "artifact"))
  var paths: [String]

  @Option(help: ArgumentHelp("The host's recipe; else the release record's or the manifest's.", valueName: "recipe"))
  var recipe: String?

  @Option(
    help: ArgumentHelp("The app that contains an extension: its folder, .app or Info.plist.", valueName: "path"))
  var app: String?

  @OptionGroup var findings: FindingOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let paths = PackedWords.unpack(paths)
    try findings.refuseOverwriting(paths)
    let outcome = try await Lint.run(
      paths.map { Project.shortened(FilePath($0)) }, recipe: recipe, app: app.map { FilePath($0) },
      policy: try findings.policy())
    var report = AppReport(outcome.report)
    report.coverage = outcome.coverage
    try findings.end(
      [report], hasErrors: outcome.report.hasErrors, outcome.mistakes,
      hasUnread: outcome.hasUnread, notes: outcome.notes, options.console)
  }
}
