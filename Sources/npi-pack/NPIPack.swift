import ArgumentParser
import Artifacts
import Findings
import Packaging

/// `npi-pack`: exit codes 0 all is well; 1 a build failed or findings are errors; 2 wrong usage, manifest or input.
@main struct NPIPack: AsyncParsableCommand {
  static let name = "npi-pack"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "make for native mobile plugins: clean, reproducible deliverables without Xcode or Gradle",
    discussion: """
      npi-pack                     build every deliverable of npi.yml
      npi-pack lint dist/*.zip     check a finished deliverable against its host's rules
      npi-pack init                write a first npi.yml
      """,
    version: Tool.version,
    subcommands: [
      BuildCommand.self, LintCommand.self, StripCommand.self, ConfigCommand.self, InitCommand.self,
      RecipesCommand.self, SchemaCommand.self, SymbolsCommand.self, GraphCommand.self, WhyCommand.self,
      CleanCommand.self, CheckCommand.self,
    ],
    defaultSubcommand: BuildCommand.self)

  static func main() async {
    if CommandLine.arguments.dropFirst() == [DemanglingProcess.word] {
      DemanglingProcess.run { Console.writeOutput($0) }
      endProcess(0)
    }
    // The quick way out, before anything is parsed.
    if let answer = Project.answer(to: CommandLine.arguments) {
      ignoreClosedPipes()
      Console.writeOutput(answer)
      endProcess(0)
    }
    EndingSignals.watch()
    do {
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      // What is left need not be put away piece by piece.
      endProcess(0)
    } catch let mistakes as Mistakes {
      Console(color: ColorMode.given(in: CommandLine.arguments)).show(mistakes)
      endProcess(2)
    } catch let code as ExitCode {
      endProcess(code.rawValue)
    } catch {
      // Help and the version are no errors; everything else here is wrong usage.
      let isUsage = exitCode(for: error) != .success
      let text = isUsage ? usageMessage(error) : fullMessage(for: error)
      if isUsage { Console.writeError(text + "\n") } else { Console.writeOutput(text + "\n") }
      endProcess(isUsage ? 2 : 0)
    }
  }

  /// What the parser says repeats words as they were given; a name that a shell's pattern found may hold anything.
  private static func usageMessage(_ error: any Error) -> String {
    let words = Array(CommandLine.arguments.dropFirst())
    let harmless = words.map(printable)
    guard harmless != words else { return fullMessage(for: error) }
    do {
      _ = try parsed(harmless)
      // It was not the words.
      return fullMessage(for: error).split(separator: "\n").map { printable(String($0)) }.joined(separator: "\n")
    } catch {
      return fullMessage(for: error)
    }
  }

  /// The words' own command parses them, faster than the parser of all commands, which explains what is wrong. Commands
  /// have a `_superCommandName`: without it the parser makes shell completions, for as long as all the rest.
  private static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let words = PackedWords.pack(CommandWords.commandFirst(words))
    let command = configuration.subcommands.first { $0.configuration.commandName == words.first }
    if let command, command.configuration.subcommands.isEmpty, let parsed = try? command.parse(Array(words.dropFirst()))
    {
      return parsed
    }
    return try parseAsRoot(words)
  }
}
