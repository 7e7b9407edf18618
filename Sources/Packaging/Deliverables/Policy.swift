package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `policy`: the plugin's policy file, checked by its host's JSON Schema and written in a canonical form.
package enum PolicyFile: DeliverableKind {
  package static let artifact = ArtifactKind.policy
  package static let kind = Kind(
    name: "policy",
    keys: [
      Key("file", .path, required: true, "the policy file: JSON or YAML, as the recipe's schema for it says"),
      Key("name", .name, "the file's name (NAME-VERSION.policy.json)"),
    ],
    summary: "the plugin's policy file: the messages that it sends and receives")

  package static let schema: String? = "of a policy file: the messages that a plugin sends and receives"

  /// If the host has a schema, a document that is no policy at all is reported by its defects.
  package static func read(
    _ document: Node, at place: Place, _ schema: DocumentSchema?
  ) throws(Mistakes) -> (Inventory, defects: [Mistake]?) {
    let defects = schema.map { $0.mistakes(in: document, root: "the policy") }
    var policy: MessagePolicy?
    do throws(Mistakes) { policy = try MessagePolicy(document) } catch {
      if defects?.isEmpty ?? true { throw error }
    }
    return (Inventory(place: place, role: artifact, policy: policy), defects)
  }

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    guard let schema = plan.manifest.schemas[PolicyFile.self] else {
      throw Mistakes(
        "nothing says how a policy file is written", at: declaration.node["kind"]?.place ?? declaration.place,
        hint: "extend a recipe that has 'schemas: {policy: …}'\(PolicyFile.recipes)")
    }
    let file = declaration.node["file"].map { [$0] } ?? []
    return plan.step(
      declaration, PolicyFile.self, inputs: try Plan.inputs(file),
      Maker(schema: schema, plan: plan, place: file.first?.place ?? declaration.place))
  }

  /// The built-in recipes with such a schema, as the end of a hint.
  private static var recipes: String {
    let names = Recipe.builtIn.filter { (try? $0.node()["schemas"]?["policy"]) != nil }.map(\.name)
    return names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
  }

  private struct Maker: FileMaker {
    let schema: DocumentSchema
    let plan: Plan
    /// The place in the manifest that names the file.
    let place: Place

    func encode(into encoder: inout some KeyEncoder) {
      encoder.add("schema", schema.text)
      // A rule compares the policy with the platforms of the other deliverables.
      for platform in plan.platforms.map(\.rawValue).sorted() { encoder.add("platform", platform) }
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      let inputs = context.inputs.flatMap { $0 }
      guard inputs.count == 1, let input = inputs.first, input.kind == .regular else {
        throw Mistakes("a plugin has one policy file, and this is none", at: place)
      }
      let bytes = try FileSystem.read(context.absolute(input.path), limit: YAMLText.maxBytes)
      let node = try YAMLText.parse(bytes, name: input.path.string)
      let mistakes = schema.mistakes(in: node, root: "the policy")
      guard mistakes.isEmpty else { throw Mistakes(mistakes) }
      // A custom schema may accept a document that no check across plugins could read.
      _ = try MessagePolicy(node)
      return FileContents(form: .bytes(Array(node.sortedJSON.pretty.utf8)))
    }
  }
}
