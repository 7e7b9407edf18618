import ArgumentParser
import BuildEngine
import Findings
import Packaging

struct BuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", _superCommandName: NPIPack.name,
    abstract: "Build deliverables or steps; with no target, every deliverable.",
    discussion: """
      Example: npi-pack build ios -j 4

      SOURCE_DATE_EPOCH: \(dates)
      """)

  /// What `SOURCE_DATE_EPOCH` does.
  static let dates = """
    Seconds since 1970 (UTC) that date every entry of what is packed, in steps of two seconds and from 1980 on. Without it \
    they are dated 1980-01-01 00:00. The times of files count for nothing.
    """

  @Argument(help: ArgumentHelp("Steps, deliverables or their outputs.", valueName: "target")) var targets: [String] = []

  @OptionGroup var engine: EngineOptions
  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var findings: FindingOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let console = options.console
    let policy = try findings.policy()
    let project = try await manifest.project()
    let again = RunAgain(manifest, findings)
    let progress = ProgressLines(
      console, quiet: engine.quiet, verbose: engine.verbose, explain: engine.explain, again: again)
    defer { progress.finish() }
    let answer = findings.areOnlyShown ? engine.quiet ? "" : BuildSummary.nothingToDo : nil
    let result = try await cancelledBySignals(told: progress.interrupted) { [targets, engine] in
      try await project.build(
        targets, options: engine.build, policy: policy, progress: progress, answer: answer, waiting: console.waits)
    }
    let failureIsLast = progress.finish()
    let summary = BuildSummary(result, out: project.outFolder, quiet: engine.quiet).text
    if findings.takesOutput { Console.writeError(summary) } else { Console.writeOutput(summary) }
    try findings.show([AppReport(Report(result.findings))], onlyIfAny: true, console)
    if !engine.quiet {
      project.coverage(of: result, policy).forEach { console.note("npi-pack: \($0)") }
      let isLast = failureIsLast && summary.isEmpty && !result.hasFindingsOfOthers
      Console.writeError(FailureSummary(result, isLast: isLast, color: console.color, again).text)
    }
    if result.wasCancelled { console.note("npi-pack: interrupted") }
    let status = result.exitStatus(isQuestion: engine.question)
    if status != 0 { throw ExitCode(status) }
  }
}
