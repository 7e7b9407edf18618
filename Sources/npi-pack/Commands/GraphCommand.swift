import ArgumentParser
import Check
import Findings
import Packaging
import SystemPackage

enum GraphFormat: String, ExpressibleByArgument, CaseIterable { case graphviz, mermaid, svg }

struct GraphCommand: AsyncParsableCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph", _superCommandName: NPIPack.name,
    abstract: "Print the steps and what they read and make, or what plugins say to each other, as a drawing.",
    discussion: """
      Example: npi-pack graph --format svg > build.svg
      Messages: npi-pack graph --messages --format mermaid plugins/*.policy.json
      """)

  @Argument(
    help: ArgumentHelp(
      "Only what these need (everything); with --messages, plugins, as check takes them.", valueName: "target"),
    completion: .targets)
  var targets: [String] = []

  @Flag(help: "Who sends which message to whom, as the plugins' policies say.") var messages = false
  @Option(help: "What draws it.") var format = GraphFormat.graphviz

  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let picture: any Picture =
      messages
      ? try await MessageDrawing.picture(of: targets.map { FilePath($0) })
      : try await manifest.project().picture(targets)
    switch format {
    case .graphviz: Console.writeOutput(picture.graphviz)
    case .mermaid: Console.writeOutput(picture.mermaid)
    case .svg: Console.writeOutput(picture.svg)
    }
  }
}
