package import Documents
package import Findings
import Recipes

/// A manifest that others extend: what one host platform wants and accepts. The built-in ones are in the executable.
package struct Recipe: Sendable {
  package let name: String
  package let text: [UInt8]

  package static let builtIn: [Recipe] = HostRecipes.all.map { Recipe(name: $0.name, text: $0.text) }
    .sorted { $0.name < $1.name }

  /// The built-in recipe of that name; `place` is where the name was written.
  package static func named(_ name: String, at place: Place? = nil) throws(Mistakes) -> Recipe {
    if let recipe = builtIn.first(where: { $0.name == name }) { return recipe }
    let names = builtIn.map(\.name)
    throw Mistakes(
      "there is no recipe '\(name)'", at: place,
      hint: didYouMean(name, among: names)
        ?? "recipes: \(names.joined(separator: ", ")); one of your own is named by its path")
  }

  package func node() throws(Mistakes) -> Node { try YAMLText.parse(text, name: "recipe \(name)") }

  package var summary: String { (try? node()["summary"]?.text) ?? "" }
}
