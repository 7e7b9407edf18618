import BuildEngine
import SystemPackage

/// Says what a build must do, from the model alone: a step runs exactly if what it reads, what it is or what it made is
/// not as it was when it last succeeded. With a store: and if nothing has succeeded in that state before.
struct RandomOracle {
  struct Success {
    let needs: [PlainStep.Need]
    let state: PlainStep.State
    let made: [String: PlainTree.Node]
  }

  /// By the name of the step: what the log is to know.
  private(set) var last: [String: Success] = [:]
  /// All successes, and how the log tells them: it may lose the later ones.
  private var history: [(record: BuildRecord, success: Success)] = []
  /// What is in the store.
  private var kept: Set<PlainStep.State> = []

  /// Why a step must run.
  enum Cause {
    case forced
    case neverRan
    /// These are not as they were; nil if the step itself is another one.
    case changed(Set<String>?)
    case missing(String)
    case spoilt(String)
  }

  /// The log has lost something.
  mutating func read(_ log: BuildLog) {
    for name in last.keys {
      last[name] = log[name].flatMap { record in history.last { $0.record == record }?.success }
    }
  }

  func cause(_ step: PlainStep, _ state: PlainStep.State, _ tree: PlainTree) -> Cause? {
    guard let last = last[step.name] else { return .neverRan }
    guard state == last.state else {
      let isSame =
        step.allNeeds == last.needs && state.action == last.state.action && state.outputs == last.state.outputs
      let seen = { (state: PlainStep.State) in Set(state.inputs.joined() + state.discovered) }
      let paths = seen(state).symmetricDifference(seen(last.state)).map(\.path)
      return .changed(isSame && !paths.isEmpty ? Set(paths) : nil)
    }
    for output in step.outputs {
      let now = tree.slice(output)
      if now.isEmpty { return .missing(output) }
      if now != last.made.filter({ $0.key == output || $0.key.hasPrefix(output + "/") }) { return .spoilt(output) }
    }
    return nil
  }

  // MARK: A whole build

  /// What was wrong with a build, or nil; and the tree as it must be afterwards.
  struct Check {
    var problem: String?
    var tree: PlainTree
    var succeeded: [PlainStep] = []
    /// It was not remembered: an input may have been written while the step ran.
    var isInDoubt = false
  }

  struct Setting {
    let project: RandomProject
    let selection: [PlainStep]
    let options: BuildOptions
    /// What was changed in this very tick, or is to be, as the clock was set back.
    let isDoubtful: (String) -> Bool
  }

  mutating func check(_ result: BuildResult, of setting: Setting, from tree: PlainTree, log: BuildLog) -> Check {
    var check = Check(tree: tree)
    let outcomes = Dictionary(uniqueKeysWithValues: result.steps.map { ($0.step.name, $0) })
    guard result.steps.count == setting.selection.count else {
      check.problem = "other steps were selected: \(result.steps.map(\.step.name))"
      return check
    }
    /// Those that others need in vain, and those that would run.
    var (blocked, pending): (Set<String>, Set<String>) = ([], [])
    let isReal = setting.options.mode == .build
    for step in setting.selection {
      guard let outcome = outcomes[step.name] else {
        check.problem = "\(step.name) was not selected"
        return check
      }
      let needs = setting.selection.filter { step.needs($0) }.map(\.name)
      var expected = ""
      if needs.contains(where: blocked.contains) {
        blocked.insert(step.name)
        expected = "nothing, as something failed"
        if case .notStarted = outcome.outcome { continue }
      } else if case .notStarted(.stopped) = outcome.outcome,
        setting.options.mode == .question ? !result.wouldRun.isEmpty || !result.failed.isEmpty : !result.failed.isEmpty,
        !setting.options.keepGoing || setting.options.mode == .question
      {
        blocked.insert(step.name)
        continue
      } else if needs.contains(where: pending.contains) {
        pending.insert(step.name)
        expected = "to follow"
        if case .wouldRun(.follows(let name)) = outcome.outcome, needs.contains(name) { continue }
      } else if let view = step.look(at: check.tree, tool: setting.project.tool, program: setting.project.program) {
        let cause = setting.options.force ? .forced : cause(step, view.state, check.tree)
        expected = cause.map { "to run: \($0)" } ?? "nothing to do"
        switch (outcome.outcome, cause) {
        case (.upToDate, nil):
          check.succeeded.append(step)
          continue
        case (.wouldRun(let reason), let cause?) where !isReal && RandomOracle.isSame(reason, cause):
          pending.insert(step.name)
          continue
        case (.failed, _?) where isReal && view.problem != nil:
          blocked.insert(step.name)
          check.tree.add(Dictionary(uniqueKeysWithValues: Set(step.outputs.map(parent)).map { ($0, .folder) }))
          continue
        case (.ran(let reason), let cause?), (.restored(let reason), let cause?):
          let isKept = setting.project.store != nil && !setting.options.force && kept.contains(view.state)
          if isKept { expected += ", and to come back from the store" }
          guard isReal, view.problem == nil, RandomOracle.isSame(reason, cause), outcome.isRestored == isKept else {
            break
          }
          check.succeeded.append(step)
          let made = step.make(view)
          for output in step.outputs { check.tree.remove(output) }
          check.tree.add(made)
          if outcome.notes.contains(where: { $0.contains("was changed while") }) {
            check.isInDoubt = true
            if view.read.contains(where: setting.isDoubtful) { continue }
            expected += ", and to be remembered"
          } else if let record = log[step.name], record.reason == reason.description, record.wasRestored == isKept {
            let success = Success(needs: step.allNeeds, state: view.state, made: made)
            last[step.name] = success
            history.append((record, success))
            kept.insert(view.state)
            continue
          } else {
            expected += ", for the reason in the log: \(log[step.name]?.reason ?? "none")"
          }
        default: break
        }
      } else {
        expected = "to fail, as its inputs are not there"
        blocked.insert(step.name)
        if outcome.failure?.mistakes.isEmpty == false { continue }
      }
      check.problem = "\(step.name): \(outcome.outcome), but it has \(expected)"
      return check
    }
    return check
  }

  /// What is said is what was done.
  private static func isSame(_ reason: Reason, _ cause: Cause) -> Bool {
    switch (reason, cause) {
    case (.forced, .forced), (.neverRan, .neverRan), (.changed, .changed(nil)): true
    case (.changed(let change?), .changed(let paths?)):
      // A link is shown with what it leads to.
      paths.contains { path in [": ", " is ", " -> "].contains { change.description.hasPrefix(path + $0) } }
    case (.outputMissing(let path), .missing(let output)), (.outputChanged(let path), .spoilt(let output)):
      path.string == output
    default: false
    }
  }
}

extension StepResult {
  fileprivate var isRestored: Bool { if case .restored = outcome { true } else { false } }
}
