package import Findings

/// A shape as JSON Schema (draft 2020-12), so that editors complete and check a manifest.
package enum JSONSchema {
  package static func document(_ shape: Shape, title: String, description: String) -> JSONValue {
    guard case .object(let members) = schema(shape) else { return .null }
    let head: [(key: String, value: JSONValue)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", .string(title)),
      ("description", .string(description)),
    ]
    return .object(head + members)
  }

  private static func schema(_ shape: Shape) -> JSONValue {
    switch shape {
    case .any: [:]
    // An editor reads `1.10` as a number; the tool keeps what was written.
    case .text: ["type": ["string", "number", "boolean"]]
    case .name: ["type": ["string", "number"], "pattern": "^[^./\\\\:*?\"<>|][^/\\\\:*?\"<>|]*$"]
    case .path: ["type": "string", "minLength": 1, "pattern": "^[^/]"]
    case .flag: ["type": "boolean"]
    // YAML 1.1 reads a plain `off` as false.
    case .choice(let choices):
      ["enum": .array(choices.map(JSONValue.string) + (choices.contains("off") ? [false] : []))]
    case .list(let item): ["type": "array", "items": schema(item)]
    case .oneOrMany(let item): ["anyOf": [schema(item), schema(.list(item))]]
    case .map(let value): ["type": "object", "additionalProperties": orNull(schema(value))]
    case .object(let keys): object(keys)
    case .either(let shapes): ["anyOf": .array(shapes.map(schema))]
    case .kinds(let kinds, let defaultKind):
      ["anyOf": .array(kinds.map { kindSchema($0, isDefault: $0.name == defaultKind) })]
    }
  }

  /// `null` removes what a recipe gave.
  private static func orNull(_ schema: JSONValue) -> JSONValue {
    if schema == [:] { return schema }
    return ["anyOf": [schema, ["type": "null"]]]
  }

  private static func kindSchema(_ kind: Kind, isDefault: Bool) -> JSONValue {
    let key = Key("kind", .choice([kind.name]), required: !isDefault, kind.summary)
    return object([key] + kind.keys, description: kind.summary)
  }

  private static func object(_ keys: [Key], description: String? = nil) -> JSONValue {
    let properties = keys.map { key -> (key: String, value: JSONValue) in
      var members: [(key: String, value: JSONValue)] = [("description", .string(key.summary))]
      if case .object(let more) = schema(key.shape) { members += more }
      return (key.name, .object(members))
    }
    var members: [(key: String, value: JSONValue)] = [("type", "object")]
    if let description { members.append(("description", .string(description))) }
    members.append(("properties", .object(properties)))
    let required = keys.filter(\.required).map { JSONValue.string($0.name) }
    if !required.isEmpty { members.append(("required", .array(required))) }
    members.append(("additionalProperties", false))
    return .object(members)
  }
}
