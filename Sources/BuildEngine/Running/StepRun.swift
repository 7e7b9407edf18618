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
  /// If nil, outputs are neither kept nor restored.
  let stored: ActionCache?
  let total: Int

  struct Done: Sendable {
    let index: Int
    let result: StepResult
    /// False if the build was stopped before the step's turn.
    var wasBegun = true
    /// The record for the log, if the step has new outputs.
    var record: BuildRecord?
    /// The record for the log, if rules have refused the outputs.
    var refusal: Refusal?
    /// Keeps the new outputs, while the next steps run.
    var keep: (@Sendable () async -> Void)?
  }

  struct Before: Sendable {
    var success: BuildRecord?
    var refusal: Refusal?
  }

  func run(_ index: Int, _ step: Step, _ before: Before, follows: String?, _ slot: JobSlot) async -> Done {
    let done = await run(index, step, before, follows: follows, in: slot)
    if case .failed = done.result.outcome { slot.end(stopping: !options.keepGoing) } else { slot.end() }
    return done
  }

  /// The current state of what a step depends on.
  struct Look {
    let key: ActionKey
    let inputs: [[ResolvedInput]]
    let programs: [FilePath]
  }

  private enum StepState {
    case unknown
    /// The store may have its outputs.
    case outdated(Look, Reason)
    /// Its action has to run.
    case ready(Look, Reason)
    case done(Done)
  }

  private func run(
    _ index: Int, _ step: Step, _ before: Before, follows: String?, in slot: JobSlot
  ) async -> Done {
    if let follows { return Done(index: index, result: StepResult(step, .wouldRun(.follows(follows)))) }
    var state = StepState.unknown
    do {
      while true {
        switch state {
        case .unknown: state = try await look(index, step, before, slot)
        case .outdated(let look, let reason):
          var found = options.force ? nil : try await restored(index, step, look.key, reason, slot)
          if found == nil, let made = try await made(byWorkers: step, look) {
            found = try await restored(index, step, look.key, reason, slot, made: made)
          }
          state = found.map { .done($0) } ?? .ready(look, reason)
        case .ready(let look, let reason): state = .done(try await ran(index, step, look, reason, slot))
        case .done(let done): return done
        }
      }
    } catch let failure as StepFailure where options.mode == .dryRun && failure.missingProgram != nil {
      return Done(index: index, result: StepResult(step, .wouldRun(.programMissing(failure.missingProgram ?? ""))))
    } catch {
      // The failure waits for its turn: the steps before it still run, and those after it do not.
      do { try await slot.begin() } catch let stopped { return failed(index, step, stopped, duration: .zero) }
      return failed(index, step, error, duration: .zero)
    }
  }

  private func look(_ index: Int, _ step: Step, _ before: Before, _ slot: JobSlot) async throws -> StepState {
    let span = options.trace?.begin("look at \(step.name)", "hash")
    defer { span?.end() }
    try await resolver.digestInParallel(step)
    let look = try look(at: step)
    guard let reason = try reasonToRun(index, step, look.key, before.success) else {
      let outputs = options.isVerbose ? try step.outputs.compactMap(resolver.outputEntries) : []
      let (findings, coverage) = (before.success?.findings ?? [], before.success?.coverage ?? Coverage())
      let result = StepResult(
        step, .upToDate, findings: findings, coverage: coverage, files: outputs.compactMap(MadeOutput.init))
      return .done(Done(index: index, result: result))
    }
    if !options.force, let refusal = before.refusal, refusal.key == look.key.digest {
      if options.mode == .build { try await slot.begin() }
      return .done(failed(index, step, refusal.failure, duration: .zero))
    }
    guard options.mode == .build else {
      return .done(Done(index: index, result: StepResult(step, .wouldRun(reason))))
    }
    return .outdated(look, reason)
  }

  private func ran(
    _ index: Int, _ step: Step, _ look: Look, _ reason: Reason, _ slot: JobSlot
  ) async throws -> Done {
    let stopwatch = Stopwatch()
    defer { stopwatch.span?.end([("summary", step.summary), ("reason", reason.description)]) }
    var slot = slot
    slot.begun = {
      stopwatch.start(options.trace?.begin(step.name, "step"))
      scheduler.progress.started(step, of: total, because: reason)
    }
    if step.action.programs.isEmpty { try await slot.begin() }
    let context = ActionContext(
      disk: scheduler.disk, inputs: look.inputs, outputs: step.outputs, programs: look.programs,
      runner: scheduler.runner, slot: slot, host: scheduler.host,
      advance: { scheduler.progress.advanced(step, done: $0, of: $1) }, span: stopwatch.span,
      sandbox: options.sandbox.map { ($0, state.aside.appending("\(index)-tree")) })
    do {
      let made = try await make(step, index, context)
      slot.end()
      return try done(index, step, made, look.key, context, reason, stopwatch)
    } catch {
      var done = failed(index, step, error, duration: stopwatch.time)
      if let failure = done.result.failure, failure.isRefusal {
        done.refusal = Refusal(
          step: step.name, key: look.key.digest, message: failure.message, findings: failure.findings,
          coverage: failure.coverage)
      }
      return done
    }
  }

  private func done(
    _ index: Int, _ step: Step, _ made: Made, _ declared: ActionKey, _ context: ActionContext, _ reason: Reason,
    _ stopwatch: Stopwatch
  ) throws -> Done {
    let report = made.report
    for (path, digest) in report.digests { view.learn(digest, of: path) }
    let discovered = try resolver.resolve(made.discovered, of: step)
    let hashing = stopwatch.span?.begin("hash outputs", "hash")
    let outputs = try outputs(of: step, output: report.output)
    hashing?.end()
    var notes = report.notes + made.notes
    if options.isVerbose, let command = step.action as? CommandAction,
      let note = command.undeclared(context, discovered: made.discovered.paths, output: report.output)
    {
      notes.append(note)
    }
    let isShared = step.action.isShared(context)
    if options.isVerbose, !isShared, stored?.store.gives == true {
      notes.append("the remote cache does not get its outputs: its command may read what the step does not declare")
    }
    let changed = try made.changes.changed(discovered, isMade: { isMade($0, before: index) })
    if let changed {
      notes.append("'\(changed)' was changed while '\(step.name)' ran, so that it runs again the next time")
    }
    let result = StepResult(
      step, .ran(reason), notes: notes, findings: report.findings, coverage: report.coverage,
      output: report.output, duration: stopwatch.time, files: outputs.compactMap(MadeOutput.init))
    guard changed == nil else { return Done(index: index, result: result) }
    let digests = outputs.map(InputResolver.digest)
    let record = record(result, declared, declared.adding(discovered), made.discovered, digests, because: reason)
    var done = Done(index: index, result: result, record: record)
    if let stored {
      let diagnostics = StepDiagnostics(
        notes: report.notes, findings: report.findings, coverage: report.coverage)
      done.keep = {
        let span = options.trace?.begin("keep \(step.name)", "store")
        await stored.keep(outputs, diagnostics, of: step, record, isShared: isShared)
        span?.end()
      }
    }
    return done
  }

  /// Nil if the step has to run here.
  private func made(byWorkers step: Step, _ look: Look) async throws -> StoredRecord? {
    guard let workers = scheduler.workers, !options.force else { return nil }
    do throws(NotByWorkers) {
      return try await workers.carryOut(
        step, look.key, look.inputs, isSandboxed: options.sandbox != nil, begun: { scheduler.progress.isAway(step) })
    } catch {
      switch error {
      case .kept(let reason): if let reason { scheduler.progress.isKeptHere(step, because: reason) }
      case .failed(let error): throw error
      }
      return nil
    }
  }

  /// Nil if the store has no result for the current inputs, or not all of it could be restored.
  private func restored(
    _ index: Int, _ step: Step, _ declared: ActionKey, _ reason: Reason, _ slot: JobSlot, made: StoredRecord? = nil
  ) async throws -> Done? {
    guard let stored,
      let found = try await stored.find(
        step, declared, made: made, isUsable: { !discovery.isDisordered($0, index) },
        advance: { scheduler.progress.fetching(step, done: $0, of: $1) })
    else { return nil }
    try await slot.begin()
    scheduler.progress.restoring(step, of: total, because: reason, from: found.origin?.name)
    let span = options.trace?.begin("restore \(step.name)", "store")
    defer { span?.end() }
    guard try await stored.restore(found, of: step, name: "\(index)") else { return nil }
    let diagnostics = found.result.diagnostics
    let result = StepResult(
      step, .restored(reason), notes: diagnostics.notes, findings: diagnostics.findings,
      coverage: diagnostics.coverage, files: found.result.outputs.compactMap(MadeOutput.init))
    var record = self.record(result, declared, found.key, found.discovered, found.digests, because: reason)
    record.wasRestored = true
    record.origin = found.origin?.text
    var done = Done(index: index, result: result, record: record)
    if made != nil { done.keep = { await stored.share(found) } }
    return done
  }

  private func record(
    _ result: StepResult, _ declared: ActionKey, _ key: ActionKey, _ discovered: Discovered, _ digests: [Digest],
    because reason: Reason
  ) -> BuildRecord {
    var record = BuildRecord(
      step: result.step.name, declared: declared.digest, discovered: discovered, key: key.digest,
      outputs: zip(result.step.outputs, digests).map { BuildRecord.Output(path: $0, digest: $1) },
      reason: reason.description,
      findings: result.findings, coverage: result.coverage)
    record.lines = key.lines
    return record
  }

  private func look(at step: Step) throws -> Look {
    let inputs = try resolver.resolve(step)
    let search = ProgramSearch(view: view, host: scheduler.host)
    var paths: [FilePath] = []
    var programs: [(word: String, digest: Digest)] = []
    for program in step.action.programs {
      let path = try search.find(program)
      // A program in the tree is looked up relative to the root, so that the view forgets it when a step makes it.
      programs.append((program.word, try view.digest(program.pathInTree ?? path)))
      paths.append(path)
    }
    let material = KeyMaterial(
      tool: scheduler.fingerprint, action: step.action, programs: programs, inputs: inputs, outputs: step.outputs)
    return Look(key: ActionKey(material), inputs: inputs, programs: paths)
  }

  private func reasonToRun(
    _ index: Int, _ step: Step, _ declared: ActionKey, _ record: BuildRecord?
  ) throws -> Reason? {
    if options.force { return .forced }
    guard let record else { return .neverRan }
    guard record.declared == declared.digest else {
      return .changed(KeyChange(from: record.lines.filter { !$0.isDiscovered }, to: declared.lines))
    }
    guard !discovery.isDisordered(record.discovered, index),
      // A discovered file that cannot be read any more counts as changed.
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

  var discovery: Discovery { Discovery(graph: scheduler.graph, disk: scheduler.disk) }

  private func isMade(_ path: FilePath, before index: Int) -> Bool {
    scheduler.graph.outputs.touching(path).contains { scheduler.graph.isOrdered(index, after: $0) }
  }
}

/// Measures how long a step runs; zero if it has not begun.
private final class Stopwatch: Sendable {
  private let began = Mutex<(time: ContinuousClock.Instant, span: Trace.Span?)?>(nil)

  func start(_ span: Trace.Span?) { began.withLock { $0 = (ContinuousClock().now, span) } }

  var time: Duration { began.withLock { $0?.time.duration(to: ContinuousClock().now) } ?? .zero }

  var span: Trace.Span? { began.withLock { $0?.span } }
}
