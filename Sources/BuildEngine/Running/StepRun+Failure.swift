import Findings
import Store
import SystemPackage

extension StepRun {
  private func isInput(_ path: FilePath, of step: Step) -> Bool {
    var path = path
    _ = path.removePrefix(view.root)
    return step.inputs.contains { $0.covers(path) } && !step.outputs.contains(where: path.starts)
  }

  func failed(_ index: Int, _ step: Step, _ error: any Error, duration: Duration) -> Done {
    let failure: StepFailure
    switch error {
    case is NotBegun:
      let outcome = Outcome.notStarted(Task.isCancelled ? .cancelled : .stopped)
      return Done(index: index, result: StepResult(step, outcome), wasBegun: false)
    case let error as StepFailure: failure = error
    case let error as Mistakes: failure = StepFailure("its inputs cannot be used", mistakes: error.all)
    case let error as FileError where isInput(error.path, of: step):
      let mistake = Mistake(error.description, at: step.place, hint: error.hint)
      failure = StepFailure("its inputs cannot be used", mistakes: [mistake])
    case let error as FileError: failure = StepFailure(error.description, hint: error.hint)
    case is CancellationError: failure = StepFailure("it was interrupted")
    default: failure = StepFailure("\(error)")
    }
    let outcome = error is CancellationError ? Outcome.notStarted(.cancelled) : .failed(failure)
    let result = StepResult(
      step, outcome, findings: failure.findings, coverage: failure.coverage, output: failure.output, duration: duration)
    return Done(index: index, result: result)
  }
}
