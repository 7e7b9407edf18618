import Artifacts
import Documents
import Findings
import Store
import SystemPackage

/// The `schemas` key of a recipe: a JSON Schema for each kind of document that its host defines.
struct DocumentSchemas: Sendable {
  /// By the names of their kinds.
  private var schemas: [String: DocumentSchema] = [:]

  static var key: Key {
    let keys = Kinds.deliverables.compactMap { kind in kind.schema.map { Key(kind.kind.name, .map(.any), $0) } }
    return Key("schemas", .object(keys), "JSON Schemas of documents that a host defines")
  }

  init() {}

  /// Reads the schemas of a manifest's layers. A schema that is no map is reported with the manifest's other mistakes.
  init(_ root: Node) throws(Mistakes) {
    for kind in Kinds.deliverables where kind.schema != nil {
      let name = kind.kind.name
      guard let schema = root["schemas"]?[name], case .map = schema.value else { continue }
      schemas[name] = try DocumentSchema(schema, "schemas.\(name)")
    }
  }

  subscript(kind: any DeliverableKind.Type) -> DocumentSchema? { schemas[kind.kind.name] }

  /// Reads an artifact that is a document. `defects` violate the host's schema; nil if the host has none for it.
  func read(_ path: FilePath, at place: Place, as role: ArtifactKind) throws -> (Inventory, defects: [Mistake]?) {
    guard let kind = Kinds.deliverables.first(where: { $0.artifact == role }) else {
      return (Inventory(place: place, role: role), nil)
    }
    let bytes = try FileSystem.read(path, limit: YAMLText.maxBytes)
    return try kind.read(try JSONText.parse(bytes, name: place.parts.first ?? path.string), at: place, self[kind])
  }
}
