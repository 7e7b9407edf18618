import ArgumentParser
import Check
import Findings
import Remote
import RemoteClients
import Remedies

struct CheckCommand: AsyncParsableCommand, ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: NPIPack.name,
    abstract: "Say what will collide when these plugins go into one app.",
    discussion: """
      Example: npi-pack check RallyConnector-1.4.0-ios.zip Scanner-2.0.1-ios.zip
      Many apps: npi-pack check --apps apps.yml
      A whole link: npi-pack check --closed-world --linker lld -- -ObjC main.o -force_load liba.a libb.a
      """)

  @Argument(
    help: ArgumentHelp(
      """
      Plugins in the order of the link: files, folders, release records; also lock files of package managers; after -- \
      a link line, or flags of it.
      """, valueName: "plugin"), completion: .file())
  var paths: [String] = []

  @Flag(name: .shortAndLong, help: "Show every finding, and every list to its end.")
  var verbose = false

  @OptionGroup var check: CheckOptions
  @OptionGroup var findings: FindingOptions
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var options: ConsoleOptions

  func validate() throws { if check.suggestFix { try findings.refuseOthers(than: "--suggest-fix", apps: check.apps) } }

  func run() async throws {
    guard findings.areRepeatable, !check.suggestFix else { return try await judge() }
    try await RecordedRun.run(judge)
  }

  private func judge() async throws {
    try findings.refuseOverwriting(paths + check.app + (check.apps.map { [$0] } ?? []))
    let policy = try findings.policy()
    let progress = CheckProgress(options.console)
    let remote = try RemoteSettings.resolved(remote.layer, client: RemoteClients.client)
    let outcome: CheckApps.Outcome
    var plan: FixPlan?
    do {
      defer { progress.end() }
      let apps = try check.checks(paths)
      outcome = try await apps.run(policy, remote: remote, told: progress.show)
      if check.suggestFix { plan = try await apps.plan(outcome, policy) }
    }
    if let plan { return try findings.end(plan, outcome.mistakes, notes: outcome.notes, options.console) }
    let reports = await outcome.reports(findings.detail(isWhole: verbose))
    try findings.end(
      reports, hasErrors: outcome.hasErrors, outcome.mistakes, notes: outcome.notes, options.console)
  }
}
