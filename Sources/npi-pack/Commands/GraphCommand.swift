import ArgumentParser
import Packaging

struct GraphCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph", _superCommandName: NPIPack.name,
    abstract: "Print the steps and what they read and make, for Graphviz.",
    discussion: "Example: npi-pack graph | dot -Tsvg > build.svg")

  @Argument(help: "Only what these need (everything).") var targets: [String] = []

  @OptionGroup var manifest: ManifestOptions

  func run() async throws { Console.writeOutput(try await manifest.project().graph(targets)) }
}
