import ArgumentParser
import Findings
import Packaging
import Remote
import RemoteClients
import SystemPackage

struct LintCommand: AsyncParsableCommand, ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", _superCommandName: NPIPack.name,
    abstract: "Check finished deliverables, or a tree, against their host's rules.",
    discussion: "Example: npi-pack lint dist/RallyConnector-1.4.0-ios.zip --recipe mobilesmith")

  @Argument(help: ArgumentHelp("Deliverables, folders or release records.", valueName: "artifact"), completion: .file())
  var paths: [String]

  @Option(
    help: ArgumentHelp("The host's recipe; else the release record's or the manifest's.", valueName: "recipe"),
    completion: .recipes)
  var recipe: String?

  @Option(
    help: ArgumentHelp("The app that contains an extension: its folder, .app or Info.plist.", valueName: "path"),
    completion: .file())
  var app: String?

  @OptionGroup var findings: FindingOptions
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    guard findings.areRepeatable else { return try await judge() }
    try await RecordedRun.run(judge)
  }

  private func judge() async throws {
    try findings.refuseOverwriting(paths)
    let outcome = try await Lint.run(
      paths.map { Project.shortened(FilePath($0)) }, recipe: recipe, app: app.map { FilePath($0) },
      policy: try findings.policy(), remote: try RemoteSettings.resolved(remote.layer, client: RemoteClients.client))
    var report = AppReport(outcome.report)
    report.coverage = outcome.coverage
    try findings.end(
      [report], hasErrors: report.report.hasErrors, outcome.mistakes,
      hasUnread: outcome.hasUnread, notes: outcome.notes, options.console)
  }
}
