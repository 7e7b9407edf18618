import Findings
import Store
import Synchronization
import SystemPackage

/// One step of a run: finds out whether it is out of date and, if so, runs it.
struct StepRun: Sendable {
  let scheduler: Scheduler
  let options: BuildOptions
  let view: DiskView
  let resolver: InputResolver
  let state: StateFolder
  let undeclared: UndeclaredOutputs
  /// Nil: nothing is kept or brought back.
  let stored: ActionCache?
  let total: Int

  struct Done: Sendable {
    let index: Int
    let result: StepResult
    /// False: the build was stopped before it was its turn.
    var wasBegun = true
    /// What is to be remembered, if it has new outputs.
    var record: BuildRecord?
    /// What is to be remembered, if rules have refused them.
    var refusal: Refusal?
    /// Keeps the new outputs, while the next steps run.
    var keep: (@Sendable () -> Void)?
  }

  /// What is remembered of a step.
  struct Before: Sendable {
    var success: BuildRecord?
    var refusal: Refusal?
  }

  func run(_ index: Int, _ step: Step, _ before: Before, follows: String?, _ slot: JobSlot) async -> Done {
    let done = await run(index, step, before, follows: follows, in: slot)
    if case .failed = done.result.outcome { slot.end(stopping: !options.keepGoing) } else { slot.end() }
    return done
  }

  private func run(
    _ index: Int, _ step: Step, _ before: Before, follows: String?, in slot: JobSlot
  ) async -> Done {
    if let follows { return Done(index: index, result: StepResult(step, .wouldRun(.follows(follows)))) }
    do {
      let look = try await look(index, step, before.success)
      let (declared, inputs, programs) = look.key
      guard let reason = look.reason else {
        let (findings, coverage) = (before.success?.findings ?? [], before.success?.coverage ?? Coverage())
        return Done(index: index, result: StepResult(step, .upToDate, findings: findings, coverage: coverage))
      }
      if !options.force, let refusal = before.refusal, refusal.key == declared.digest {
        // In its turn, as it was refused.
        if options.mode == .build { try await slot.begin() }
        return failed(index, step, refusal.failure, duration: .zero)
      }
      guard options.mode == .build else { return Done(index: index, result: StepResult(step, .wouldRun(reason))) }
      if !options.force, let done = try await restored(index, step, declared, reason, slot) { return done }
      let stopwatch = Stopwatch()
      defer { stopwatch.span?.end([("summary", step.summary), ("reason", reason.description)]) }
      var slot = slot
      slot.begun = {
        stopwatch.start(options.trace?.begin(step.name, "step"))
        scheduler.progress.started(step, of: total, because: reason)
      }
      if step.action.programs.isEmpty { try await slot.begin() }
      let context = ActionContext(
        disk: scheduler.disk, inputs: inputs, outputs: step.outputs, programs: programs,
        runner: scheduler.runner, slot: slot, host: scheduler.host,
        advance: { scheduler.progress.advanced(step, done: $0, of: $1) }, span: stopwatch.span,
        sandbox: options.sandbox.map { ($0, state.aside.appending("\(index)-tree")) })
      do {
        let made = try await make(step, index, context)
        slot.end()
        let report = made.report
        for (path, digest) in report.digests { view.learn(digest, of: path) }
        let discovered = try resolver.resolve(made.discovered, of: step)
        let hashing = stopwatch.span?.begin("hash outputs", "hash")
        let outputs = try outputs(of: step, output: report.output)
        hashing?.end()
        var notes = report.notes + made.notes
        if options.tellsUndeclared, let command = step.action as? CommandAction {
          let discovered = made.discovered.paths
          let note = command.undeclared(context, discovered: discovered, output: report.output)
          if let note { notes.append(note) }
        }
        let changed = try made.changes.changed(discovered, isMade: { isMade($0, before: index) })
        if let changed {
          notes.append("'\(changed)' was changed while '\(step.name)' ran, so that it runs again the next time")
        }
        let result = StepResult(
          step, .ran(reason), notes: notes, findings: report.findings, coverage: report.coverage,
          output: report.output, duration: stopwatch.time)
        var done = Done(index: index, result: result)
        if changed == nil {
          let key = declared.adding(discovered)
          let diagnostics = StepDiagnostics(
            notes: report.notes, findings: report.findings, coverage: report.coverage)
          let record = self.record(
            result, declared, key, made.discovered, outputs.map(InputResolver.digest), because: reason)
          done.record = record
          if let stored {
            done.keep = {
              let span = options.trace?.begin("keep \(step.name)", "store")
              stored.keep(outputs, diagnostics, of: step, record)
              span?.end()
            }
          }
        }
        return done
      } catch {
        var done = failed(index, step, error, duration: stopwatch.time)
        if let failure = done.result.failure, failure.isRefusal {
          done.refusal = Refusal(
            step: step.name, key: declared.digest, message: failure.message, findings: failure.findings,
            coverage: failure.coverage)
        }
        return done
      }
    } catch let failure as StepFailure where options.mode == .dryRun && failure.missingProgram != nil {
      return Done(index: index, result: StepResult(step, .wouldRun(.programMissing(failure.missingProgram ?? ""))))
    } catch {
      // In its turn, as it would have run: those before it still run, and those after it do not.
      do { try await slot.begin() } catch let stopped { return failed(index, step, stopped, duration: .zero) }
      return failed(index, step, error, duration: .zero)
    }
  }

  /// What the step depends on, as it is now, and whether it has to run.
  private func look(
    _ index: Int, _ step: Step, _ record: BuildRecord?
  ) async throws -> (key: (ActionKey, inputs: [[ResolvedInput]], programs: [FilePath]), reason: Reason?) {
    let span = options.trace?.begin("look at \(step.name)", "hash")
    defer { span?.end() }
    try await resolver.digestInParallel(step)
    let key = try key(of: step)
    return (key, try reasonToRun(index, step, key.0, record))
  }

  /// Nil if nothing is kept for what is there now, or not all of it could be brought back.
  private func restored(
    _ index: Int, _ step: Step, _ declared: ActionKey, _ reason: Reason, _ slot: JobSlot
  ) async throws -> Done? {
    guard let stored,
      let found = stored.find(step, declared, isUsable: { !discovery.isDisordered($0, index) })
    else { return nil }
    try await slot.begin()
    scheduler.progress.restoring(step, of: total, because: reason)
    let span = options.trace?.begin("restore \(step.name)", "store")
    defer { span?.end() }
    guard try await stored.restore(found, of: step, name: "\(index)") else { return nil }
    let diagnostics = found.result.diagnostics
    let result = StepResult(
      step, .restored(reason), notes: diagnostics.notes, findings: diagnostics.findings,
      coverage: diagnostics.coverage)
    var record = self.record(result, declared, found.key, found.discovered, found.digests, because: reason)
    record.wasRestored = true
    return Done(index: index, result: result, record: record)
  }

  private func record(
    _ result: StepResult, _ declared: ActionKey, _ key: ActionKey, _ discovered: Discovered, _ digests: [Digest],
    because reason: Reason
  ) -> BuildRecord {
    var record = BuildRecord(
      step: result.step.name, declared: declared.digest, discovered: discovered, key: key.digest,
      outputs: zip(result.step.outputs, digests).map { ($0, $1) }, reason: reason.description,
      findings: result.findings, coverage: result.coverage)
    record.lines = key.lines
    return record
  }

  private func key(of step: Step) throws -> (ActionKey, inputs: [[ResolvedInput]], programs: [FilePath]) {
    let inputs = try resolver.resolve(step)
    let search = ProgramSearch(view: view, host: scheduler.host)
    var paths: [FilePath] = []
    var programs: [(word: String, digest: Digest)] = []
    for program in step.action.programs {
      let path = try search.find(program)
      // Relative to the root where it lies in the tree: then a step may make it, and what is known of it is forgotten.
      programs.append((program.word, try view.digest(program.pathInTree ?? path)))
      paths.append(path)
    }
    let material = KeyMaterial(
      tool: scheduler.fingerprint, action: step.action, programs: programs, inputs: inputs, outputs: step.outputs)
    return (ActionKey(material), inputs, paths)
  }

  private func reasonToRun(
    _ index: Int, _ step: Step, _ declared: ActionKey, _ record: BuildRecord?
  ) throws -> Reason? {
    if options.force { return .forced }
    guard let record else { return .neverRan }
    guard record.declared == declared.digest else {
      return .changed(KeyChange(from: record.lines.filter { !$0.hasPrefix("discovered") }, to: declared.lines))
    }
    guard !discovery.isDisordered(record.discovered, index),
      // What cannot be read any more is a change, too.
      let discovered = try? resolver.resolve(record.discovered, of: step)
    else { return .changed(nil) }
    let key = declared.adding(discovered)
    guard key.digest == record.key else { return .changed(KeyChange(from: record.lines, to: key.lines)) }
    for output in record.outputs {
      guard let digest = try resolver.outputDigest(output.path) else { return .outputMissing(output.path) }
      if digest != output.digest { return .outputChanged(output.path) }
    }
    return nil
  }

  private var discovery: Discovery { Discovery(graph: scheduler.graph, disk: scheduler.disk) }

  private func isMade(_ path: FilePath, before index: Int) -> Bool {
    scheduler.graph.outputs.touching(path).contains { scheduler.graph.isOrdered(index, after: $0) }
  }

  private struct Made {
    let report: ActionReport
    let discovered: Discovered
    let changes: InputChanges
    let notes: [String]
  }

  /// Runs the action, so that afterwards there are new outputs or the old ones or none, but nothing half-made.
  private func make(_ step: Step, _ index: Int, _ context: ActionContext) async throws -> Made {
    let disk = scheduler.disk
    let places = step.outputs.map(context.absolute)
    defer { view.forget(step.outputs) }
    for place in places { try disk.makeFolders(place.removingLastComponent()) }
    let changes = try InputChanges(
      context.inputs, programs: context.programs, view: view,
      began: step.action.discovers ? try await view.time(state.aside.appending("\(index)-begin")) : nil)
    let clean = step.action.startsClean
    let aside = try AsideOutputs(clean ? places : [], in: state.aside, name: "\(index)", disk: disk)
    let before = try clean ? [] : places.map(stamps)
    // What it cannot have left is somebody else's.
    let isApart = (step.action as? CommandAction)?.isApart(context) ?? false
    let beginning = isApart ? nil : undeclared.begin(step)
    do {
      let report: ActionReport
      do { report = try await step.action.run(context) } catch {
        if let beginning { _ = undeclared.end(step, beginning, inputs: context.inputs, failed: true) }
        throw error
      }
      let note = beginning.flatMap { undeclared.end(step, $0, inputs: context.inputs, failed: false) }
      for place in places where try disk.status(place, followingLinks: false) == nil {
        throw notMade(step, report)
      }
      let discovered = try discovered(by: report, index, context)
      try aside.drop()
      return Made(report: report, discovered: discovered, changes: changes, notes: note.map { [$0] } ?? [])
    } catch {
      for (position, place) in places.enumerated() {
        // An output that was not touched is the old one, whole.
        if !clean, let now = try? stamps(place), now == before[position] { continue }
        try? disk.remove(place)
      }
      try? aside.putBack()
      guard var failure = error as? StepFailure, failure.isRefusal else { throw error }
      // What was refused is not what is there now.
      if (try? changes.changed([], isMade: { _ in false })) != .some(nil) { failure.isRefusal = false }
      throw failure
    }
  }

  private func discovered(
    by report: ActionReport, _ index: Int, _ context: ActionContext
  ) throws -> Discovered {
    do {
      return try discovery.paths(report.discovered, of: index, declared: context.inputs)
    } catch var failure as StepFailure {
      failure.output = report.output
      throw failure
    }
  }

  private func notMade(_ step: Step, _ report: ActionReport) -> StepFailure {
    let missing = step.outputs.filter { output in
      (try? scheduler.disk.status(view.absolute(output), followingLinks: false)) == nil
    }
    let names = missing.map { "'\($0)'" }.joined(separator: ", ")
    return StepFailure(
      "it ended well but did not make \(names)",
      hint: "correct the step's outputs, or what it runs", findings: report.findings, output: report.output)
  }

  private func outputs(of step: Step, output: [UInt8]) throws -> [[ResolvedInput]] {
    try step.outputs.map { path in
      guard let entries = try resolver.outputEntries(path) else {
        throw StepFailure("its output '\(path)' has vanished", output: output)
      }
      return entries
    }
  }

  /// What the system says of a thing and all that is below it; nobody can change a file and leave this as it was.
  private func stamps(_ path: FilePath) throws(FileError) -> [FilePath: FileStamp] {
    var stamps: [FilePath: FileStamp] = [:]
    var open = [path]
    while let path = open.popLast() {
      guard let status = try scheduler.disk.status(path, followingLinks: false) else { continue }
      stamps[path] = status
      if status.kind == .directory { for name in try scheduler.disk.list(path) { open.append(path.appending(name)) } }
    }
    return stamps
  }
}

/// How long a step has run; nothing, if it has not begun.
private final class Stopwatch: Sendable {
  private let began = Mutex<(time: ContinuousClock.Instant, span: Trace.Span?)?>(nil)

  func start(_ span: Trace.Span?) { began.withLock { $0 = (ContinuousClock().now, span) } }

  var time: Duration { began.withLock { $0?.time.duration(to: ContinuousClock().now) } ?? .zero }

  /// The step in a trace, while it runs.
  var span: Trace.Span? { began.withLock { $0?.span } }
}
