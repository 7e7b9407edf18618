package import Documents
package import Findings
package import SystemPackage

/// The layers of a manifest: recipes (what they extend first), the manifest, `--config` files, `--set`.
package struct Layers: Sendable {
  /// All layers laid over one another.
  package private(set) var merged: Node
  /// The manifest's own file.
  package let place: Place
  /// The files that were read, recipes of our own left out.
  package private(set) var files: [FilePath] = []

  package struct Options: Sendable {
    /// The manifest; errors name it as it is written here.
    package var manifest: FilePath
    /// Files whose keys are laid over `config`.
    package var configFiles: [FilePath] = []
    /// `KEY=VALUE`, laid over `config` last.
    package var settings: [String] = []
    /// Takes the place of `version`, if it comes from elsewhere.
    package var version: (text: String, origin: String)?

    package init(manifest: FilePath) { self.manifest = manifest }
  }

  /// One layer by itself, with what it extends.
  package init(_ layer: Node, in folder: FilePath, read: Read) throws(Mistakes) {
    place = layer.place
    merged = Node(.map([]), at: place)
    try lay(layer, in: folder, chain: [], read: read)
  }

  package typealias Read = (FilePath) throws(Mistakes) -> [UInt8]

  package init(_ options: Options, read: Read) throws(Mistakes) {
    place = Place(options.manifest.string)
    let manifest = try YAMLText.parse(try read(options.manifest), name: options.manifest.string)
    merged = Node(.map([]), at: place)
    files.append(options.manifest)
    try lay(manifest, in: options.manifest.removingLastComponent(), chain: [options.manifest.string], read: read)
    for file in options.configFiles {
      files.append(file)
      let values = try YAMLText.parse(try read(file), name: file.string)
      guard case .map = values.value else {
        throw Mistakes("a configuration file must be a map of keys to texts, not \(values.kindName)", at: values.place)
      }
      overlay("config", values)
    }
    for setting in options.settings {
      guard let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
        throw Mistakes("--set \(setting): not KEY=VALUE", hint: "for example --set rally_url=https://example.com")
      }
      let origin = Place("--set")
      let value = Node(.text(String(setting[setting.index(after: equals)...])), at: origin)
      overlay("config", Node(.map([.init(key: String(setting[..<equals]), keyPlace: origin, node: value)]), at: origin))
    }
    if let version = options.version { overlay("version", Node(.text(version.text), at: Place(version.origin))) }
  }

  /// Recipes that were laid. One that several others extend is laid once, below the first of them: again would undo what
  /// lies between, and recipes that extend each other twice over would never end.
  private var laid: Set<String> = []
  /// Hosts have a handful of layers; each costs a few frames of the stack.
  private static let longestChain = 64

  /// Lays what a layer extends, then the layer itself.
  private mutating func lay(_ layer: Node, in folder: FilePath, chain: [String], read: Read) throws(Mistakes) {
    guard case .map = layer.value else {
      throw Mistakes("a manifest must be a map, not \(layer.kindName)", at: layer.place)
    }
    for reference in layer["extends"]?.texts ?? [] {
      let name = reference.text ?? ""
      let isPath = name.contains("/") || [".yml", ".yaml", ".json"].contains { name.hasSuffix($0) }
      let path = FilePath(folder.string).pushing(FilePath(name))
      let identity = isPath ? path.lexicallyNormalized().string : "recipe \(name)"
      guard !chain.contains(identity), chain.first != identity else {
        throw Mistakes("recipes extend each other in a circle", at: reference.place, notes: chain + [identity])
      }
      guard chain.count < Layers.longestChain else {
        throw Mistakes("more than \(Layers.longestChain) recipes extend one another", at: reference.place)
      }
      guard laid.insert(identity).inserted else { continue }
      let recipe: Node
      if isPath {
        files.append(path)
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
