import ArgumentParser

struct BuildCommand: AsyncParsableCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", _superCommandName: NPIPack.name,
    abstract: "Build deliverables or steps; with no target, every deliverable.",
    discussion: """
      Example: npi-pack build ios -j 4

      SOURCE_DATE_EPOCH: \(dates)
      """)

  /// The help on `SOURCE_DATE_EPOCH`.
  static let dates = """
    Seconds since 1970 (UTC) that date every entry of what is packed, in steps of two seconds and from 1980 on. Without it \
    they are dated 1980-01-01 00:00. The times of files count for nothing.
    """

  @Argument(help: ArgumentHelp("Steps, deliverables or their outputs.", valueName: "target"), completion: .targets)
  var targets: [String] = []

  @OptionGroup var running: RunOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var findings: FindingOptions
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let run = BuildRun(
      targets: targets, engine: engine, running: running, manifest: manifest, findings: findings, remote: remote,
      console: options.console)
    let status = try await run.status()
    if status != 0 { throw ExitCode(status) }
  }
}
