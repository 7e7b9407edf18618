import Artifacts
import Documents
import Findings
import Store
import SystemPackage

/// The `schemas` key of a recipe: how documents of its host are written, each as a JSON Schema.
struct DocumentSchemas: Sendable {
  private(set) var policy: DocumentSchema?

  static let key = Key(
    "schemas", .object([Key("policy", .map(.any), "of a policy file: the messages that a plugin sends and receives")]),
    "JSON Schemas of documents that a host defines")

  /// A host without any.
  init() {}

  /// Of the layers of a manifest. What is no map is told with the manifest's other mistakes.
  init(_ root: Node) throws(Mistakes) {
    guard let schema = root["schemas"]?["policy"], case .map = schema.value else { return }
    policy = try DocumentSchema(schema, "schemas.policy")
  }
}

extension DocumentSchemas {
  /// A document that is an artifact by itself, and what its host's schema refuses of it; nil: the host has none for it.
  func read(_ path: FilePath, at place: Place, as role: ArtifactKind) throws -> (Inventory, defects: [Mistake]?) {
    let name = place.parts.first ?? path.string
    func node() throws -> Node { try JSONText.parse(try FileSystem.read(path, limit: YAMLText.maxBytes), name: name) }
    switch role {
    case .config:
      return (Inventory(place: place, role: role, configuration: try Configuration(try node())), nil)
    case .pluginsConfig:
      // Nothing but its form is the same for every host.
      var check = SchemaCheck(root: "the configuration of plugins")
      check.check(try node(), .map(.map(.any)), "")
      guard check.mistakes.isEmpty else { throw Mistakes(check.mistakes) }
    case .policy:
      let node = try node()
      let defects = policy.map { $0.mistakes(in: node, root: "the policy") }
      var policy: MessagePolicy?
      // What is no policy at all is said by its defects, if its host has a schema.
      do throws(Mistakes) { policy = try MessagePolicy(node) } catch {
        if defects?.isEmpty ?? true { throw error }
      }
      return (Inventory(place: place, role: role, policy: policy), defects)
    default: break
    }
    return (Inventory(place: place, role: role), nil)
  }
}

extension Configuration {
  static func read(_ path: FilePath) throws -> Configuration {
    try Configuration(JSONText.parse(try FileSystem.read(path, limit: YAMLText.maxBytes), name: path.string))
  }

  /// One JSON object; anything else is no configuration.
  fileprivate init(_ node: Node) throws(Mistakes) {
    // Nodes and not Foundation's JSON: they keep the order and every key.
    guard case .map(let members) = node.value else {
      throw Mistakes("a configuration is one JSON object, not \(node.kindName)", at: node.place)
    }
    self.init(members.map { ($0.key, Value($0.node)) })
  }
}

extension Configuration.Value {
  fileprivate init(_ node: Node) {
    self =
      switch node.value {
      case .text(let text) where node.isQuoted: .text(text)
      case .text(let text): .other(text == "true" || text == "false" ? "true or false" : "a number")
      case .null: .other("null")
      case .list: .other("a list")
      case .map: .other("an object")
      }
  }
}
