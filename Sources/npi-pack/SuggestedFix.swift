import ArgumentParser
import Findings
import Remedies

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
