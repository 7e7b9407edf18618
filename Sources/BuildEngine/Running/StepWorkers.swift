package import Store

/// Workers on other machines, which carry out steps.
package protocol StepWorkers: Sendable {
  /// Has the outputs of a step made.
  ///
  /// - Parameter isSandboxed: whether commands here see nothing of the tree but their inputs.
  /// - Returns: the result as the step's key names it.
  func carryOut(
    _ step: Step, _ key: ActionKey, _ inputs: [[ResolvedInput]], isSandboxed: Bool
  ) async throws(NotByWorkers) -> StoredRecord
}

/// Why workers have not made the outputs of a step.
package enum NotByWorkers: Error {
  /// It runs here. The reason is nil if it has been told.
  case kept(String?)
  /// The build cannot go on.
  case failed(any Error)
}
