package import Documents
package import Findings
import Recipes
package import SystemPackage

/// The layers of a manifest: recipes (those that they extend first), the manifest, `--config` files, `--set`.
package struct Layers: Sendable {
  package private(set) var merged: Node
  package let place: Place

  /// One layer, with the recipes that it extends.
  package init(_ layer: Node, in folder: FilePath, read: Read) throws(Mistakes) {
    place = layer.place
    merged = Node(.map([]), at: place)
    try lay(layer, in: folder, chain: [], read: read)
  }

  package typealias Read = (FilePath) throws(Mistakes) -> [UInt8]

  /// - Parameter version: overrides the `version` of the manifest.
  package init(
    _ options: Project.Options, version: (text: String, origin: String)? = nil, read: Read
  ) throws(Mistakes) {
    let path = options.manifestPath
    place = Place(path.string)
    let manifest = try YAMLText.parse(try read(path), name: path.string)
    merged = Node(.map([]), at: place)
    try lay(manifest, in: path.removingLastComponent(), chain: [path.string], read: read)
    for file in options.configFiles {
      let values = try YAMLText.parse(try read(file), name: file.string)
      guard case .map = values.value else {
        throw Mistakes("a configuration file must be a map of keys to texts, not \(values.kindName)", at: values.place)
      }
      overlay("config", values)
    }
    let origin = Place("--set")
    var settings: [Node.Member] = []
    for setting in options.settings {
      guard let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
        throw Mistakes("--set \(setting): not KEY=VALUE", hint: "for example --set rally_url=https://example.com")
      }
      let value = Node(.text(String(setting[setting.index(after: equals)...])), at: origin)
      settings.append(.init(key: String(setting[..<equals]), keyPlace: origin, node: value))
    }
    // All settings are laid at once, because each of them by itself would copy the whole configuration.
    if !settings.isEmpty { overlay("config", Node(.map(settings), at: origin)) }
    if let version { overlay("version", Node(.text(version.text), at: Place(version.origin))) }
  }

  /// The recipes that were laid. Each is laid once, below the first layer that extends it, so that repetitions end.
  private var laid: Set<String> = []
  /// Hosts have a handful of layers. Each costs a few frames of the stack, so the number is limited.
  private static let maxChainLength = 64

  private mutating func lay(_ layer: Node, in folder: FilePath, chain: [String], read: Read) throws(Mistakes) {
    guard case .map = layer.value else {
      throw Mistakes("a manifest must be a map, not \(layer.kindName)", at: layer.place)
    }
    for reference in layer["extends"]?.texts ?? [] {
      let name = reference.text ?? ""
      let isPath = Recipe.isPath(name)
      let path = FilePath(folder.string).pushing(FilePath(name))
      let identity = isPath ? path.lexicallyNormalized().string : "recipe \(name)"
      guard !chain.contains(identity) else {
        throw Mistakes("recipes extend each other in a circle", at: reference.place, notes: chain + [identity])
      }
      guard chain.count < Layers.maxChainLength else {
        throw Mistakes("more than \(Layers.maxChainLength) recipes extend one another", at: reference.place)
      }
      guard laid.insert(identity).inserted else { continue }
      let recipe: Node
      if isPath {
        recipe = try YAMLText.parse(try readRecipe(path, reference, read), name: path.string)
      } else {
        recipe = try Recipe.named(name, at: reference.place).node()
      }
      try lay(recipe, in: path.removingLastComponent(), chain: chain + [identity], read: read)
    }
    merged = merged.overlaid(with: RuleShapes.spelledOut(layer))
  }

  private func readRecipe(_ path: FilePath, _ reference: Node, _ read: Read) throws(Mistakes) -> [UInt8] {
    do {
      return try read(path)
    } catch {
      throw Mistakes(error.all.map { Mistake($0.message, at: reference.place, notes: $0.notes, hint: $0.hint) })
    }
  }

  private mutating func overlay(_ key: String, _ node: Node) {
    merged = merged.overlaid(with: Node(.map([.init(key: key, keyPlace: node.place, node: node)]), at: merged.place))
  }
}

/// A manifest that others extend: the requirements of one host platform. The built-in ones are in the executable.
package struct Recipe: Sendable {
  package let name: String
  package let text: [UInt8]

  package static var builtIn: [Recipe] {
    HostRecipes.all.map { Recipe(name: $0.name, text: $0.text) }.sorted { $0.name < $1.name }
  }

  /// The built-in recipe of that name; `place` is where the name was written.
  package static func named(_ name: String, at place: Place? = nil) throws(Mistakes) -> Recipe {
    if let recipe = builtIn.first(where: { $0.name == name }) { return recipe }
    let names = builtIn.map(\.name)
    throw Mistakes(
      "there is no recipe '\(name)'", at: place,
      hint: didYouMean(name, among: names)
        ?? "recipes: \(names.joined(separator: ", ")); one of your own is named by its path")
  }

  static func isPath(_ name: String) -> Bool {
    name.contains("/") || [".yml", ".yaml", ".json"].contains { name.hasSuffix($0) }
  }

  package func node() throws(Mistakes) -> Node { try YAMLText.parse(text, name: "recipe \(name)") }

  package var summary: String { (try? node()["summary"]?.text) ?? "" }
}
