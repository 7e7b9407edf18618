import ArgumentParser
import Packaging

extension RecipesCommand {
  struct Kind: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "kind", abstract: "List the kinds of steps and deliverables, or the keys of one.",
      discussion: "Example: npi-pack recipes kind aar")
    @Argument(help: ArgumentHelp("The kind's name; none: all of them.", valueName: "kind"), completion: .kinds)
    var name: String?
    @OptionGroup var options: ConsoleOptions

    func run() throws { Console.writeOutput(try KindHelp.text(name)) }
  }
}
