import ArgumentParser

struct BuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", _superCommandName: NPIPack.name,
    abstract: "Build deliverables or steps; with no target, every deliverable.",
    discussion: "Example: npi-pack build ios -j 4")

  @Argument(help: "Steps, deliverables or their outputs.") var targets: [String] = []

  @OptionGroup var engine: EngineOptions
  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var findings: FindingOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let status = try await BuildRun(targets, engine, manifest, findings, options.console).status()
    if status != 0 { throw ExitCode(status) }
  }
}
