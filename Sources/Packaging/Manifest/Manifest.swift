package import Artifacts
package import Documents
package import Findings
package import Rules

/// The checked description of a plugin and its deliverables: `npi.yml` laid over the recipes that it extends.
package struct Manifest: Sendable {
  package let name: String
  package let version: String
  /// Describes the plugin in one line.
  let summary: String?
  /// The recipes that the manifest itself names.
  package let extends: [String]
  /// In the order of the first mention of the keys.
  package let config: [Setting]
  package let steps: [Declaration]
  package let deliverables: [Declaration]
  /// The settings in the recipes and the manifest. A rule that is not named has its default level.
  package let rules: [RuleID: RuleSettings]
  /// The settings of a remote cache.
  let remote: Node?
  /// The manifest's file: the place of mistakes that have no better one.
  package let place: Place
  let schemas: DocumentSchemas

  package struct Setting: Sendable {
    package let key: String
    package let text: String
    /// The source of the value: a file and line, or `--set`.
    package let place: Place
  }

  /// A step or deliverable as it was declared, its shape checked.
  package struct Declaration: Sendable {
    package let name: String
    package let kind: String
    package let node: Node
    package let place: Place
  }
}

extension Manifest {
  package static var shape: Shape {
    .object([
      Key("name", .name, required: true, "what the plugin is called; the first part of every deliverable's name"),
      Key("version", .name, required: true, "the plugin's version; the second part of every deliverable's name"),
      Key("summary", .text, "what it is, in one line"),
      Key("extends", .oneOrMany(.text), "a recipe's name or path, or a list of them; this manifest is laid over them"),
      Key("config", .map(.text), "the configuration: every value reaches the plugin as a JSON string, verbatim"),
      Key("steps", .map(.kinds(Kinds.steps.map { $0.kind }, default: "run")), "how the plugin's own code is compiled"),
      Key(
        "deliverables", .map(.kinds(Kinds.deliverables.map { $0.kind }, default: nil)),
        "what leaves the plugin's folder"),
      Key("rules", .object(RuleShapes.keys), "levels and parameters of rules"),
      RemoteShape.key,
      DocumentSchemas.key,
    ])
  }

  /// Checks the merged layers. All mistakes in them are reported together.
  package init(_ layers: Layers) throws(Mistakes) {
    let root = layers.merged
    var check = SchemaCheck()
    check.check(root, Manifest.shape, "")
    // A deliverable's record is a file of that name.
    for member in root["deliverables"]?.members ?? [] {
      check.check(Node(.text(member.key), at: member.keyPlace), .name, "a deliverable's name")
    }
    var mistakes = check.mistakes
    let targets = (root["steps"]?.members ?? []) + (root["deliverables"]?.members ?? [])
    for (index, member) in targets.enumerated() {
      if let first = targets[..<index].first(where: { sameBytes($0.key, member.key) }) {
        mistakes.append(
          Mistake(
            "'\(member.key)' names a step and a deliverable", at: member.keyPlace, notes: ["also: \(first.keyPlace)"]))
      }
    }
    do throws(Mistakes) { schemas = try DocumentSchemas(root) } catch {
      throw Mistakes(mistakes + error.all)
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }

    place = layers.place
    name = root["name"]?.text ?? ""
    version = root["version"]?.text ?? ""
    summary = root["summary"]?.text
    extends = root["extends"]?.texts.compactMap(\.text) ?? []
    config = (root["config"]?.members ?? []).compactMap { member in
      member.node.text.map { Setting(key: member.key, text: $0, place: member.node.place) }
    }
    steps = Manifest.declarations(root["steps"], defaultKind: "run")
    deliverables = Manifest.declarations(root["deliverables"], defaultKind: "")
    rules = RuleShapes.settings(root["rules"])
    remote = root["remote"]
  }

  private static func declarations(_ node: Node?, defaultKind: String) -> [Declaration] {
    (node?.members ?? []).map { member in
      Declaration(
        name: member.key, kind: member.node["kind"]?.text ?? defaultKind, node: member.node, place: member.keyPlace)
    }
  }

  /// `NAME-VERSION` or `NAME` and the ending of the kind, or the kind's folder, unless the declaration has a `name`.
  package func fileName(_ declaration: Declaration, _ kind: ArtifactKind) -> String {
    if kind == .plainFile, let from = declaration.node["from"]?.text, declaration.node["name"] == nil {
      return String(from.lastPathPart)
    }
    return declaration.node["name"]?.text ?? kind.folder
      ?? "\(name)\(kind.isVersioned ? "-\(version)" : "")\(kind.fileEnding)"
  }
}
