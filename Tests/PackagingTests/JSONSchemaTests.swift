import Findings
import Foundation
import Packaging
import Testing
import TestSupport

/// The schema for editors agrees with the tool: what one refuses, the other does, by Python's `jsonschema`.
@Suite struct JSONSchemaTests {
  private static let head = "name: A\nversion: '1.0'\n"
  private static let good = [
    head, head + "extends: [mobilesmith, ./a.yml]\n", head + "config: {a: '1', b: 2, c: true, gone: null}\n",
    head
      + "steps:\n  a: {run: [make], outputs: out}\n  b: {shell: make, outputs: [x, y], env: {A: b}, directory: ios}\n",
    head + "steps:\n  a: {kind: universal-library, inputs: [a.a, b.a], output: c.a}\n",
    head
      + "deliverables:\n  a: {kind: ios-zip, items: [a.a, {from: 'x/*', to: y/}]}\n  c: {kind: config, order: manifest}\n",
    head
      + "rules:\n  swizzling: off\n  minimum-os: {level: note, ios: 7}\n  missing-architecture: {architectures: [arm64]}\n",
  ]
  private static let bad = [
    "name: A\n", head + "nmae: B\n", head + "config: {a: [1]}\n", head + "config: {a: {b: c}}\n",
    head + "steps:\n  a: {run: make, outputs: [x]}\n", head + "steps:\n  a: {run: [make]}\n",
    head + "steps:\n  a: {kind: jarr, output: x}\n", head + "deliverables:\n  a: {items: [a]}\n",
    head + "deliverables:\n  a: {kind: ios-zip, itmes: [a]}\n",
    head + "deliverables:\n  a: {kind: config, order: reverse}\n", head + "rules: {swizling: off}\n",
    head + "rules: {swizzling: loud}\n", head + "rules:\n  missing-architecture: {architecture: [arm64]}\n",
    head + "steps:\n  a: {run: [make], outputs: [/tmp/x]}\n", "- a\n",
  ]

  @Test func agreesWithTheTool() async throws {
    let scratch = Scratch()
    try scratch.write("schema.json", Manifest.jsonSchema.pretty)
    let texts = Self.good + Self.bad
    for (index, text) in texts.enumerated() { try scratch.write("\(index).yml", text) }
    let program = """
      import json, jsonschema, sys, yaml
      schema = json.load(open("schema.json"))
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      for i in range(int(sys.argv[1])):
          print(validator.is_valid(yaml.safe_load(open(f"{i}.yml"))))
      """
    let out = try await Tool.check(["python3", "-c", program, String(texts.count)], in: scratch.path)
    let valid = out.split(separator: "\n").map { $0 == "True" }
    #expect(valid == Self.good.map { _ in true } + Self.bad.map { _ in false })
    for (index, text) in texts.enumerated() {
      let found = mistakes(["npi.yml": text, "a.yml": "summary: x\n"])
      #expect(found.isEmpty == (index < Self.good.count), "\(text): \(found)")
    }
  }
}
