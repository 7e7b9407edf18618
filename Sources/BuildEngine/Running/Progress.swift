/// Receives the events of a build, because the engine itself never prints. Calls come from several tasks at once.
package protocol Progress: Sendable {
  /// A step is out of date and runs now; `total` is how many steps there are.
  func started(_ step: Step, of total: Int, because reason: Reason)
  /// A step is out of date, and its outputs are brought back from the store. If something is missing there, it runs.
  /// `origin` is the other place that had or made them: `the remote cache`.
  func restoring(_ step: Step, of total: Int, because reason: Reason, from origin: String?)
  /// A step is out of date, and a worker on another machine carries it out.
  func isAway(_ step: Step)
  /// A step is carried out here and not by a worker, for this reason.
  func isKeptHere(_ step: Step, because reason: String)
  /// The outputs of a step are fetched from another machine, in bytes.
  func fetching(_ step: Step, done: Int64, of total: Int64)
  /// Something about the build as a whole, before the first step.
  func note(_ text: String)
  /// The progress of long work, in bytes.
  func advanced(_ step: Step, done: Int64, of total: Int64)
  /// The step has ended: it ran, failed, was up to date, or would run. Not called for steps that were not started.
  func finished(_ result: StepResult, of total: Int)
}

extension Progress {
  package func fetching(_ step: Step, done: Int64, of total: Int64) {}
  package func isAway(_ step: Step) {}
  package func isKeptHere(_ step: Step, because reason: String) {}
}

package struct NoProgress: Progress {
  package init() {}
  package func note(_ text: String) {}
  package func started(_ step: Step, of total: Int, because reason: Reason) {}
  package func restoring(_ step: Step, of total: Int, because reason: Reason, from origin: String?) {}
  package func advanced(_ step: Step, done: Int64, of total: Int64) {}
  package func finished(_ result: StepResult, of total: Int) {}
}
