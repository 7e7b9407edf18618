import ArgumentParser
import Packaging
import SystemPackage

struct StripCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strip", _superCommandName: NPIPack.name,
    abstract: "Take Apple's metadata off a tree in place, or re-emit an archive cleanly.",
    discussion: "Example: npi-pack strip --dry-run ios/RallyConnector.bundle")

  @Argument(help: "A folder, a file or an archive.", completion: .file()) var path: String

  @Option(
    name: .customShort("o"), help: ArgumentHelp("Write the clean archive here.", valueName: "out"), completion: .file())
  var output: String?

  @Flag(
    name: [.customShort("n"), .customLong("dry-run")], help: "Say what would be removed; exit 1 if there is something.")
  var dryRun = false

  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let result = try await Strip.run(FilePath(path), output: output.map { FilePath($0) }, dryRun: dryRun)
    Console.writeOutput(result.lines.map { $0 + "\n" }.joined())
    for problem in result.problems { options.console.note("npi-pack: \(problem)") }
    if !result.problems.isEmpty { throw ExitCode(2) }
    if dryRun, result.count > 0 { throw ExitCode(1) }
  }
}
