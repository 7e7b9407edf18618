import ArgumentParser
import Findings
import Packaging

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", _superCommandName: NPIPack.name,
    abstract: "Print the JSON Schema of a manifest, for editors.",
    discussion: "Example: npi-pack schema > npi.schema.json")

  @OptionGroup var options: ConsoleOptions

  func run() { Console.writeOutput(Manifest.jsonSchema.pretty) }
}
