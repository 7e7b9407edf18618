package import Findings

/// A shape as JSON Schema (draft 2020-12), so that editors complete and check a manifest.
///
/// Where a value may be one of several things, `if` finds out which is meant, by its type or its `kind`, and `then` judges
/// it as that alone. With `anyOf` a validator would only say that none of all fits, and name no key.
package enum JSONSchema {
  /// - Parameter id: the URI of the schema itself.
  package static func document(_ shape: Shape, id: String, title: String, description: String) -> JSONValue {
    var head = Schema()
    head["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    head["$id"] = .string(id)
    head["title"] = .string(title)
    head["description"] = .string(description)
    return .object(head.members + schema(shape).members)
  }

  /// Keywords in the order in which they are written.
  private struct Schema {
    var members: [(key: String, value: JSONValue)] = []

    subscript(key: String) -> JSONValue? {
      get { members.first { $0.key == key }?.value }
      set {
        members.removeAll { $0.key == key }
        if let newValue { members.append((key, newValue)) }
      }
    }
    var json: JSONValue { .object(members) }
  }

  /// With `null` where that removes what a recipe gave.
  private static func schema(_ shape: Shape, orNull: Bool = false) -> Schema {
    var schema = Schema()
    let types = types(shape) + (orNull ? ["null"] : [])
    if case .any = shape { return schema }
    schema["type"] = types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string))
    switch shape {
    case .any, .text, .flag: break
    case .name: schema["pattern"] = "^[^./\\\\:*?\"<>|][^/\\\\:*?\"<>|]*$"
    case .path:
      schema["pattern"] = "^(?!$|/|(.*/)?\\.\\.(/|$))"
    case .choice(let choices):
      // YAML 1.1 reads a plain `off` as false.
      let off: [JSONValue] = (choices.contains("off") ? [false] : []) + (orNull ? [.null] : [])
      schema["enum"] = .array(choices.map(JSONValue.string) + off)
    case .list(let item): schema["items"] = self.schema(item).json
    case .map(let value): schema["additionalProperties"] = self.schema(value, orNull: true).json
    case .object(let keys): add(keys, to: &schema)
    case .oneOrMany(let item): add([.list(item), item], to: &schema)
    case .either(let shapes): add(shapes, to: &schema)
    case .kinds(let kinds, let defaultKind): add(kinds, defaultKind, to: &schema)
    }
    return schema
  }

  /// JSON's names of what a value of a shape may be.
  private static func types(_ shape: Shape) -> [String] {
    switch shape {
    // An editor reads `1.10` as a number; the tool keeps what was written.
    case .text: ["string", "number", "boolean"]
    case .name: ["string", "number"]
    case .path: ["string"]
    case .flag: ["boolean"]
    case .choice(let choices): choices.contains("off") ? ["string", "boolean"] : ["string"]
    case .list: ["array"]
    case .oneOrMany(let item): unique(["array"] + types(item))
    case .map, .object, .kinds: ["object"]
    case .either(let shapes): unique(shapes.flatMap(types))
    case .any: []
    }
  }

  private static func unique(_ names: [String]) -> [String] {
    names.enumerated().filter { !names[..<$0].contains($1) }.map(\.element)
  }

  /// The first shape that takes a value of that type is meant. Keywords that are for another type judge nothing.
  private static func add(_ shapes: [Shape], to schema: inout Schema) {
    schema["allOf"] = .array(
      shapes.enumerated().map { index, shape in
        let earlier = shapes[..<index].flatMap(types)
        let own = types(shape).filter { !earlier.contains($0) }
        var meant = Schema()
        meant["if"] = ["type": .array(own.map(JSONValue.string))]
        meant["then"] = self.schema(shape).json
        return meant.json
      })
  }

  private static func add(_ kinds: [Kind], _ defaultKind: String?, to schema: inout Schema) {
    let names = kinds.map { JSONValue.string($0.name) }
    schema["properties"] = ["kind": ["description": "what is made", "enum": .array(names)]]
    if defaultKind == nil { schema["required"] = ["kind"] }
    schema["allOf"] = .array(
      kinds.map { kind in
        var condition = Schema()
        condition["properties"] = ["kind": ["const": .string(kind.name)]]
        if kind.name != defaultKind { condition["required"] = ["kind"] }
        var keys = Schema()
        keys["description"] = .string(kind.summary)
        // Which kind it is has been found out.
        add([Key("kind", .any, kind.summary)] + kind.keys, to: &keys)
        if let choice = kind.choice { add(choice, to: &keys) }
        return ["if": condition.json, "then": keys.json]
      })
  }

  /// What is wrong is the second one, or that the first is missing.
  private static func add(_ choice: KeyChoice, to schema: inout Schema) {
    let null: JSONValue = ["type": "null"]
    let isThere: JSONValue = ["not": null]
    let both: JSONValue = [
      "if": ["required": [.string(choice.first)], "properties": .object([(choice.first, isThere)])],
      "then": ["properties": .object([(choice.second, null)])],
    ]
    let neither: JSONValue = [
      "if": ["not": ["required": [.string(choice.second)]]], "then": ["required": [.string(choice.first)]],
    ]
    schema["allOf"] = .array((choice.allowsBoth ? [] : [both]) + (choice.required ? [neither] : []))
  }

  private static func add(_ keys: [Key], to schema: inout Schema) {
    let properties = keys.map { key -> (key: String, value: JSONValue) in
      var members: [(key: String, value: JSONValue)] = [("description", .string(key.summary))]
      members += self.schema(key.shape, orNull: !key.required).members
      // Of what must be there one is not nothing.
      if key.required, types(key.shape).contains("array") { members.append(("minItems", 1)) }
      return (key.name, .object(members))
    }
    schema["properties"] = .object(properties)
    let required = keys.filter(\.required).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    schema["additionalProperties"] = false
  }
}
