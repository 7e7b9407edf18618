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

      npi-pack --generate-completion-script bash|zsh|fish     print completions
      SOURCE_DATE_EPOCH dates what is packed: npi-pack build --help
      """,
    version: Tool.version,
    subcommands: [
      BuildCommand.self, LintCommand.self, StripCommand.self, ConfigCommand.self, InitCommand.self,
      RecipesCommand.self, SchemaCommand.self, SymbolsCommand.self, GraphCommand.self, WhyCommand.self,
      CleanCommand.self, CheckCommand.self, PrefixSymbolsCommand.self, HideSymbolsCommand.self,
      RelocateCommand.self, ReleaseCommand.self,
      CacheCommand.self,
      DoctorCommand.self,
    ],
    defaultSubcommand: BuildCommand.self)

  static func main() async {
    Tool.start()
    await Kinds.registered { await run() }
  }

  private static func run() async {
    if CommandLine.arguments.dropFirst() == [DemanglingProcess.word] {
      DemanglingProcess.run { Console.writeOutput($0) }
      endProcess(0)
    }
    let words = Array(CommandLine.arguments.dropFirst())
    // A stored answer needs no parsing.
    if let answer = Project.answer(to: CommandLine.arguments) {
      ignoreClosedPipes()
      Console.writeOutput(answer)
      endProcess(0)
    }
    RecordedRun.answer(words)
    EndingSignals.watch()
    do {
      if let answer = try HelpTopic.text(for: words) {
        Console.writeOutput(answer)
        endProcess(0)
      }
      var command = try parsed(words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      // Exiting at once saves the time of freeing memory piece by piece.
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

  /// The command itself parses its words, faster than the root parser, which is used to explain mistakes. Commands have
  /// a `_superCommandName`: without it the parser makes shell completions, which takes as long as everything else.
  static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let words = CommandWords.commandFirst(words)
    guard let command = configuration.subcommands.first(where: { $0.configuration.commandName == words.first }),
      command.configuration.subcommands.isEmpty
    else { return try parseAsRoot(words) }
    let own = Array(words.dropFirst())
    let lists = LongLists(own, of: command)
    let few = lists?.words ?? own
    let parsed = try (try? command.parse(few)) ?? parseAsRoot(words.prefix(1) + few)
    return lists?.completing(parsed) ?? parsed
  }
}
