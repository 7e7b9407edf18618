import ArgumentParser
import Check
import Findings
import Remedies
import Rules

extension FindingOptions {
  /// Refuses options for a report, in whose place a plan is printed.
  func refuseOthers(than option: String, apps: String?) throws {
    let others = [
      ("--apps", apps != nil), ("-o", output != nil), ("--format", format.name != ReportFormat.usual.name),
      ("--write-baseline", writeBaseline != nil),
    ]
    guard let other = others.first(where: \.1)?.0 else { return }
    throw ValidationError("\(option) and \(other) cannot be given together")
  }

  /// Prints a plan, and ends the command with its exit status: 1 if it does not end all collisions.
  func end(_ plan: FixPlan, _ mistakes: [Mistake], notes: [String], _ console: Console) throws {
    for note in notes { console.note(note) }
    console.show(Mistakes(mistakes))
    if plan.isEmpty, mistakes.isEmpty { console.note("npi-pack: no plugin has to change") }
    try show(text: plan.text())
    if !mistakes.isEmpty { throw ExitCode(2) }
    if !plan.isWhole { throw ExitCode(1) }
  }
}

extension CheckApps {
  /// The steps that end the collisions of the app of a command line.
  func plan(_ outcome: Outcome, _ policy: FindingPolicy) async throws -> FixPlan? {
    guard let report = outcome.report else { return nil }
    return try await FixPlan(report) { plugins in
      guard let next = try await self.outcome(replacing: plugins, policy) else { return report }
      if next.mistakes.count > outcome.mistakes.count { throw Mistakes(next.mistakes) }
      return next.report
    }
  }
}
