import ArgumentParser
import Findings
import Packaging
import SystemPackage

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean", _superCommandName: NPIPack.name,
    abstract: "Remove the deliverables and steps' outputs that npi-pack made, and its state.",
    discussion: "Example: npi-pack clean -n")

  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Say what would be removed, remove nothing.")
  var dryRun = false

  @Flag(help: "Empty the user's store of what builds have made, instead.")
  var store = false

  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    if store { return try cleanStore() }
    let cleaned = try await manifest.project().clean(dryRun: dryRun, waiting: options.console.waits)
    for path in cleaned.removed {
      Console.writeOutput("\(dryRun ? "would remove" : "removed") \(printable("\(path)"))\n")
    }
    for (path, reason) in cleaned.left { options.console.note("left: \(path): \(reason)") }
    if cleaned.removed.isEmpty { Console.writeOutput("npi-pack: nothing to remove\n") }
  }

  private func cleanStore() throws {
    guard let gone = try Project.emptyStore(dryRun: dryRun) else {
      return Console.writeOutput("npi-pack: nothing to remove\n")
    }
    let verb = dryRun ? "would remove" : "removed"
    Console.writeOutput(
      "\(verb) \(counted(gone.files, "file")), \(gone.bytes >> 20) MB, from \(printable(gone.folder.string))\n")
  }
}
