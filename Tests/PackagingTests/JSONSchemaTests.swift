import Lanes
import Findings
import Foundation
import Packaging
import SystemPackage
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
    head + "steps:\n  a: {kind: static-library, inputs: [a.o, b.a], output: c.a}\n",
    head
      + "deliverables:\n  a: {kind: ios-zip, items: [a.a, {from: 'x/*', to: y/}]}\n  c: {kind: config, order: manifest}\n",
    head + "deliverables:\n  a: {kind: aar, embed: a.aar}\n  b: {kind: aar, manifest: m.xml, embed: [a.aar]}\n",
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
    head + "steps:\n  a: {run: [make], outputs: ['../x']}\n",
    head + "steps:\n  a: {run: [make], outputs: [x], inputs: [y/..]}\n",
    head + "steps:\n  a: {run: [make], outputs: ['']}\n",
  ]

  @Test(.tools) func agreesWithTheTool() async throws {
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

  /// An editor's message is about the one wrong key, and about nothing that another kind would have.
  @Test(
    .tools,
    arguments: [
      ("deliverables:\n  a: {kind: aar, manifest: m.xml, clases: b}\n", "deliverables/a", "clases"),
      ("deliverables:\n  a: {kind: aar, manifest: m.xml, order: sorted}\n", "deliverables/a", "order"),
      ("deliverables:\n  a: {kind: aar}\n", "deliverables/a", "manifest"),
      ("deliverables:\n  a: {kind: arr, manifest: m.xml}\n", "deliverables/a/kind", "arr"),
      ("deliverables:\n  a: {manifest: m.xml}\n", "deliverables/a", "kind"),
      ("deliverables:\n  a: {kind: ios-zip, items: [a.a, {form: x, from: y}]}\n", "deliverables/a/items/1", "form"),
      ("deliverables:\n  a: {kind: ios-zip, items: [a.a, [x]]}\n", "deliverables/a/items/1", "'x'"),
      ("steps:\n  a: {run: [make], outputs: [x], input: [y]}\n", "steps/a", "input"),
      ("steps:\n  a: {kind: jar, output: x, run: [y]}\n", "steps/a", "run"),
      ("rules:\n  minimum-os: {levl: note}\n", "rules/minimum-os", "levl"),
      ("rules:\n  minimum-os: loud\n", "rules/minimum-os", "loud"),
      ("nmae: x\n", "", "nmae"), ("steps:\n  a: {outputs: [x]}\n", "steps/a", "'run'"),
      ("steps:\n  a: {run: [make], shell: rake, outputs: [x]}\n", "steps/a/shell", "rake"),
      ("steps:\n  a: {shell: 1, outputs: [../x]}\n", "steps/a/outputs/0", "../x"),
      ("deliverables:\n  a: {kind: ios-zip, items: []}\n", "deliverables/a/items", "[]"),
      (
        "deliverables:\n  a: {kind: app-extension, binary: b, point: com.apple.x, class: C, storyboard: Main}\n",
        "deliverables/a/storyboard", "Main"
      ),
    ])
  func oneErrorAboutOneKey(_ text: String, _ path: String, _ word: String) async throws {
    let errors = try await errors(["npi.yml": Self.head + text])
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.hasPrefix("npi.yml: \(path): ") ?? false, "\(errors)")
    #expect(errors.first?.contains(word) ?? false, "\(errors)")
  }

  @Test(.tools) func nullRemovesWhatARecipeGave() async throws {
    let text =
      Self.head + "deliverables:\n  a: null\n  b: {kind: aar, manifest: m.xml, res: null}\nsteps:\n  s: null\n"
      + "  t: {run: null, shell: make, outputs: x}\n  u: {run: [make], shell: null, outputs: ..x/y..}\n"
      + "rules:\n  swizzling: null\nsummary: null\n"
    #expect(try await errors(["npi.yml": text]) == [])
  }

  @Test(.tools) func theExamplesAreRight() async throws {
    let examples = FilePath(#filePath).removingLastComponent().pushing("../../Recipes/Examples").lexicallyNormalized()
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: examples.string) {
      for file in ["npi.yml", "broken.yml"] {
        let text = try? String(contentsOfFile: examples.appending(name).appending(file).string, encoding: .utf8)
        if let text { texts["\(name)-\(file)"] = text }
      }
    }
    #expect(texts.count >= 7)
    #expect(try await errors(texts) == [])
  }

  @Test func hasAnIdentity() {
    let text = Manifest.jsonSchema.pretty
    #expect(text.contains("\"$id\": \"urn:npi-pack:"))
    #expect(!text.contains("anyOf"))
  }

  /// `file: path/of/the/value: what jsonschema says`, in the order of the files' names.
  private func errors(_ files: [String: String]) async throws -> [String] {
    let scratch = Scratch()
    try scratch.write("schema.json", Manifest.jsonSchema.pretty)
    for (name, text) in files { try scratch.write("files/\(name)", text) }
    let program = """
      import json, jsonschema, os, yaml
      validator = jsonschema.Draft202012Validator(json.load(open("schema.json")))
      for name in sorted(os.listdir("files")):
          for error in validator.iter_errors(yaml.safe_load(open("files/" + name))):
              print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message}".replace("\\n", " "))
      """
    return try await Tool.check(["python3", "-c", program], in: scratch.path).split(separator: "\n").map(String.init)
  }
}
