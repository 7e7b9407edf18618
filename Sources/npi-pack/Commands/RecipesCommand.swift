import ArgumentParser
import Collisions
import Packaging

struct RecipesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipes", _superCommandName: NPIPack.name,
    abstract: "List the recipes of host platforms, or show one, or explain a rule.",
    discussion: """
      Example: npi-pack recipes show mobilesmith
               npi-pack recipes rule bundle-executable
      """,
    subcommands: [List.self, Show.self, Rule.self], defaultSubcommand: List.self)

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
      commandName: "show", abstract: "Print a recipe.", discussion: "Example: npi-pack recipes show mobilesmith")
    @Argument(help: "The recipe's name.") var name: String
    @OptionGroup var options: ConsoleOptions

    func run() throws { Console.writeOutput(String(decoding: try Recipe.named(name).text, as: UTF8.self)) }
  }

  struct Rule: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rule", abstract: "Explain a rule.",
      discussion: "Example: npi-pack recipes rule bundle-executable")
    @Argument(help: "The rule's id; none: all of them.") var id: String?
    @OptionGroup var options: ConsoleOptions

    func run() throws { Console.writeOutput(try RuleHelp.text(id, collisions: CollisionRules.ids)) }
  }
}
