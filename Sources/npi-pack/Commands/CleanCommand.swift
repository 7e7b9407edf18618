import ArgumentParser
import Packaging

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean", abstract: "Remove the deliverables and steps' outputs that npi-pack made, and its state.",
    discussion: "Example: npi-pack clean -n")

  @Flag(name: .customShort("n"), help: "Say what would be removed, remove nothing.")
  var dryRun = false

  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let removed = try await manifest.project().clean(dryRun: dryRun, waiting: options.console.waits)
    for path in removed { Console.writeOutput("\(dryRun ? "would remove" : "removed") \(path)\n") }
    if removed.isEmpty { Console.writeOutput("npi-pack: nothing to remove\n") }
  }
}
