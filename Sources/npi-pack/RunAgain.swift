import ArgumentParser
import BuildEngine
import Findings
import Packaging
import SystemPackage

/// How one step is run again, for a shell in the folder in which this npi-pack was started.
struct RunAgain: Sendable {
  /// The plugin's folder, as it was named.
  var folder: FilePath = "."
  /// How this npi-pack was called, without what it was to build and how.
  var words = ["npi-pack"]

  /// The command that failed. Nil: there is none, or it was not at fault.
  func command(_ step: Step, _ failure: StepFailure) -> String? {
    guard let command = failure.command else { return nil }
    return (step.action as? CommandAction)?.text(root: folder) ?? command
  }

  /// In one line: the command that failed, or npi-pack with that step alone.
  func line(_ step: Step, _ failure: StepFailure) -> String {
    // A script is printed where it failed; here it would hide the others.
    if let command = command(step, failure), !command.utf8.contains(UInt8(ascii: "\n")) { return command }
    return ShellText.line(npiPack(step.name))
  }

  private func npiPack(_ step: String) -> [String] {
    let command = CommandWords.commands.contains(step) ? ["build"] : []
    return words.prefix(1) + command + words.dropFirst() + (step.hasPrefix("-") ? ["--", step] : [step])
  }
}

extension RunAgain {
  /// With what decides whether a step succeeds, as the user gave it.
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
    for level in findings.level { words += ["--level", level] }
    if findings.strict { words.append("--strict") }
    if let baseline = findings.baseline { words += ["--baseline", baseline] }
  }
}
