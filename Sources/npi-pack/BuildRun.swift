import Artifacts
import BuildEngine
import Findings
import Packaging
import RemoteClients
import Rules
import SystemPackage
import Synchronization

/// `build`, once or after each change.
struct BuildRun: Sendable {
  let targets: [String]
  let engine: EngineOptions
  let running: RunOptions
  let manifest: ManifestOptions
  let findings: FindingOptions
  let remote: RemoteOptions
  let console: Console
  /// Whether nothing is used that earlier builds left.
  var isFresh = false
  /// The lines on the screen, where a signal is shown.
  let shown = Shown()

  final class Shown: Sendable { let lines = Mutex<ProgressLines?>(nil) }

  /// Returns the exit status. Signals end the build, or the watch.
  func status() async throws -> Int32 {
    try await EndingSignals.cancelling(told: { [shown] in shown.lines.withLock { $0 }?.interrupted() }) {
      try await engine.watch ? self.watch() : self.once()
    }
  }

  private func once() async throws -> Int32 {
    if let file = running.trace { try Project.refuseTrace(FilePath(file)) }
    // -n and -q run no rules, and an empty report would say that the rules found nothing.
    if engine.dryRun || engine.question, !isPlan, findings.givesReport {
      throw Mistakes(
        "\(engine.question ? "-q" : "-n") judges nothing: there is nothing to report",
        hint: "-n --format json prints the plan")
    }
    let policy = try findings.policy()
    let project = try await manifest.project()
    try findings.refuseOverwriting([manifest.options.manifestPath.string] + manifest.config)
    let again = RunAgain(manifest, findings)
    let progress = ProgressLines(
      console, quiet: running.quiet, verbose: running.verbose, explain: running.explain, again: again)
    shown.lines.withLock { $0 = progress }
    defer { progress.finish() }
    var options = engine.build(running)
    options.isFresh = isFresh
    if running.trace != nil { options.trace = Trace() }
    options.sandbox = try project.sandbox(running.sandbox, options) {
      if running.verbose { console.note("npi-pack: \($0)") }
    }
    // An answer is stored only for a command line that writes nothing else.
    let isPlain = findings.areOnlyShown && running.trace == nil && !engine.watch && !running.verbose
    let answer = isPlain ? running.quiet ? "" : BuildSummary.nothingToDo : nil
    let result = try await project.build(
      targets, options: options, policy: policy, progress: progress, answer: answer,
      remote: isFresh ? nil : try project.remote(remote.layer, client: RemoteClients.client), waiting: console.waits)
    let failureIsLast = progress.finish()
    try show(result, project, policy, failureIsLast: failureIsLast, again)
    if result.wasCancelled { console.note("npi-pack: interrupted") }
    if let file = running.trace, let trace = options.trace { try Project.write(trace.text, to: FilePath(file)) }
    return result.exitStatus(isQuestion: engine.question)
  }

  /// Whether the output is the plan of what would run.
  private var isPlan: Bool { engine.dryRun && !engine.question && findings.isJSON && findings.writeBaseline == nil }

  private func show(
    _ result: BuildResult, _ project: Project, _ policy: FindingPolicy, failureIsLast: Bool, _ again: RunAgain
  ) throws {
    let summary = BuildSummary(result, out: project.outFolder, quiet: running.quiet, verbose: running.verbose).text
    var report = AppReport(Report(result.findings))
    report.coverage = result.coverage
    if isPlan {
      try findings.show(text: try project.plan(result))
    } else {
      if findings.takesOutput { Console.writeError(summary) } else { Console.writeOutput(summary) }
      let base = FilePath(manifest.directory).pushing(project.outFolder).lexicallyNormalized().string
      try findings.show([report], result.mistakes, base: base, onlyIfAny: true, console)
    }
    guard !running.quiet else { return }
    if isPlan || !findings.showsText([report], onlyIfAny: true) {
      result.newCoverage.linesOfHosts.forEach { console.note("npi-pack: \($0)") }
    }
    let isLast = failureIsLast && (summary.isEmpty || isPlan) && !result.hasFindingsOfOthers
    Console.writeError(FailureSummary(result, isLast: isLast, color: console.color, again).text)
  }

  // MARK: Watching

  /// Ends when the task is cancelled.
  private func watch() async throws -> Int32 {
    let options = manifest.options
    let watcher: Watcher
    do { watcher = try Watcher() } catch { throw Mistakes(from: error) }
    var status: Int32 = 0
    var known = WatchedFiles()
    while !Task.isCancelled {
      // Files are watched first and then examined, so that no change in between is missed.
      try watcher.watch(await watched())
      var before = await watched()
      before.keep(known)
      do {
        status = try await once()
      } catch let mistakes as Mistakes {
        console.show(mistakes)
        status = 2
      }
      if Task.isCancelled { break }
      // Files that the build has discovered are added as they were when it read them.
      before.add(await watched())
      known = before
      let count = before.files.values.count { $0 != nil }
      note("npi-pack: watching \(counted(count, "file")); Ctrl-C ends it")
      guard let changes = try await watcher.changes(since: before, watched) else { break }
      note("npi-pack: changed: \(Project.text(of: changes, in: options.directory))")
    }
    return status
  }

  /// A mistake in the manifest does not end the watch, which goes on until it is corrected.
  private func watched() async -> WatchedFiles {
    var watched: WatchedFiles
    do {
      let project = try await manifest.project()
      watched = Project.watched(manifest.options, nil)
      watched.add(try project.watched(targets, try findings.policy()))
    } catch {
      watched = Project.watched(manifest.options, error)
    }
    return watched
  }

  private func note(_ text: String) {
    if !running.quiet { console.note(text) }
  }
}
