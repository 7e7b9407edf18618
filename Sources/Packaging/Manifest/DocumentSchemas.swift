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

extension Inventory {
  /// What rules judge of a document, if the artifact is one that has rules.
  mutating func addDocument(_ path: FilePath, _ schemas: DocumentSchemas) throws {
    guard role == .policy || role == .pluginsConfig else { return }
    let node = try JSONText.parse(
      try FileSystem.read(path, limit: YAMLText.maxBytes), name: place.parts.first ?? path.string)
    guard role == .policy else {
      // Nothing but its form is the same for every host.
      var check = SchemaCheck(root: "the configuration of plugins")
      check.check(node, .map(.map(.any)), "")
      guard check.mistakes.isEmpty else { throw Mistakes(check.mistakes) }
      return
    }
    defects = schemas.policy.map { $0.mistakes(in: node, root: "the policy") }
    // What is no policy at all is said by its defects, if its host has a schema.
    do throws(Mistakes) { policy = try MessagePolicy(node) } catch {
      if defects?.isEmpty ?? true { throw error }
    }
  }
}
