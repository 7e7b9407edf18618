package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `config`: the merged configuration as one JSON object, every value a string, for all platforms.
package enum ConfigFile: DeliverableKind {
  package static let artifact = ArtifactKind.config
  package static let kind = Kind(
    name: "config",
    keys: [
      Key(
        "order", .choice(["sorted", "manifest"]), "the order of the keys: by their bytes, or as they stand (sorted)"),
      Key("name", .name, "the file's name (NAME-VERSION.json)"),
    ],
    summary: "the merged configuration: one JSON object")

  package static func read(
    _ document: Node, at place: Place, _ schema: DocumentSchema?
  ) throws(Mistakes) -> (Inventory, defects: [Mistake]?) {
    (Inventory(place: place, role: artifact, configuration: try Configuration(document)), nil)
  }

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let order = declaration.node["order"]?.text.flatMap(Manifest.Order.init) ?? .sorted
    return plan.step(declaration, ConfigFile.self, Maker(order: order, plan: plan))
  }

  private struct Maker: FileMaker {
    let order: Manifest.Order
    let plan: Plan

    private var text: String { plan.manifest.configuration(order: order).pretty }

    func encode(into encoder: inout some KeyEncoder) {
      encoder.add("content", text)
      for platform in plan.platforms.map(\.rawValue).sorted() { encoder.add("platform", platform) }
    }

    func make(_ context: ActionContext) async throws -> FileContents { FileContents(form: .bytes(Array(text.utf8))) }
  }
}

extension Configuration {
  static func read(_ path: FilePath) throws -> Configuration {
    try Configuration(JSONText.parse(try FileSystem.read(path, limit: YAMLText.maxBytes), name: path.string))
  }

  /// Throws for anything but one JSON object.
  init(_ node: Node) throws(Mistakes) {
    // Unlike Foundation's JSON, nodes keep the order and every key.
    guard case .map(let members) = node.value else {
      throw Mistakes("a configuration is one JSON object, not \(node.kindName)", at: node.place)
    }
    self.init(members.map { ($0.key, Value($0.node)) })
  }
}

extension Configuration.Value {
  fileprivate init(_ node: Node) {
    self =
      switch node.value {
      case .text(let text) where node.isQuoted: .text(text)
      case .text(let text): .other(text == "true" || text == "false" ? "true or false" : "a number")
      case .null: .other("null")
      case .list: .other("a list")
      case .map: .other("an object")
      }
  }
}
