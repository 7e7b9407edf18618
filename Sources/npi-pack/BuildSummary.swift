import ArgumentParser
import BuildEngine
import Findings
import Packaging
import SystemPackage

/// The text that a build prints at its end, on standard output.
struct BuildSummary {
  private(set) var text = ""

  /// Only deliverables are named, which are the outputs in `out`.
  init(_ result: BuildResult, out: FilePath, quiet: Bool, verbose: Bool) {
    guard !quiet else { return }
    for step in result.steps {
      switch step.outcome {
      case .wouldRun(let reason):
        text += "out of date: \(printable(step.step.summary)): \(printable(reason.description))\n"
      case .ran: text += lines("made", step)
      case .restored: text += lines("restored", step)
      case .upToDate where verbose: text += lines("up to date", step)
      case .upToDate, .failed, .notStarted: break
      }
    }
    func lines(_ verb: String, _ step: StepResult) -> String {
      step.step.outputs.filter { $0.starts(with: out) }.map { output in
        let file = step.files.first { $0.path == output }
        return "\(verb) \(printable(output.string))\(file.map { "  (\($0.facts))" } ?? "")\n"
      }.joined()
    }
    if result.nothingToDo { text += BuildSummary.nothingToDo }
  }

  static let nothingToDo = "npi-pack: nothing to do\n"
}

extension MadeOutput {
  /// `1,234 bytes, sha256 …`, the same facts as in the release record.
  fileprivate var facts: String {
    var digits = String(size)
    for place in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
    }
    return "\(digits) \(size == 1 ? "byte" : "bytes"), sha256 \(sha256)"
  }
}

extension BuildResult {
  /// Whether steps that have not failed have findings.
  var hasFindingsOfOthers: Bool { steps.contains { $0.failure == nil && !$0.findings.isEmpty } }

  /// The mistakes of steps that failed for another reason than findings.
  var mistakes: [Mistake] {
    failed.flatMap { step -> [Mistake] in
      guard let failure = step.failure, !failure.isRefusal else { return [] }
      return failure.mistakes.isEmpty
        ? [Mistake("\(step.step.summary): \(failure.message)")] : failure.mistakes
    }
  }

  func exitStatus(isQuestion: Bool) -> Int32 {
    if failed.contains(where: { !($0.failure?.mistakes.isEmpty ?? true) }) { return 2 }
    if !succeeded || (isQuestion && !wouldRun.isEmpty) { return 1 }
    return 0
  }
}

/// The summary of failures at the end of a build, because their messages are far up: the step, the reason, and how to
/// run it again.
///
///     npi-pack: 2 of 7 failed
///       run libA: it ended with status 2
///         again: npi-pack libA
///       ios-zip Rally-1.4.0-ios.zip: it does not pass the rules of its host: 1 error
///         again: npi-pack ios
///       3 were not started: they need a failed one
///
/// A single failure that was the last thing to be printed is not repeated.
struct FailureSummary {
  private(set) var text = ""

  init(_ result: BuildResult, isLast: Bool, color: Bool, _ again: RunAgain) {
    let failed = result.failed
    guard !failed.isEmpty else { return }
    let isRepeated = failed.count > 1 || !isLast
    let rest = FailureSummary.notStarted(result)
    guard isRepeated else {
      text = rest.map { "npi-pack: \($0)\n" }.joined()
      return
    }
    let count = "\(failed.count) of \(result.steps.count) failed"
    text = "npi-pack: \(color ? "\u{1B}[1;31m\(count)\u{1B}[0m" : count)\n"
    for step in failed {
      guard let failure = step.failure else { continue }
      text += "  \(printable("\(step.step.summary): \(FailureSummary.reason(failure))"))\n"
      text += "    again: \(printable(again.line(step.step)))\n"
    }
    text += rest.map { "  \($0)\n" }.joined()
  }

  private static func reason(_ failure: StepFailure) -> String {
    guard let first = failure.mistakes.first else { return failure.message }
    let place = first.place.map { " (\($0))" } ?? ""
    let more = failure.mistakes.count - 1
    return first.message + place + (more > 0 ? ", and \(counted(more, "more mistake"))" : "")
  }

  private static func notStarted(_ result: BuildResult) -> [String] {
    // The release record is not counted, because users do not ask for it by name.
    let outcomes = result.notStarted.filter { $0.step.name != Plan.recordStep }.map(\.outcome)
    let dependent = outcomes.count { if case .notStarted(.failure) = $0 { true } else { false } }
    // A build with `-q` also stops early, which is no failure.
    let stopped =
      result.wouldRun.isEmpty ? outcomes.count { if case .notStarted(.stopped) = $0 { true } else { false } } : 0
    var lines: [String] = []
    if dependent > 0 {
      let one = dependent == 1
      lines.append("\(dependent) \(one ? "was" : "were") not started: \(one ? "it needs" : "they need") a failed one")
    }
    if stopped > 0 {
      let more = dependent > 0 ? "more " : ""
      lines.append("\(counted(stopped, more + "was", more + "were")) not started: -k goes on after a failure")
    }
    return lines
  }
}

/// The text for a failed step: the reason, all its output and, with `-v`, the command to run it again.
struct FailureText {
  let text: String

  init(_ step: Step, _ failure: StepFailure, color: Bool, _ again: RunAgain, verbose: Bool) {
    let renderer = TextRenderer(color: color)
    guard failure.mistakes.isEmpty else {
      text = failure.mistakes.map(renderer.render).joined()
      return
    }
    var lines = renderer.render(
      Mistake("\(step.summary): \(failure.message)", at: nil, notes: failure.notes, hint: failure.hint))
    lines += CommandOutput.text(failure.output, color: color)
    if verbose, let command = again.command(step, failure) {
      let commandLines = command.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
      lines += "  command: " + commandLines.joined(separator: "\n") + "\n"
    }
    text = lines
  }
}

/// Commands that run one step again, for a shell in the folder in which this npi-pack was started.
struct RunAgain: Sendable {
  /// The plugin's folder, as it was named.
  var folder: FilePath = "."
  /// The words of this command line, without targets and engine options.
  var words = ["npi-pack"]

  /// The command that failed; nil if there is none, or if it was not at fault.
  func command(_ step: Step, _ failure: StepFailure) -> String? {
    guard let command = failure.command else { return nil }
    return (step.action as? CommandAction)?.text(root: folder) ?? command
  }

  /// An npi-pack command line for this step alone.
  func line(_ step: Step) -> String {
    let command = CommandWords.commands.contains(step.name) ? ["build"] : []
    let target = step.name.hasPrefix("-") ? ["--", step.name] : [step.name]
    return ShellText.line(words.prefix(1) + command + words.dropFirst() + target)
  }
}

extension RunAgain {
  /// Takes the user's options that decide whether a step succeeds.
  init(_ manifest: ManifestOptions, _ findings: FindingOptions) {
    folder = FilePath(manifest.directory)
    words = [CommandLine.arguments.first ?? "npi-pack"]
    let standard = Project.Options()
    if folder != standard.directory { words += ["-C", manifest.directory] }
    if FilePath(manifest.file) != standard.manifest { words += ["-f", manifest.file] }
    if FilePath(manifest.out) != standard.out { words += ["--out", manifest.out] }
    for setting in manifest.set { words += ["--set", setting] }
    for file in manifest.config { words += ["--config", file] }
    if let source = manifest.versionFrom { words += ["--version-from", source] }
    words += findings.words
  }
}
