import Store
import SystemPackage

extension StepRun {
  struct Made {
    let report: ActionReport
    let discovered: Discovered
    let changes: InputChanges
    let notes: [String]
  }

  /// Runs the action, so that afterwards there are new outputs or the old ones or none, but nothing half-made.
  func make(_ step: Step, _ index: Int, _ context: ActionContext) async throws -> Made {
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
    // A command in a sandbox can leave nothing undeclared.
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
        // An output that was not touched is still the whole old one.
        if !clean, let now = try? stamps(place), now == before[position] { continue }
        try? disk.remove(place)
      }
      try? aside.putBack()
      guard var failure = error as? StepFailure, failure.isRefusal else { throw error }
      // The inputs changed while it ran, so the refusal does not hold for the new ones.
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

  func outputs(of step: Step, output: [UInt8]) throws -> [[ResolvedInput]] {
    try step.outputs.map { path in
      guard let entries = try resolver.outputEntries(path) else {
        throw StepFailure("its output '\(path)' has vanished", output: output)
      }
      return entries
    }
  }

  /// The stamps of a path and of everything below it; any change to a file changes its stamp.
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
