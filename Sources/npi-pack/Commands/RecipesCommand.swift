import ArgumentParser
import Packaging

struct RecipesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipes", _superCommandName: NPIPack.name,
    abstract: "List the recipes of host platforms, or show one, or explain a rule or a kind.",
    discussion: """
      Example: npi-pack recipes show mobilesmith
               npi-pack recipes rule bundle-executable
      """,
    subcommands: [List.self, Show.self, Rule.self, Kind.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the recipes.", discussion: "Example: npi-pack recipes")
    @OptionGroup var options: ConsoleOptions

    func run() {
      let recipes = Recipe.builtIn
      let width = recipes.map(\.name.count).max() ?? 0
      for recipe in recipes { Console.writeOutput("\(recipe.name.padded(to: width + 2))\(recipe.summary)\n") }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print a recipe.",
      discussion: """
        Example: npi-pack recipes show mobilesmith
                 npi-pack recipes show mobilesmith --format markdown
        """)
    @Argument(help: ArgumentHelp("The recipe's name, or its file.", valueName: "recipe")) var name: String
    @Option(help: "As it is written, or a page with all that it lays down and why.") var format = Format.yaml
    @OptionGroup var options: ConsoleOptions

    enum Format: String, CaseIterable, ExpressibleByArgument { case yaml, markdown }

    func run() throws {
      Console.writeOutput(format == .yaml ? try RecipePage.source(name) : try RecipePage.markdown(name))
    }
  }

  struct Rule: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rule", abstract: "Explain a rule.",
      discussion: "Example: npi-pack recipes rule bundle-executable")
    @Argument(help: ArgumentHelp("The rule's id; none: all of them.", valueName: "rule")) var id: String?
    @OptionGroup var options: ConsoleOptions

    func run() throws { Console.writeOutput(try RuleHelp.text(id)) }
  }
}
