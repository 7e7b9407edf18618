import Findings
import HeapModule
package import Store
import SystemPackage

/// Runs the steps of a graph that are out of date, in an order in which each comes after all that it needs.
package struct Scheduler: Sendable {
  package let graph: Graph
  package let disk: any Disk
  package let runner: any CommandRunner
  package let host: HostEnvironment
  /// The seal on what is remembered in the tree.
  package let seal: Seal
  /// Identifies this very build of the tool; part of every key.
  package let fingerprint: [UInt8]
  package let progress: any Progress
  /// The state of earlier runs; if nil, every file is read.
  package let memory: TreeState?
  /// If nil, outputs are neither kept nor restored.
  package let store: (any OutputStore)?
  /// Nil if every step runs here.
  package let workers: (any StepWorkers)?

  package init(
    graph: Graph, disk: any Disk, runner: any CommandRunner, host: HostEnvironment, seal: Seal, fingerprint: [UInt8],
    progress: any Progress = NoProgress(), memory: TreeState? = nil, store: (any OutputStore)? = nil,
    workers: (any StepWorkers)? = nil
  ) {
    self.graph = graph
    self.disk = disk
    self.runner = runner
    self.host = host
    self.seal = seal
    self.fingerprint = fingerprint
    self.progress = progress
    self.memory = memory
    self.store = store
    self.workers = workers
  }

  /// Brings the targets (names of steps, paths of outputs; none: all) up to date. Failed steps are in the result.
  /// Throws `Mistakes` before anything has run if a target or an input is missing, or a `FileError` about its state.
  package func run(_ targets: [String] = [], options: BuildOptions = BuildOptions()) async throws -> BuildResult {
    let selection = try graph.selection(targets)
    memory?.begin()
    let view = DiskView(disk, memory: memory)
    let resolver = InputResolver(view: view, hidden: graph.hidden)
    try InputCheck(graph: graph, resolver: resolver).check(selection)
    try OutputCheck(graph: graph, view: view).check(selection)
    let state = StateFolder(disk)
    if options.mode == .build { try state.prepare() } else { try state.check() }
    var log = try BuildLog(state.log, seal: seal, disk: disk)
    if log.isForeign {
      progress.note(
        "what \(Graph.stateFolder) says of earlier builds counts as absent: it was not written by this user in this folder"
      )
    }
    if options.mode == .build, let note = try strangers(selection, log, view) { progress.note(note) }
    let runs = StepRun(
      scheduler: self, options: options, view: view, resolver: resolver, state: state,
      undeclared: UndeclaredOutputs(graph: graph, disk: disk),
      stored: options.mode == .build ? store.map { ActionCache(store: $0, resolver: resolver, state: state) } : nil,
      total: selection.count)

    defer {
      runner.finish()
      // These are caches, so a failure to write them is ignored.
      try? memory?.save()
      if options.mode == .build { try? store?.flush() }
    }
    let result = try await run(selection, runs, &log)
    // The kept answer has no findings, and those must be shown each time.
    if result.nothingToDo, result.findings.isEmpty { try? memory?.conclude(view) }
    return result
  }

  private func run(_ selection: [Int], _ runs: StepRun, _ log: inout BuildLog) async throws -> BuildResult {
    let options = runs.options
    var queue = StepQueue(graph, selection)
    let slots = JobSlots(atOnce: options.jobs)
    let takenUp = runs.stored?.store.isDistant == true ? max(options.takenUp, BuildOptions.lookUps) : options.takenUp
    try await withThrowingTaskGroup(of: StepRun.Done?.self) { group in
      var running = 0
      while true {
        if Task.isCancelled { queue.stop(.cancelled) }
        while running < takenUp, let index = queue.next() {
          let step = graph.steps[index]
          let before = StepRun.Before(success: log[step.name], refusal: log.refusal(of: step.name))
          let follows = queue.follows(index)
          let slot = slots.takeUp()
          group.addTask { await runs.run(index, step, before, follows: follows, slot) }
          running += 1
        }
        guard let next = try await group.next() else { break }
        guard let done = next else { continue }
        running -= 1
        if let record = done.record { try log.add(record) }
        if let refusal = done.refusal { try log.add(refusal) }
        if let keep = done.keep {
          group.addTask {
            await keep()
            return nil
          }
        }
        queue.finish(done.index, done.result)
        switch done.result.outcome {
        case .failed where !options.keepGoing: queue.stop(Task.isCancelled ? .cancelled : .stopped)
        case .wouldRun where options.mode == .question: queue.stop(.stopped)
        default: break
        }
        var result = done.result
        if running == 0, queue.isEmpty, let note = runs.undeclared.rest() {
          result.notes.append(note)
          queue.amend(done.index, result)
        }
        // A step that did not begin is reported only if it has a note.
        if done.wasBegun || !result.notes.isEmpty { progress.finished(result, of: selection.count) }
      }
    }
    return BuildResult(steps: queue.results(), wasCancelled: Task.isCancelled)
  }

  /// A note on outputs that came with the tree, or whose records are lost.
  /// An output folder with tracked sources is a mistake, because a build would remove them.
  private func strangers(_ selection: [Int], _ log: BuildLog, _ view: DiskView) throws -> String? {
    var found: [FilePath] = []
    var mistakes: [Mistake] = []
    lazy var index = GitIndex(disk)
    for step in selection.map({ graph.steps[$0] }) where log[step.name] == nil {
      for output in step.outputs {
        guard let status = try view.status(output) else { continue }
        if !output.starts(with: Graph.stateFolder) { found.append(output) }
        guard status.kind == .directory, let source = index?.first(below: output) else { continue }
        mistakes.append(
          Mistake(
            "the output '\(output)' of \(step.title) is a folder of sources: git tracks '\(source)'",
            at: step.place,
            hint: "name another output, or let git no longer track what is made (git rm -r --cached \(output))"))
      }
    }
    if !mistakes.isEmpty { throw Mistakes(mistakes) }
    guard let first = found.first else { return nil }
    let what = found.count == 1 ? "'\(first)' counts" : "'\(first)' and \(found.count - 1) more count"
    return "\(what) as absent: not known to be made by this user in this folder"
  }
}

/// The steps that are ready, and the results of those that have finished.
struct StepQueue {
  private let graph: Graph
  private let selection: [Int]
  /// For each step: those that need it.
  private var dependents: [Int: [Int]] = [:]
  private var waitsFor: [Int: Int] = [:]
  /// The lowest index first: with one job the order is always the same.
  private var ready = Heap<Int>()
  private var done: [Int: StepResult] = [:]
  private var stopped: Blocker?

  init(_ graph: Graph, _ selection: [Int]) {
    self.graph = graph
    self.selection = selection
    for step in selection {
      waitsFor[step] = graph.needs[step].count
      for need in graph.needs[step] { dependents[need, default: []].append(step) }
      if graph.needs[step].isEmpty { ready.insert(step) }
    }
  }

  mutating func next() -> Int? { stopped == nil ? ready.popMin() : nil }

  /// True if no step can begin before a running one has finished.
  var isEmpty: Bool { stopped != nil || ready.isEmpty }

  mutating func stop(_ blocker: Blocker) { stopped = stopped ?? blocker }

  mutating func finish(_ step: Int, _ result: StepResult) {
    done[step] = result
    switch result.outcome {
    case .failed: block(step, by: graph.steps[step].name)
    case .notStarted: break
    case .upToDate, .ran, .restored, .wouldRun:
      for dependent in dependents[step] ?? [] {
        waitsFor[dependent, default: 0] -= 1
        if waitsFor[dependent] == 0 { ready.insert(dependent) }
      }
    }
  }

  mutating func amend(_ step: Int, _ result: StepResult) { done[step] = result }

  /// Everything that needs a failed step can never become ready.
  private mutating func block(_ step: Int, by name: String) {
    for dependent in dependents[step] ?? [] where done[dependent] == nil {
      done[dependent] = StepResult(graph.steps[dependent], .notStarted(.failure(of: name)))
      block(dependent, by: name)
    }
  }

  /// The name of a step that this one needs and that would run.
  func follows(_ step: Int) -> String? {
    for need in graph.needs[step] {
      if case .wouldRun = done[need]?.outcome { return graph.steps[need].name }
    }
    return nil
  }

  func results() -> [StepResult] {
    selection.map { done[$0] ?? StepResult(graph.steps[$0], .notStarted(stopped ?? .stopped)) }
  }
}
