import Recipes
import Rules
import SystemPackage

/// A host by what its recipe says of a plugin's code: data, so that a new recipe is one more host here.
struct StarterHost: Sendable {
  let recipe: String
  /// The keys of the configuration that name the entry classes.
  let appleKey: String?
  let androidKey: String?
  /// Selectors by which the host makes the class: one of them in a source is the sign of the host.
  let initializers: [String]
  /// The classes of iOS that the host's are to descend from.
  private let shown: Set<String>
  /// Names of Java classes that the host's are to extend.
  let superclasses: [String]
  /// `arm64`, …; empty if the host names none.
  let architectures: [String]
  let minimumIOS: String?
  /// The highest version of class files that it takes: 51 is Java 7.
  let classVersion: Int?

  /// The hosts of all recipes that name an entry class.
  static let all: [StarterHost] = HostRecipes.all.compactMap { StarterHost($0.name) }

  /// Whether the host can show a class: it is to descend from one of these. What is not in the tree may well do.
  func mayShow(_ name: String, _ superclasses: [String: String]) -> Bool {
    var (name, seen) = (name, Set<String>())
    while let next = superclasses[name], seen.insert(name).inserted { name = next }
    if shown.isEmpty || shown.contains(name) { return true }
    return !["NS", "UI"].contains(where: name.hasPrefix)
  }

  private init?(_ recipe: String) {
    guard let rules = try? HostRules.of(recipes: [recipe], in: ".").rules else { return nil }
    func list(_ rule: any Rule.Type, _ name: String) -> [String] { rules[rule.id]?.lists[name] ?? [] }
    self.recipe = recipe
    appleKey = list(EntryClass.self, "ios").first
    androidKey = list(EntryClass.self, "android").first
    guard appleKey != nil || androidKey != nil else { return nil }
    initializers = list(EntryInitializer.self, "methods").map { String($0.dropFirst()) }
    shown = Set(list(EntryClass.self, "ios-superclasses"))
    superclasses = list(EntryClass.self, "android-superclasses")
    architectures = list(MissingArchitecture.self, "architectures")
    minimumIOS = list(MinimumOS.self, "ios").first
    classVersion = list(ClassFileVersion.self, "maximum").first.flatMap { Int($0) }
  }
}
