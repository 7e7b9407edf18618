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
      npi-pack help topics         list the pages of the documentation

      npi-pack \(CompletionScript.option) bash|zsh|fish     print completions
      SOURCE_DATE_EPOCH dates what is packed: npi-pack build --help
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
    let words = Array(CommandLine.arguments.dropFirst())
    // The quick way out, before anything is parsed.
    if let answer = Project.answer(to: CommandLine.arguments) {
      ignoreClosedPipes()
      Console.writeOutput(answer)
      endProcess(0)
    }
    EndingSignals.watch()
    do {
      if let answer = try HelpTopic.text(for: words) ?? answerForShells(words) {
        Console.writeOutput(answer)
        endProcess(0)
      }
      var command = try parsed(words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      // What is left need not be put away piece by piece.
      endProcess(0)
    } catch let mistakes as Mistakes {
      end(CommandWords.mistypedCommand(words) ?? mistakes)
    } catch let code as ExitCode {
      endProcess(code.rawValue)
    } catch {
      // Help and the version are no errors; everything else here is wrong usage.
      if exitCode(for: error) == .success {
        Console.writeOutput(fullMessage(for: error) + "\n")
        endProcess(0)
      }
      if let mistake = CommandWords.mistypedCommand(words) { end(mistake) }
      Console.writeError(UsageMessage.text(error, words) + "\n")
      endProcess(2)
    }
  }

  private static func end(_ mistakes: Mistakes) -> Never {
    Console(color: ColorMode.given(in: CommandLine.arguments)).show(mistakes)
    endProcess(2)
  }

  /// What no person asks: completions, and what `make install` installs.
  private static func answerForShells(_ words: [String]) throws(Mistakes) -> String? {
    switch words.first {
    case CompletionScript.question where words.count > 1:
      return Completion(Array(words.dropFirst(2)), for: words[1]).text
    case ManPage.option: return CommandHelp.all.map(ManPage.text)
    default: break
    }
    let options = words.prefix { $0 != "--" }
    guard let index = options.firstIndex(of: CompletionScript.option) else { return nil }
    return try CompletionScript.text(for: index + 1 < options.count ? options[index + 1] : "")
  }

  /// The words' own command parses them, faster than the parser of all commands, which explains what is wrong. Commands
  /// have a `_superCommandName`: without it the parser makes shell completions, for as long as all the rest.
  static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let words = PackedWords.pack(CommandWords.commandFirst(words))
    let command = configuration.subcommands.first { $0.configuration.commandName == words.first }
    if let command, command.configuration.subcommands.isEmpty, let parsed = try? command.parse(Array(words.dropFirst()))
    {
      return parsed
    }
    return try parseAsRoot(words)
  }
}
