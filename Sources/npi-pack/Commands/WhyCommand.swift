import ArgumentParser
import Packaging

struct WhyCommand: AsyncParsableCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", _superCommandName: NPIPack.name,
    abstract: "Say why an output was made the last time, and whether it would be made again.",
    discussion: "Example: npi-pack why dist/RallyConnector-1.4.0.aar")

  @Argument(help: ArgumentHelp("An output, a step or a deliverable.", valueName: "output"), completion: .targets)
  var target: String

  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws { Console.writeOutput(try await manifest.project().why(target)) }
}
