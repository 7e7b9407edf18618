import ArgumentParser
import Findings
import Packaging

struct ConfigCommand: AsyncParsableCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", _superCommandName: NPIPack.name, abstract: "Print the merged configuration.",
    discussion: "Example: npi-pack config --origins")

  @Flag(help: "Say where each value came from.")
  var origins = false

  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let project = try await manifest.project()
    Console.writeOutput(origins ? project.manifest.origins : project.manifest.configuration(order: .sorted).shown)
  }
}
