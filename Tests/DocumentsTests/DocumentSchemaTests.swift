import Lanes
import Documents
import Findings
import Foundation
import TestSupport
import Testing

/// What our part of JSON Schema accepts and refuses is what Python's `jsonschema` does.
@Suite struct DocumentSchemaTests {
  private static func schema(_ text: String) throws -> DocumentSchema {
    try DocumentSchema(try YAMLText.parse(Array(text.utf8), name: "schema"), "schema")
  }

  private static func accepts(_ schema: DocumentSchema, _ text: String) throws -> Bool {
    schema.mistakes(in: try JSONText.parse(Array(text.utf8), name: "document"), root: "it").isEmpty
  }

  @Test(.tools) func agreesWithPython() async throws {
    var random = Seeded(seed: 20)
    var cases: [(schema: String, document: String)] = []
    for _ in 0..<900 { cases.append((Chance.schema(&random), Chance.document(&random, 0))) }
    let scratch = Scratch()
    try scratch.write("cases.json", "[" + cases.map { "[\($0.schema), \($0.document)]" }.joined(separator: ",\n") + "]")
    let program = """
      import json, jsonschema
      for schema, document in json.load(open("cases.json")):
          jsonschema.Draft202012Validator.check_schema(schema)
          print(jsonschema.Draft202012Validator(schema).is_valid(document))
      """
    let out = try await Tool.check(["python3", "-c", program], in: scratch.path)
    let expected = out.split(separator: "\n").map { $0 == "True" }
    try #require(expected.count == cases.count)
    // Neither is rare.
    #expect(expected.count { $0 } > 200 && expected.count { !$0 } > 200, "\(expected.count { $0 })")
    for (one, expected) in zip(cases, expected) {
      #expect(try Self.accepts(try Self.schema(one.schema), one.document) == expected, "\(one.schema) \(one.document)")
    }
  }

  @Test(arguments: [
    ("1", "1.0", true), ("1", "true", false), ("0", "-0", true), ("100", "1e2", true), ("1.5", "15E-1", true),
    ("[1]", "[1.0]", true), ("{a: 1, b: 2}", #"{"b": 2, "a": 1}"#, true), ("\"1\"", "1", false),
    ("é", "\"e\u{301}\"", false),
    ("1", "1e99999999999999999999", false), ("0", "0e99999999999999999999", true),
  ]) func equality(_ constant: String, _ document: String, _ isEqual: Bool) throws {
    #expect(try Self.accepts(try Self.schema("const: \(constant)"), document) == isEqual)
  }

  @Test func referencesMayLeadDown() throws {
    let schema = try Self.schema("{properties: {next: {$ref: '#'}}, additionalProperties: false}")
    let deep = String(repeating: #"{"next": "#, count: 50)
    #expect(try Self.accepts(schema, deep + "{}" + String(repeating: "}", count: 50)))
    #expect(try !Self.accepts(schema, deep + #"{"nxt": 1}"# + String(repeating: "}", count: 50)))
  }

  /// Two parts that refer to each other lead to a value in twice as many ways with each level.
  @Test(.timeLimit(.minutes(20))) func partsThatReferToEachOther() throws {
    let part = "{$ref: '#/$defs/a'}"
    let schema = try Self.schema(
      "{$ref: '#/$defs/a', $defs: {a: {properties: {x: \(part)}, $ref: '#/$defs/b'}, b: {properties: {x: \(part)}, "
        + "additionalProperties: false}}}")
    let deep = String(repeating: #"{"x": "#, count: 50)
    #expect(try Self.accepts(schema, deep + "{}" + String(repeating: "}", count: 50)))
    #expect(try !Self.accepts(schema, deep + #"{"y": 1}"# + String(repeating: "}", count: 50)))
  }

  /// No more is said than anybody reads, and a pattern takes time that grows with the text.
  @Test(.timeLimit(.minutes(20))) func largeDocuments() throws {
    let schema = try Self.schema(#"{items: {pattern: "a*a*a*a*a*a*a*a*b$"}, uniqueItems: true}"#)
    let items = (0..<2000).map { "\"\(String(repeating: "a", count: 500))\($0)\"" }
    let node = try JSONText.parse(Array("[\(items.joined(separator: ","))]".utf8), name: "document")
    #expect(schema.mistakes(in: node, root: "it").count == 20)
  }

  @Test(arguments: [
    "{typ: string}", "{type: text}", "{type: []}", "{required: a}", "{enum: a}", "{properties: [a]}", "{items: 1}",
    "{minLength: -1}", "{minItems: 3, maxItems: 2}", "{$ref: '#/$defs/a'}", "{$ref: 'http://a'}", "{$ref: '#'}",
    "{$defs: {a: {$ref: '#/$defs/a'}}}", "{properties: {a: {$defs: {}}}}", "{uniqueItems: 1}", "{allOf: []}", "[]",
    "{pattern: 'a{2}'}", "{pattern: '(a)'}", "{pattern: '\\d'}", "{pattern: '[b-a]'}", "{pattern: '[a'}",
    "{pattern: 'a**'}",
  ]) func mistakesInSchemas(_ text: String) {
    #expect(throws: Mistakes.self) { try Self.schema(text) }
  }
}

/// Schemas and documents that have something to do with each other.
private enum Chance {
  static let words = ["a", "b", "ab", "abc", "A.b", "x y", "", "é", "a-b"]
  private static let values = [
    "1", "2", "1.0", "1.5", "true", "false", "null", "\"a\"", "\"1\"", "[]", "[1]", "{}", "-0", "2e0",
  ]
  private static let patterns = [
    "^a", "b$", "^[A-Za-z]+$", "^[A-Z]?[^ ]*$", "^a.c$", "a+b", "^[a-c.-]*$", "\\\\.", "^[A-Za-z]+\\\\.[a-z]*$", "^$",
    "",
  ]
  private static let types = ["null", "boolean", "number", "integer", "string", "array", "object"]

  static func schema(_ random: inout Seeded) -> String {
    let names = ["\"n\": \(part(&random, 1))", "\"m\": \(part(&random, 1))"]
    return part(&random, 0, more: ["\"$defs\": {\(names.joined(separator: ", "))}"])
  }

  private static func part(_ random: inout Seeded, _ depth: Int, more: [String] = []) -> String {
    if depth > 0, random.once(in: 12) { return random.once(in: 2) ? "true" : "false" }
    var members = more
    func quoted(_ text: String?) -> String { "\"\(text ?? "")\"" }
    for _ in 0..<(1 + random.number(3)) {
      let least = random.number(3)
      let member =
        switch random.number(depth > 2 ? 9 : 13) {
        case 0: "\"type\": \(quoted(random.one(of: types)))"
        case 1: "\"type\": [\(quoted(random.one(of: types.prefix(3)))), \(quoted(random.one(of: types.suffix(4))))]"
        case 2: "\"enum\": [\((0..<4).map { _ in random.one(of: values) ?? "" }.joined(separator: ", "))]"
        case 3: random.once(in: 3) ? "\"const\": \(random.one(of: values) ?? "")" : "\"title\": \"x\""
        case 4: "\"required\": [\(quoted(random.one(of: words)))]"
        case 5: "\"minLength\": \(least), \"maxLength\": \(least + random.number(3))"
        case 6: "\"minItems\": \(random.number(2)), \"maxItems\": \(least + 1)"
        case 7: "\"pattern\": \(quoted(random.one(of: patterns)))"
        case 8: "\"uniqueItems\": \(random.once(in: 4) ? "false" : "true")"
        case 9: "\"items\": \(part(&random, depth + 1))"
        case 10: "\"additionalProperties\": \(part(&random, depth + 1))"
        case 11 where depth == 0: "\"$ref\": \(quoted("#/$defs/" + (random.once(in: 2) ? "n" : "m")))"
        default:
          "\"properties\": {\"a\": \(part(&random, depth + 1)), \"b\": \(part(&random, depth + 1))}"
        }
      let key = member.prefix { $0 != ":" }
      if !members.contains(where: { $0.hasPrefix(key) }) { members.append(member) }
    }
    return "{\(members.joined(separator: ", "))}"
  }

  static func document(_ random: inout Seeded, _ depth: Int) -> String {
    switch random.number(depth > 2 ? 2 : 4) {
    case 0: return random.one(of: values) ?? ""
    case 1: return "\"\(random.one(of: words) ?? "")\""
    case 2: return "[\((0..<random.number(4)).map { _ in document(&random, depth + 1) }.joined(separator: ", "))]"
    default:
      let keys = words.filter { _ in random.once(in: 4) }
      return "{\(keys.map { "\"\($0)\": \(document(&random, depth + 1))" }.joined(separator: ", "))}"
    }
  }
}
