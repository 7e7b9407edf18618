package import Findings

/// A shape as JSON Schema (draft 2020-12), so that editors complete and check a manifest.
///
/// Where a value may have several shapes, `if` selects one by the value's type or its `kind`, and only its `then`
/// judges the value. With `anyOf` a validator would only say that no shape fits, and name no key.
package enum JSONSchema {
  /// - Parameter id: the URI of the schema itself.
  package static func document(_ shape: Shape, id: String, title: String, description: String) -> JSONValue {
    let head: Schema = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("$id", .string(id)), ("title", .string(title)),
      ("description", .string(description)),
    ]
    return .object(head + schema(shape))
  }

  /// Keywords in the order in which they are written, each once.
  private typealias Schema = [(key: String, value: JSONValue)]

  /// - Parameter orNull: `null` is allowed, which removes the value of a recipe.
  private static func schema(_ shape: Shape, orNull: Bool = false) -> Schema {
    var schema: Schema = []
    let types = types(shape) + (orNull ? ["null"] : [])
    if case .any = shape { return schema }
    schema.append(("type", types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string))))
    switch shape {
    case .any, .text, .flag: break
    case .name: schema.append(("pattern", "^[^./\\\\:*?\"<>|][^/\\\\:*?\"<>|]*$"))
    case .path:
      schema.append(("pattern", "^(?!$|/|(.*/)?\\.\\.(/|$))"))
    case .choice(let choices):
      // YAML 1.1 reads a plain `off` as false.
      let off: [JSONValue] = (choices.contains("off") ? [false] : []) + (orNull ? [.null] : [])
      schema.append(("enum", .array(choices.map(JSONValue.string) + off)))
    case .list(let item): schema.append(("items", .object(self.schema(item))))
    case .map(let value): schema.append(("additionalProperties", .object(self.schema(value, orNull: true))))
    case .object(let keys): add(keys, to: &schema)
    case .oneOrMany(let item): add([.list(item), item], to: &schema)
    case .either(let shapes): add(shapes, to: &schema)
    case .kinds(let kinds, let defaultKind): add(kinds, defaultKind, to: &schema)
    }
    return schema
  }

  /// The types, by their names in JSON Schema, that a value of the shape may have.
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

  /// The first shape that accepts the value's type applies. Keywords for another type have no effect on the value.
  private static func add(_ shapes: [Shape], to schema: inout Schema) {
    let all = shapes.enumerated().map { index, shape -> JSONValue in
      let earlier = shapes[..<index].flatMap(types)
      let own = types(shape).filter { !earlier.contains($0) }
      return ["if": ["type": .array(own.map(JSONValue.string))], "then": .object(self.schema(shape))]
    }
    schema.append(("allOf", .array(all)))
  }

  private static func add(_ kinds: [Kind], _ defaultKind: String?, to schema: inout Schema) {
    let names = kinds.map { JSONValue.string($0.name) }
    schema.append(("properties", ["kind": ["description": "what is made", "enum": .array(names)]]))
    if defaultKind == nil { schema.append(("required", ["kind"])) }
    let all = kinds.map { kind -> JSONValue in
      var condition: Schema = [("properties", ["kind": ["const": .string(kind.name)]])]
      if kind.name != defaultKind { condition.append(("required", ["kind"])) }
      var keys: Schema = [("description", .string(kind.summary))]
      // The condition has found out already which kind it is.
      add([Key("kind", .any, kind.summary)] + kind.keys, to: &keys)
      if let choice = kind.choice { add(choice, to: &keys) }
      return ["if": .object(condition), "then": .object(keys)]
    }
    schema.append(("allOf", .array(all)))
  }

  /// A validator complains of each later key where the first is there, too, and of the first where none is.
  private static func add(_ choice: KeyChoice, to schema: inout Schema) {
    guard let first = choice.keys.first else { return }
    let null: JSONValue = ["type": "null"]
    let others = choice.keys.dropFirst()
    let isThere: JSONValue = ["not": null]
    let several: JSONValue = [
      "if": ["required": [.string(first)], "properties": .object([(first, isThere)])],
      "then": ["properties": .object(others.map { ($0, null) })],
    ]
    let none = others.reduce(["required": [.string(first)]] as JSONValue) { then, other in
      ["if": ["not": ["required": [.string(other)]]], "then": then]
    }
    schema.append(("allOf", .array((choice.allowsSeveral ? [] : [several]) + (choice.required ? [none] : []))))
  }

  private static func add(_ keys: [Key], to schema: inout Schema) {
    let properties = keys.map { key -> (key: String, value: JSONValue) in
      var members: Schema = [("description", .string(key.summary))]
      members += self.schema(key.shape, orNull: !key.required)
      // A required list must have a value.
      if key.required, types(key.shape).contains("array") { members.append(("minItems", 1)) }
      return (key.name, .object(members))
    }
    schema.append(("properties", .object(properties)))
    let required = keys.filter(\.required).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema.append(("required", .array(required))) }
    schema.append(("additionalProperties", false))
  }
}
