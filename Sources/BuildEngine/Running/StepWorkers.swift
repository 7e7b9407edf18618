package import Store

/// Workers on other machines, which carry out steps.
package protocol StepWorkers: Sendable {
  /// Has the outputs of a step made.
  ///
  /// - Parameters:
  ///   - isSandboxed: whether commands here see nothing of the tree but their inputs.
  ///   - begun: is called when the step is sent.
  /// - Returns: the result as the step's key names it.
  func carryOut(
    _ step: Step, _ key: ActionKey, _ inputs: [[ResolvedInput]], isSandboxed: Bool, begun: () -> Void
  ) async throws(NotByWorkers) -> StoredRecord
}

/// Why workers have not made the outputs of a step.
package enum NotByWorkers: Error {
  /// It runs here. The reason is nil if it has been told.
  case kept(String?)
  /// The build cannot go on.
  case failed(any Error)
}
